/** One object that a tenant's admission refuses is tried again by itself: all others are set right at once. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRefused, applyBackoff } from "../../../src/cluster/apply/apply-backoff.ts";
import { nothing, type Step } from "../../../src/cluster/plan/step.ts";
import { type FakeCluster, send, status } from "../../support/cluster/fake-cluster.ts";
import { type FakeFleet, fakeFleet, NODE_POOLS, WRAPPERS } from "../../support/cluster/fake-hosted-cluster.ts";
import { pool } from "../../support/watch/inputs.ts";
import { runInProcess } from "../../support/watch/run-in-process.ts";

const BY_POLICY = `nodepools.karpenter.sh "bad" is forbidden: ValidatingAdmissionPolicy 'tenant' denied request: no`;
const BY_RIGHTS = `nodepools.karpenter.sh "bad" is forbidden: User "u" cannot patch resource "nodepools" in API group "karpenter.sh"`;

describe("a watch", () => {
  let fleet: FakeFleet;
  let guest: FakeCluster;
  beforeEach(async () => {
    fleet = await fakeFleet(["c1"]);
    guest = fleet.guest("c1");
    guest.put(WRAPPERS, pool("bad"));
  });
  afterEach(() => fleet.close());

  const writesOf = (name: string) =>
    guest.asked.filter(({ method, path }) => method === "PATCH" && path === `${NODE_POOLS}/${name}`).length;

  function refuse(words: string): void {
    guest.intercept = ({ method, path }, response) => {
      if (method !== "PATCH" || path !== `${NODE_POOLS}/bad`) return false;
      send(response, 403, status(403, "Forbidden", words));
      return true;
    };
  }

  test("drift of other pools is set right at once, and the refused one comes ever later", async () => {
    refuse(BY_POLICY);
    const { fleet: running, state, ended } = runInProcess(fleet.specs, { intervalMs: 60_000 });
    // After 1, 2, 4 and 8 seconds: a cluster that backs off would by then wait for the next time, 16 seconds on.
    await expect.poll(() => writesOf("bad"), { timeout: 60_000 }).toBe(5);
    const held = { last: { result: "held", ready: { reason: "ApplyFailed" } }, phase: "waiting" };
    await expect.poll(() => state("c1"), { timeout: 10_000 }).toMatchObject(held);
    const web = guest.objects(NODE_POOLS).find(({ metadata }) => metadata.name === "web");
    guest.put(NODE_POOLS, { ...web, spec: { ...(web!.spec as object), weight: 99 } });
    const weight = () => guest.objects(NODE_POOLS).map(({ spec }) => (spec as { weight?: number }).weight);
    await expect.poll(weight, { timeout: 10_000 }).toEqual([undefined]);
    expect(writesOf("bad")).toBe(5);
    // Its wrapper has changed: at once.
    guest.put(WRAPPERS, { ...pool("bad"), spec: { ...(pool("bad") as { spec: object }).spec, weight: 3 } });
    await expect.poll(() => writesOf("bad"), { timeout: 10_000 }).toBe(6);
    guest.intercept = () => false;
    await expect.poll(() => state("c1")?.last?.result, { timeout: 10_000 }).toBe("ok");
    running.quit();
    await ended;
  });

  test.each([
    [BY_POLICY, "held"],
    [BY_RIGHTS, "failed"],
  ])("%s: %s", async (words, result) => {
    refuse(words);
    const { ended } = runInProcess(fleet.specs, { once: true });
    expect((await ended).result).toBe(result);
  });
});

const step = (name: string, hash = "1"): Step => {
  const metadata = { name, annotations: { "anp.hypershift.openshift.io/applied": hash } };
  const desired = { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata, spec: {} };
  return { ...nothing("NodePool", name), action: "update", desired };
};

const refusal = { kind: "invalid", status: 422, message: "no" } as const;

test("each object waits twice as long each time, two minutes at most, and is forgotten when it is taken", () => {
  let now = 0;
  const memory = applyBackoff(() => now);
  const waits: number[] = [];
  for (let round = 0; round < 10; round++) {
    expect(memory.before([step("bad"), step("web")]).now).toHaveLength(2);
    memory.after([
      { step: step("bad"), outcome: "failed", error: refusal },
      { step: step("web"), outcome: "done" },
    ]);
    const { now: tried, waiting } = memory.before([step("bad"), step("web")]);
    expect(tried.map(({ name }) => name)).toEqual(["web"]);
    expect(waiting).toMatchObject([{ step: { name: "bad" }, outcome: "failed", error: refusal, waits: true }]);
    waits.push(memory.dueMs()! / 1000);
    now += memory.dueMs()!;
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 120, 120, 120]);
  memory.after([{ step: step("bad"), outcome: "done" }]);
  expect(memory.dueMs()).toBeUndefined();
});

test("what is to be written has changed, or nothing is to be written any more: nothing waits", () => {
  const memory = applyBackoff(() => 0);
  memory.after([{ step: step("bad"), outcome: "failed", error: refusal }]);
  expect(memory.before([step("bad", "2")]).waiting).toEqual([]);
  expect(memory.before([]).waiting).toEqual([]);
  expect(memory.dueMs()).toBeUndefined();
});

test.each([
  ["NodePool", { kind: "forbidden", status: 403, message: BY_POLICY }, true],
  ["NodePool", { kind: "forbidden", status: 403, message: BY_RIGHTS }, false],
  ["NodePool", { kind: "unavailable", status: 500, message: 'failed calling webhook "t.example.com": timeout' }, true],
  ["NodePool", { kind: "unavailable", status: 500, message: "etcd is away" }, false],
  ["NodePool", { kind: "unavailable", status: undefined, message: "no answer" }, false],
  ["ValidatingAdmissionPolicy", { kind: "invalid", status: 422, message: "no" }, false],
] as const)("%s, %o: %s", (kind, error, refused) => {
  const one = { step: { ...step("a"), kind }, outcome: "failed", error: { ...error, reason: "" } } as const;
  expect(isRefused(one)).toBe(refused);
});
