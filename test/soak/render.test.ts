/** The laws of rendering over four thousand random inputs, other ones each time: the seed is printed. */
import { expect, test } from "vitest";
import { checkRendering } from "../property/render-properties.ts";
import { seedOf } from "../property/seed.ts";

test("nothing is lost, invented, let through, told or decided by order", async () => {
  const seen = await checkRendering(4000, seedOf("render properties, soak", Date.now() % 2 ** 31));
  console.log(`render properties, soak: ${JSON.stringify(seen)}`);
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(100);
}, 1_200_000);
