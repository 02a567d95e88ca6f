/** Which nodes Karpenter's own disruption controller takes next, in five thousand random clusters, other ones each time. */
import { expect, test } from "vitest";
import { compareMoves } from "../../support/disruption-worlds/compare.ts";
import { casesOf, soakSeed } from "../../support/soak/size.ts";

/** The program keeps what it has read. */
const AT_ONCE = 500;

test("the next command of each method is that of Karpenter's controller", async () => {
  const worlds = casesOf(5000, 300);
  const seed = soakSeed("disruption");
  const counts: Record<string, number> = {};
  for (let done = 0; done < worlds; done += AT_ONCE) {
    const compared = await compareMoves(Math.min(AT_ONCE, worlds - done), seed + done);
    for (const [what, count] of Object.entries(compared.counts)) counts[what] = (counts[what] ?? 0) + count;
    expect(compared.differences).toStrictEqual([]);
  }
  console.log(`disruption, soak: ${worlds} worlds, ${JSON.stringify(counts)}`);
  for (const method of ["emptiness", "drift", "multi-node", "single-node"])
    expect(counts[`next: ${method}`], method).toBeGreaterThan(worlds / 50);
}, 7_200_000);
