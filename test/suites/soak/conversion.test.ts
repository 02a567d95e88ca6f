/** Conversions on 12,000 random objects, other ones each time: the seed is printed. */
import { describe, test } from "vitest";
import { expectConversions } from "../../support/oracle-v1beta1/expect-conversions.ts";
import { casesOf, soakSeed } from "../../support/soak/size.ts";

describe("the conversion between v1beta1 and v1", () => {
  test("is Karpenter's, and the way back is the identity where Karpenter's is", async () => {
    await expectConversions(casesOf(2000, 300), soakSeed("conversion against Karpenter"));
  }, 1_200_000);
});
