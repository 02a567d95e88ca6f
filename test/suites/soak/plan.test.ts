/** Plans of random worlds as Karpenter's own provisioner makes them, on ten thousand worlds, other ones each time. */
import { expect, test } from "vitest";
import { compareWorlds } from "../../support/plan-worlds/compare-worlds.ts";
import { casesOf, soakSeed } from "../../support/soak/size.ts";

test("plans are those of Karpenter's scheduler", async () => {
  const worlds = casesOf(10_000, 300);
  const { differences, counts, ...sums } = await compareWorlds(worlds, soakSeed("plan"));
  console.log(`plan, soak: ${JSON.stringify(sums)}, worlds by feature ${JSON.stringify(counts)}`);
  expect(differences).toStrictEqual([]);
  expect(sums.beyond).toBeLessThan(sums.several / 5);
  for (const [feature, count] of Object.entries(counts)) expect(count, feature).toBeGreaterThan(worlds / 100);
}, 7_200_000);
