/** Proves on real API servers that clusters that hang keep none waiting that are well. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { until } from "../../support/controlplane/objects.ts";
import { gated } from "../../support/watch/gated.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { OPERATOR } from "../../support/watch/rig.ts";
import { runInProcess, specOf } from "../../support/watch/run-in-process.ts";

describeOnClusters("clusters that hang", (rig) => {
  test("four do not delay the fifth, with two passes at once", async () => {
    const { gate, kubeconfig } = await gated(rig, "guest", OPERATOR);
    gate.shut();
    const hanging = ["h1", "h2", "h3", "h4"];
    const specs = hanging.map((name) => specOf(rig, name, { guest: { kubeconfig } }));
    const { ended, fleet, state } = runInProcess([...specs, specOf(rig, "well")], { concurrency: 2 });
    const begin = performance.now();
    // They come first, and take both places until their requests run out of time.
    await until("the first pass of the one that is well", async () => state("well")?.lastEnd !== undefined, 70_000);
    const first = performance.now() - begin;
    // From now on they are suspects, who get half of the places.
    const before = state("well")?.passes.ok ?? 0;
    await sleep(20_000);
    const passes = (state("well")?.passes.ok ?? 0) - before;
    console.log(`first pass after ${(first / 1000).toFixed(1)} s, then ${passes} passes in 20 s at an interval of 1 s`);
    expect(passes).toBeGreaterThan(10);
    expect(hanging.map((name) => state(name)?.passes.ok)).toEqual([0, 0, 0, 0]);
    fleet.quit();
    await ended;
    gate.close();
  });
});
