/** `anp watch` with 500 pools: how long a policy takes to the last of them, what it asks of the API servers, and an API server that dies in the middle. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuditedRequest, auditedRequests } from "../../support/controlplane/audit.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import { remove } from "../../support/controlplane/objects.ts";
import { ARCH, CONTROL_PLANE, type Entry, isIn, NAMESPACE, policy, pool } from "../../support/watch/inputs.ts";
import { ADMIN, OPERATOR, put, type Rig, startRig } from "../../support/watch/rig.ts";
import { stateOf, wrongPools } from "../../support/watch-faults/state.ts";
import { startWatch, type WatchProcess } from "../../support/watch-process/start-watch.ts";
import { textTable } from "../../support/watch-process/text-table.ts";

const WRAPPERS = Array.from({ length: 500 }, (_, index) => pool(`p${String(index).padStart(3, "0")}`));

describe("500 pools", () => {
  let rig: Rig;
  let watch: WatchProcess;
  const outcomes: string[][] = [["fault", "what was done", "outcome"]];

  beforeAll(async () => {
    rig = await startRig({ audited: [OPERATOR, "guest-admin"] });
    await put(rig.management, CONTROL_PLANE);
    await put(rig.management, policy([isIn(ARCH, "amd64")]));
    for (const wrapper of WRAPPERS) await put(rig.guest, wrapper);
  });

  afterAll(async () => {
    await watch?.stop("SIGKILL");
    await rig?.stop();
  });

  const requests = () => ({ guest: ofAnp(rig.guest).length, management: ofAnp(rig.management).length });

  /** Of all pools and both clusters, in words. */
  function told(since: ReturnType<typeof requests>): string {
    const sides = (["guest", "management"] as const).map((side) => {
      const asked = ofAnp(rig[side]).slice(since[side]);
      const counts = Object.entries(Object.groupBy(asked, ({ verb, resource }) => `${verb} ${resource}`));
      return `${side}: ${counts.map(([verb, group]) => `${group?.length} ${verb}`).join(", ") || "none"}`;
    });
    return sides.join("; ");
  }

  /** Until a pass finds everything as it should be; how long the last write of a pool came after the change. */
  async function untilApplied(entries: readonly Entry[], changed: number): Promise<number> {
    const isDone = ({ time, result, inSync, updated, created }: Record<string, unknown>) =>
      Date.parse(String(time)) > changed &&
      result === "ok" &&
      Number(inSync) + Number(updated) + Number(created) === 506;
    await watch.until(
      "all pools as they should be",
      async () => watch.passes().some(isDone) && (await wrongPools(rig.guest, entries, WRAPPERS)).length === 0,
      90_000,
    );
    return writes(rig.guest, 0).at(-1)!.time - changed;
  }

  test("at once: each is made once, and nothing is written any more when all are there", async () => {
    const begun = Date.now();
    const since = requests();
    const guest = ["--guest-kubeconfig", rig.kubeconfig("guest", OPERATOR)];
    const management = ["--management-kubeconfig", rig.kubeconfig("management", "guest-admin")];
    watch = startWatch(["--hosted-cluster", NAMESPACE, "--interval", "10s", ...guest, ...management]);
    const took = await untilApplied([isIn(ARCH, "amd64")], begun);
    expect(writes(rig.guest, since.guest)).toHaveLength(500);
    console.log(`500 pools made ${took} ms after the start of anp; ${told(since)}`);
    await expectQuiet();
    outcomes.push(["500 pools at once", "500 wrappers there at the start", "one write each, none afterwards"]);
  });

  async function expectQuiet(): Promise<void> {
    const since = requests();
    await watch.morePasses(1);
    expect(writes(rig.guest, since.guest)).toEqual([]);
    console.log(`a pass with nothing to do: ${told(since)}`);
  }

  test("a changed policy reaches all of them, with one write each", async () => {
    const before = await stateOf(rig.guest);
    const since = requests();
    const changed = Date.now();
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    const took = await untilApplied([isIn(ARCH, "arm64")], changed);
    expect(writes(rig.guest, since.guest)).toHaveLength(500);
    expect(await uids()).toEqual(uidsOf(before));
    console.log(`the last of 500 pools updated ${took} ms after the change of the policy; ${told(since)}`);
    await expectQuiet();
    outcomes.push(["policy of 500 pools changed", "once", "the same 500 pools, one write each, none afterwards"]);
  });

  test("the API server is killed in the middle: the rest follows when it is back, and none is made anew", async () => {
    const before = await stateOf(rig.guest);
    const since = requests();
    await put(rig.management, policy([isIn(ARCH, "amd64")]));
    await watch.until("some pools updated", async () => writes(rig.guest, since.guest).length > 50);
    await rig.guest.killApiServer();
    const reached = writes(rig.guest, since.guest).length;
    expect(reached).toBeLessThan(500);
    await watch.until("the pass ends", async () => watch.passes().at(-1)?.["result"] === "failed");
    await rig.guest.startApiServer();
    const back = Date.now();
    const took = await untilApplied([isIn(ARCH, "amd64")], back);
    expect(await uids()).toEqual(uidsOf(before));
    // What was written and not answered may be written once more.
    expect(writes(rig.guest, since.guest).length).toBeLessThan(520);
    console.log(`killed after ${reached} of 500 writes; all updated ${took} ms after the API server was ready again`);
    await expectQuiet();
    outcomes.push([
      "API server killed mid-apply",
      "SIGKILL while 500 pools are updated, then started",
      "the same 500 pools, all updated",
    ]);
  });

  test("more wrappers gone than may be pruned at once: none is", async () => {
    const before = await stateOf(rig.guest);
    for (const wrapper of WRAPPERS.slice(0, 6)) await remove(rig.guest, ADMIN, wrapper);
    await watch.morePasses(1);
    expect(watch.passes().at(-1)).toMatchObject({ result: "held", kept: 6, pruned: 0 });
    expect(await stateOf(rig.guest)).toEqual(before);
    for (const wrapper of WRAPPERS.slice(0, 6)) await put(rig.guest, wrapper);
    await watch.morePasses(1);
    expect(watch.passes().at(-1)).toMatchObject({ result: "ok", kept: 0, updated: 0 });
    expect(await watch.stop()).toBe(0);
    outcomes.push([
      "mass deletion",
      "six wrappers deleted at once, then back",
      "none pruned (prune-limit), none written",
    ]);
  });

  const uids = async () => uidsOf(await stateOf(rig.guest));

  test("the table of many pools", async () => {
    await expect(textTable(outcomes)).toMatchFileSnapshot("../watch-faults/outcomes-load.txt");
  });
});

function ofAnp({ auditLog }: ControlPlane): AuditedRequest[] {
  return auditedRequests(auditLog).filter(({ userAgent }) => userAgent === "anp");
}

/** Of NodePools that the API server did. */
function writes(on: ControlPlane, since: number): AuditedRequest[] {
  return ofAnp(on)
    .slice(since)
    .filter(
      ({ verb, resource, status }) => resource === "nodepools" && /^(patch|create|delete)$/.test(verb) && status < 300,
    );
}

function uidsOf(state: Awaited<ReturnType<typeof stateOf>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(state).map(([name, { uid }]) => [name, uid]));
}
