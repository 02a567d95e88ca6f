/** Compares `anp migrate --compat` with Karpenter 1.0.8's own conversion on random objects of each kind and version. */
import { expect } from "vitest";
import { compareConversions } from "./compare-conversions.ts";

export async function expectConversions(cases: number, seed: number): Promise<void> {
  const { tallies, examples } = await compareConversions(cases, seed);
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
  // A comparison without cases would also pass.
  for (const { direction, identical, refused } of tallies) {
    if (direction.endsWith("→ v1")) expect(identical, direction).toBeGreaterThan(cases / 4);
    if (/^Node.*→ v1beta1$/.test(direction)) expect(refused, direction).toBeGreaterThan(cases / 20);
  }
}
