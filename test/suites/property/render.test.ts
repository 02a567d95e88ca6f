/** Tests the laws of rendering on six hundred random inputs with a fixed seed. */
import { expect, test } from "vitest";
import { checkRendering } from "../../support/property/render-properties.ts";
import { seedOf } from "../../support/property/seed.ts";

test("nothing is lost, invented, bypassed, leaked or decided by order", async () => {
  const seen = await checkRendering(600, seedOf("render properties", 20_261_120));
  console.log(`render properties: ${JSON.stringify(seen)}`);
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(2);
}, 300_000);
