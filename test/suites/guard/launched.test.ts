/** Tests that a real Karpenter launches for guarded pools what anp predicts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareLaunches } from "../../support/guard/compare-launches.ts";
import { type LaunchRig, startLaunchRig } from "../../support/guard/launch-rig.ts";

describe("random pools under random guards", () => {
  let rig: LaunchRig;

  beforeAll(async () => {
    rig = await startLaunchRig();
  });

  afterAll(() => rig?.stop());

  test("are stored and launched as predicted, with labels within the policy", async () => {
    const { seen, apart } = await compareLaunches(rig, { policies: 4, pools: 9, seed: 20_261_123 });
    console.log(`guarded pools on kwok: ${JSON.stringify(seen)}`);
    expect(apart).toEqual([]);
    expect(seen["launched"]).toBeGreaterThan(5);
  });
});
