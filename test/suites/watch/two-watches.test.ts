/** Several watches of one hosted cluster: each object has one owner, and their reports do not trigger each other for ever. */
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Fleet } from "../../../src/cluster/fleet/fleet.ts";
import { setIdOf } from "../../../src/cluster/objects/membership.ts";
import { until } from "../../support/controlplane/objects.ts";
import { NAMESPACE } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, appliedObjects, pass, watched } from "../../support/watch/rig.ts";
import { runInProcess, specOf } from "../../support/watch/run-in-process.ts";

/** Longer than the debounce of a change. */
const FOLLOWED_MS = 2000;

const SET = "anp.hypershift.openshift.io/set";

describeOnClusters("several watches of one hosted cluster", (rig) => {
  const passesOf = (fleet: Fleet) => fleet.clusters().map(({ passes: { ok, held, failed } }) => ok + held + failed);

  /** Watches that trigger each other have twenty passes before the debounce slows them down. */
  const FEW = 20;

  async function untilTheyRest(fleet: Fleet): Promise<void> {
    const passes = () => passesOf(fleet);
    await until("all have looked", async () => passes().every((count) => count > 0));
    await until("they rest", async () => {
      const before = passes();
      await sleep(FOLLOWED_MS);
      return isDeepStrictEqual(passes(), before) && fleet.clusters().every(({ phase }) => phase === "waiting");
    });
    expect(Math.max(...passes())).toBeLessThan(FEW);
  }

  test("that report different statuses of its policy stop", async () => {
    await pass(watched(rig, { name: "owner" }));
    const { fleet, ended, state } = runInProcess([specOf(rig, "owner"), specOf(rig, "other")], {
      intervalMs: 3_600_000,
    });
    await untilTheyRest(fleet);
    expect(["owner", "other"].map((name) => state(name)?.last?.ready)).toMatchObject([
      { status: "True", reason: "Applied" },
      { status: "False", reason: "ForeignObject" },
    ]);
    fleet.quit();
    expect(await ended).toMatchObject({ result: "ok" });
  });

  /** The uids in the inventory of each watch, by the name of the watch. */
  async function inventories(): Promise<Map<string, string[]>> {
    const { body } = await rig.management.request(ADMIN, "GET", `/api/v1/namespaces/${NAMESPACE}/configmaps`);
    const found = (body.items ?? []).filter(({ metadata }) => metadata!.name!.startsWith("anp-inventory."));
    return new Map(
      found.map((part) => {
        const { data } = part as unknown as { data: { objects: string } };
        const entries = JSON.parse(data.objects) as { uid?: string }[];
        return [part.metadata!.name!.split(".")[2]!, entries.map(({ uid }) => uid ?? "not made")];
      }),
    );
  }

  test("that create the same objects at one moment: each belongs to one of them, and none is rewritten", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `c${index}`);
    const specs = names.map((name) => specOf(rig, name));
    const { fleet, ended, state } = runInProcess(specs, { intervalMs: 3_600_000, concurrency: names.length });
    await untilTheyRest(fleet);
    const objects = await appliedObjects(rig.guest);
    expect(objects).toHaveLength(10);
    const versions = objects.map(({ metadata }) => [metadata?.generation, metadata?.["resourceVersion"]]);
    const made = objects.map(({ metadata }) => metadata!.uid!);
    const owned = await inventories();
    expect([...owned.values()].flat().toSorted()).toEqual(made.toSorted());
    for (const name of names) {
      const { ready, counts } = state(name)!.last!;
      const own = owned.get(name)!;
      expect([name, counts]).toMatchObject([name, { inSync: own.length, created: 0, updated: 0, failed: 0 }]);
      expect([name, ready.reason]).toEqual([name, counts.foreign === 0 ? "Applied" : "ForeignObject"]);
      const marked = objects.filter(({ metadata }) => metadata?.labels?.[SET] === setIdOf(NAMESPACE, name));
      expect([name, marked.map(({ metadata }) => metadata!.uid!).toSorted()]).toEqual([name, own.toSorted()]);
    }
    expect(names.filter((name) => state(name)!.last!.counts.foreign === 0).length).toBeLessThanOrEqual(1);
    await sleep(FOLLOWED_MS);
    const after = await appliedObjects(rig.guest);
    expect(after.map(({ metadata }) => [metadata?.generation, metadata?.["resourceVersion"]])).toEqual(versions);
    fleet.quit();
    expect(await ended).toMatchObject({ result: "ok" });
  });
});
