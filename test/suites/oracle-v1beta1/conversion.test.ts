/** Conversions on random objects of both versions: always the same ones. */
import { describe, test } from "vitest";
import { seedOf } from "../../support/property/seed.ts";
import { expectConversions } from "../../support/oracle-v1beta1/expect-conversions.ts";

describe("the conversion between v1beta1 and v1", () => {
  test("is Karpenter's, and the way back is the identity where Karpenter's is", async () => {
    await expectConversions(500, seedOf("conversion against Karpenter", 20_261_121));
  }, 600_000);
});
