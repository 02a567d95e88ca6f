/** The laws of rendering over four thousand random inputs, other ones each time: the seed is printed. */
import { expect, test } from "vitest";
import { checkRendering } from "../../support/property/render-properties.ts";
import { casesOf, soakSeed } from "../../support/soak/size.ts";

test("nothing is lost, invented, let through, told or decided by order", async () => {
  const seen = await checkRendering(casesOf(4000, 800), soakSeed("render properties"));
  console.log(`render properties, soak: ${JSON.stringify(seen)}`);
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(casesOf(100, 10));
}, 1_200_000);
