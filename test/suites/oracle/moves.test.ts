/** Compares all moves in random worlds with what Karpenter's own disruption controller would do after each of them. */
import { expect, test } from "vitest";
import { compareSequences } from "../../support/disruption-worlds/sequences.ts";
import { seedOf } from "../../support/property/seed.ts";

/** `ANP_MOVES_WORLDS=1000` for more of them. */
const WORLDS = Number(process.env["ANP_MOVES_WORLDS"] ?? 60);

test("each next move is that of Karpenter's controller, until neither finds another", async () => {
  const { differences, counts } = await compareSequences(WORLDS, seedOf("moves", 20_261_127));
  console.log(`moves: ${WORLDS} worlds, ${JSON.stringify(counts)}`);
  expect(differences).toStrictEqual([]);
  // Some worlds have several moves, of each kind.
  expect(counts["3 moves"]).toBeGreaterThan(0);
  for (const method of ["emptiness", "drift", "multi-node", "single-node"]) expect(counts[method]).toBeGreaterThan(0);
}, 1_200_000);
