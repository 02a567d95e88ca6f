/** Compares the algebra of `anp guard` in the API server's CEL with Karpenter v1.14.1 and with anp, on fixed pools. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import { compareAlgebra } from "../../support/guard/compare-algebra.ts";
import { startCluster } from "../../support/guard/guarded-cluster.ts";

const SEED = 20_261_123;

describe("the API server refuses", () => {
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startCluster();
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  test.each([
    ["words and small numbers", false],
    ["numbers at the ends of integers", true],
  ])("exactly the pools for which Karpenter launches nodes outside the policy: %s", async (_what, hard) => {
    const { seen, ...found } = await compareAlgebra(controlPlane, { policies: 30, pools: 50, seed: SEED, hard });
    console.log(`the guard's algebra against Karpenter: ${JSON.stringify(seen)}`);
    expect(found).toStrictEqual({ apart: [], letPass: [], notNeeded: [] });
    expect(seen["stored"]).toBeGreaterThan(300);
    expect(seen["refused"]).toBeGreaterThan(300);
    expect(seen["refused as static alone"]).toBeGreaterThan(0);
  });
});
