/** `anp migrate --compat` as Karpenter 1.0.8's own conversion does it, on random objects of both versions: always the same ones. */
import { describe, expect, test } from "vitest";
import { goMissing } from "../go/toolchain.ts";
import { seedOf } from "../property/seed.ts";
import { compareConversions } from "./compare-conversions.ts";

const missing = await goMissing("comparisons with Karpenter's conversion");

describe.skipIf(missing !== undefined)("the conversion between v1beta1 and v1", () => {
  test("is Karpenter's, and the way back is the identity where Karpenter's is", async () => {
    const { tallies, examples } = await compareConversions(2_000, seedOf("conversion against Karpenter", 20_261_121));
    for (const { direction, ...counts } of tallies) {
      const words = Object.entries(counts).map(([name, number]) => `${number} ${name}`);
      console.log(`conversion against Karpenter: ${direction}: ${words.join(", ")}`);
    }
    expect(examples).toStrictEqual([]);
    expect(tallies.map(({ direction, differences, lostByUs }) => [direction, differences, lostByUs])).toStrictEqual([
      ["NodePool v1beta1 → v1", 0, 0],
      ["NodePool v1 → v1beta1", 0, 0],
      ["NodeClaim v1beta1 → v1", 0, 0],
      ["NodeClaim v1 → v1beta1", 0, 0],
      ["EC2NodeClass v1beta1 → v1", 0, 0],
      ["EC2NodeClass v1 → v1beta1", 0, 0],
    ]);
    // A comparison of nothing would pass as well.
    for (const { direction, identical, refused } of tallies) {
      if (direction.endsWith("→ v1")) expect(identical, direction).toBeGreaterThan(500);
      if (/^Node.*→ v1beta1$/.test(direction)) expect(refused, direction).toBeGreaterThan(100);
    }
  }, 600_000);
});
