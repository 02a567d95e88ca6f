/** Compares which nodes Karpenter would disrupt next in random worlds with its own disruption controller. */
import { expect, test } from "vitest";
import { messagesIn } from "../../../src/analyze/explain/read-events.ts";
import { compareMoves } from "../../support/disruption-worlds/compare.ts";
import { seedOf } from "../../support/property/seed.ts";

/** `ANP_DISRUPTION_WORLDS=5000` for more of them. */
const WORLDS = Number(process.env["ANP_DISRUPTION_WORLDS"] ?? 300);

test("the next command of each method is that of Karpenter's controller, of the same candidates", async () => {
  const { differences, counts, said } = await compareMoves(WORLDS, seedOf("disruption", 20_261_127));
  console.log(`disruption: ${WORLDS} worlds, ${JSON.stringify(counts)}`);
  expect(differences).toStrictEqual([]);
  // Each kind occurs.
  const sum = (part: RegExp): number =>
    Object.entries(counts).reduce((all, [name, count]) => (part.test(name) ? all + count : all), 0);
  expect(sum(/^emptiness: delete/)).toBeGreaterThan(WORLDS / 10);
  expect(sum(/^drift: /)).toBeGreaterThan(WORLDS / 10);
  expect(sum(/^static-drift: replace/)).toBeGreaterThan(0);
  expect(sum(/^multi-node: (delete|replace)/)).toBeGreaterThan(WORLDS / 20);
  expect(sum(/^single-node: replace/)).toBeGreaterThan(0);
  expect(sum(/^single-node: delete/)).toBeGreaterThan(WORLDS / 10);
  // What Karpenter says of nodes and pools is known to `anp explain`.
  const unknown = [...said].filter((message) => messagesIn(message).messages.length === 0);
  expect(unknown).toStrictEqual([]);
}, 1_200_000);
