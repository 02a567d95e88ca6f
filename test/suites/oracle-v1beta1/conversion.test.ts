/** Compares conversions of random objects of both versions with Karpenter's, with a fixed seed. */
import { describe, test } from "vitest";
import { seedOf } from "../../support/property/seed.ts";
import { expectConversions } from "../../support/oracle-v1beta1/expect-conversions.ts";

describe("the conversion between v1beta1 and v1", () => {
  test("equals Karpenter's, and the round trip is the identity if Karpenter's is", async () => {
    await expectConversions(500, seedOf("conversion against Karpenter", 20_261_121));
  }, 600_000);
});
