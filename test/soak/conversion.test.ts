/** Conversions on 12,000 random objects, other ones each time: the seed is printed. */
import { describe, test } from "vitest";
import { goMissing } from "../go/toolchain.ts";
import { expectConversions } from "../oracle-v1beta1/expect-conversions.ts";
import { seedOf } from "../property/seed.ts";

const missing = await goMissing("comparisons with Karpenter's conversion");

describe.skipIf(missing !== undefined)("the conversion between v1beta1 and v1", () => {
  test("is Karpenter's, and the way back is the identity where Karpenter's is", async () => {
    await expectConversions(2_000, seedOf("conversion against Karpenter, soak", Date.now() % 2 ** 31));
  }, 1_200_000);
});
