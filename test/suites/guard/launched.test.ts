/** Tests that a real Karpenter launches for rendered and for guarded pools what anp predicts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BY_GUARD, BY_RENDERING, compareLaunches } from "../../support/guard/compare-launches.ts";
import { type LaunchRig, startLaunchRig } from "../../support/guard/launch-rig.ts";

describe("random pools under random policies", () => {
  let rig: LaunchRig;

  beforeAll(async () => {
    rig = await startLaunchRig();
  });

  afterAll(() => rig?.stop());

  // Before any guard is in the cluster.
  test("are launched as predicted once they are rendered, with labels within the policy", async () => {
    const { seen, apart } = await compareLaunches(rig, BY_RENDERING, { policies: 4, pools: 9, seed: 20_261_126 });
    console.log(`rendered NodePools of users on kwok: ${JSON.stringify(seen)}`);
    expect(apart).toEqual([]);
    expect(seen["launched"]).toBeGreaterThan(5);
    expect(seen["refused"]).toBeGreaterThan(2);
  });

  test("are stored by a guard and launched as predicted, with labels within the policy", async () => {
    const { seen, apart } = await compareLaunches(rig, BY_GUARD, { policies: 4, pools: 9, seed: 20_261_123 });
    console.log(`guarded pools on kwok: ${JSON.stringify(seen)}`);
    expect(apart).toEqual([]);
    expect(seen["launched"]).toBeGreaterThan(5);
  });
});
