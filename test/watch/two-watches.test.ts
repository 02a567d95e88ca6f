/** Two watches of one hosted cluster, which the set keeps apart: what one tells in a status must not keep the other busy. */
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { until } from "../controlplane/objects.ts";
import { describeOnClusters } from "./on-clusters.ts";
import { pass, watched } from "./rig.ts";
import { runInProcess, specOf } from "./run-in-process.ts";

/** Longer than a change that was heard of is waited out. */
const FOLLOWED_MS = 2000;

describeOnClusters("two watches of one hosted cluster", (rig) => {
  test("that tell different things of its policy come to rest", async () => {
    await pass(watched(rig, { name: "owner" }));
    const { fleet, ended, state } = runInProcess([specOf(rig, "owner"), specOf(rig, "other")], {
      intervalMs: 3_600_000,
    });
    const passes = () => fleet.clusters().map(({ passes: { ok, held, failed } }) => ok + held + failed);
    await until("both have looked", async () => passes().every((count) => count > 0));
    await until("they rest", async () => {
      const before = passes();
      await sleep(FOLLOWED_MS);
      return isDeepStrictEqual(passes(), before);
    });
    // Who is rung for by the other makes twenty before pauses come that look like rest.
    expect(Math.max(...passes())).toBeLessThan(10);
    expect(["owner", "other"].map((name) => state(name)?.last?.ready)).toMatchObject([
      { status: "True", reason: "Applied" },
      { status: "False", reason: "ForeignObject" },
    ]);
    fleet.quit();
    expect(await ended).toMatchObject({ result: "ok" });
  });
});
