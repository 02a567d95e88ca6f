/** What a real Karpenter launches for 540 random pools under 60 random guards is what anp foretells. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BY_GUARD, compareLaunches } from "../../support/guard/compare-launches.ts";
import { type LaunchRig, startLaunchRig } from "../../support/guard/launch-rig.ts";
import { soakSeed } from "../../support/soak/size.ts";

describe("random pools under random guards", () => {
  let rig: LaunchRig;

  beforeAll(async () => {
    rig = await startLaunchRig();
  });

  afterAll(() => rig?.stop());

  test("are stored and launched as foretold, with labels within the policy", { timeout: 3_600_000 }, async () => {
    const seed = soakSeed("guarded pools on kwok");
    const { seen, apart } = await compareLaunches(rig, BY_GUARD, { policies: 60, pools: 9, seed });
    console.log(`guarded pools on kwok: ${JSON.stringify(seen)}`);
    expect(apart).toEqual([]);
    expect(seen["launched"]).toBeGreaterThan(100);
  });
});
