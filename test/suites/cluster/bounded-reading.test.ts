/** Reads of one cluster are limited in bytes, objects and time, and fields that are not needed are dropped. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import type { LiveObject } from "../../../src/cluster/api/live-object.ts";
import { readQuota, type ReadLimits } from "../../../src/cluster/api/read-quota.ts";
import { OPENSHIFT_NODE_POOLS } from "../../../src/cluster/api/served-kind.ts";
import { stripApplied, stripWrapper } from "../../../src/cluster/objects/strip-fields.ts";
import { type FakeCluster, fakeCluster } from "../../support/cluster/fake-cluster.ts";
import { fakeFleet, NODE_POOLS, policiesOf, WRAPPERS } from "../../support/cluster/fake-hosted-cluster.ts";
import { ARCH, isIn, policy, pool } from "../../support/watch/inputs.ts";
import { runInProcess } from "../../support/watch/run-in-process.ts";

const LARGE = "x".repeat(250_000);
const PLENTY: ReadLimits = { bytes: 1e9, keptBytes: 1e9, objects: 1e6, ms: 60_000 };

let server: FakeCluster;
let api: ClusterApi;

beforeEach(async () => {
  server = await fakeCluster();
  api = httpClusterApi({ kubeconfig: server.kubeconfig, isOwn: true, timeoutMs: 2000 });
});

afterEach(() => {
  api.close();
  server.close();
});

const listed = (limits: Partial<ReadLimits>) =>
  api.list(OPENSHIFT_NODE_POOLS, { budget: readQuota({ ...PLENTY, ...limits }), keep: stripWrapper });

function putLarge(count: number): void {
  for (let index = 0; index < count; index++)
    server.put(WRAPPERS, { metadata: { name: `p${index}`, annotations: { note: LARGE } }, spec: {} });
}

test("a page that is too long is read in shorter ones, and its annotations go with it", async () => {
  putLarge(60);
  const answer = await listed({ keptBytes: 100_000 });
  expect(answer.ok && answer.value.items.map(({ metadata }) => metadata.name)).toEqual(
    Array.from({ length: 60 }, (_, index) => `p${index}`),
  );
  expect(answer.ok && Object.keys(answer.value.items[0]!.metadata).includes("annotations")).toBe(false);
  const limits = server.asked.map(({ url }) => new URLSearchParams(url.split("?")[1]).get("limit"));
  expect([...new Set(limits)]).toEqual(["500", "63", "8"]);
  // The next list begins there, and goes back when there is less of it.
  server.asked.length = 0;
  expect((await listed({})).ok).toBe(true);
  expect(server.asked[0]?.url).toContain("limit=16");
  for (const { metadata } of server.objects(WRAPPERS)) server.remove(WRAPPERS, metadata.name);
  for (let list = 0; list < 6; list++) expect((await listed({})).ok).toBe(true);
  expect(server.asked.at(-1)?.url).toContain("limit=500");
});

test("a request that is cut a moment before the time is over is cut by it", () => {
  let time = 0;
  const budget = readQuota({ ...PLENTY, ms: 500 }, () => time);
  expect([budget.msLeft(), budget.spent()]).toEqual([500, undefined]);
  time = 499.5;
  expect(budget.spent()).toMatchObject({ kind: "tooSlow" });
});

test.each<[string, Partial<ReadLimits>, string]>([
  ["bytes", { bytes: 5e6 }, "tooLarge"],
  ["bytes that are kept", { keptBytes: 1000 }, "tooLarge"],
  ["objects", { objects: 39 }, "tooLarge"],
])("more %s than a cluster may have", async (_, limits, kind) => {
  putLarge(40);
  expect(await listed(limits)).toMatchObject({ ok: false, error: { kind } });
});

test("a page of more items than were asked for is refused before any of them is looked at", async () => {
  const items = Array.from({ length: 501 }, (_, index) => ({
    metadata: { name: `p${index}`, uid: `u${index}`, resourceVersion: "1" },
  }));
  server.intercept = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items }));
    return true;
  };
  let looked = 0;
  const keep = (object: LiveObject): LiveObject => {
    looked++;
    return object;
  };
  const message = "a page of the list of openshiftnodepools has 501 items, where 500 at most were asked for";
  expect(await api.list(OPENSHIFT_NODE_POOLS, { keep })).toMatchObject({
    ok: false,
    error: { kind: "tooLarge", message },
  });
  expect(looked).toBe(0);
  items.pop();
  expect((await api.list(OPENSHIFT_NODE_POOLS, { keep })).ok).toBe(true);
  expect(looked).toBe(500);
});

test("time: each page comes in time, and all of them do not", async () => {
  for (let index = 0; index < 2000; index++) server.put(WRAPPERS, { metadata: { name: `p${index}` } });
  server.intercept = () => new Promise((resolve) => setTimeout(() => resolve(false), 200));
  expect(await listed({ ms: 500 })).toMatchObject({ ok: false, error: { kind: "tooSlow" } });
  // The last of the four is not asked for.
  expect(server.asked.length).toBeLessThan(4);
  // It is not taken for one that hangs.
  server.intercept = () => false;
  expect((await listed({})).ok).toBe(true);
});

test("an answer without end is cut", async () => {
  let cut = false;
  let sent = 0;
  server.intercept = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = (): void => {
      if (cut) return;
      sent += LARGE.length;
      response.write(LARGE, () => setImmediate(more));
    };
    response.on("close", () => (cut = true));
    more();
    return true;
  };
  expect(await listed({ bytes: 3e6 })).toMatchObject({ ok: false, error: { kind: "tooLarge" } });
  await expect.poll(() => cut).toBe(true);
  expect(sent).toBeLessThan(40e6);
});

test("of what anp applies marks and orders stay, and who owns which fields", () => {
  const annotations = {
    "anp.hypershift.openshift.io/applied": "1",
    "cli-utils.sigs.k8s.io/on-remove": "keep",
    "client.lifecycle.config.k8s.io/deletion": "detach",
    note: LARGE,
  };
  const managedFields = [{ manager: "anp" }];
  const metadata = { name: "web", uid: "u", resourceVersion: "1", annotations, managedFields };
  const { note: _note, ...needed } = annotations;
  expect(stripApplied({ apiVersion: "v1", kind: "NodePool", metadata }).metadata).toEqual({
    ...metadata,
    annotations: needed,
  });
});

test.each<[string, Partial<ReadLimits>, number, string, string]>([
  ["too many objects", { objects: 10 }, 0, "TooLarge", "more than 10 objects"],
  ["too slow", { ms: 400 }, 300, "TooSlow", "did not send everything within 0.4 seconds"],
])("%s: the cluster is held and told, nothing of it is changed or deleted", async (_, limits, waits, reason, words) => {
  const fleet = await fakeFleet(["c1", "c2"]);
  try {
    const guest = fleet.guest("c1");
    const once = async (readLimits: Partial<ReadLimits>) => {
      const [first, ...others] = fleet.specs;
      const { ended, state } = runInProcess([{ ...first!, readLimits: { ...PLENTY, ...readLimits } }, ...others], {
        once: true,
      });
      return { outcome: await ended, c1: state("c1"), c2: state("c2") };
    };
    expect((await once({})).outcome.result).toBe("ok");
    for (let index = 0; index < 10; index++) guest.put(WRAPPERS, pool(`p${index}`));
    guest.remove(WRAPPERS, "web");
    const before = guest.objects(NODE_POOLS);
    guest.intercept = ({ method }) =>
      method === "GET" && new Promise((resolve) => setTimeout(() => resolve(false), waits));
    fleet.management.put(policiesOf("c1"), {
      ...policy([isIn(ARCH, "arm64")]),
      metadata: { name: "default", namespace: "clusters-c1" },
    });
    const { outcome, c1, c2 } = await once(limits);
    expect(outcome.result).toBe("held");
    expect(c1?.last?.ready).toMatchObject({ status: "False", reason });
    expect(c1?.last?.ready.message).toContain(words);
    expect(guest.objects(NODE_POOLS)).toEqual(before);
    expect(c2?.last?.result).toBe("ok");
    const [told] = fleet.management.objects(policiesOf("c1"));
    expect(told?.status).toMatchObject({ conditions: [{ type: "Ready", status: "False", reason }] });
  } finally {
    fleet.close();
  }
});
