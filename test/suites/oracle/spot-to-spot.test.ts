/** Compares when Karpenter replaces Spot nodes with a cheaper Spot node, and what it says if not, with its own code. */
import { expect, test } from "vitest";
import { messagesIn } from "../../../src/analyze/explain/read-events.ts";
import { CHEAPER_SPOT_TYPES } from "../../../src/model/settings/karpenter-options.ts";
import { askProgram } from "../../support/go/ask-program.ts";

interface Answer {
  readonly sums: { readonly candidates: number; readonly replaced: number; readonly types: number };
  /** Null if nothing was said. */
  readonly said: readonly string[] | null;
}

const QUESTIONS = [false, true].flatMap((on) =>
  [1, 2, 3].flatMap((nodes) =>
    [0, 1, 5, CHEAPER_SPOT_TYPES - 1, CHEAPER_SPOT_TYPES, CHEAPER_SPOT_TYPES + 1, 40].flatMap((cheaper) =>
      [undefined, 2, 20].flatMap((minValues) =>
        [0, 30].map((dearer) => ({ op: "spotToSpot", on, nodes, cheaper, dearer, minValues })),
      ),
    ),
  ),
);

type Question = (typeof QUESTIONS)[number];

/** What `anp simulate` and docs/upstream/karpenter.md#spot-to-spot say. */
function expected({ on, nodes, cheaper, dearer, minValues = 0 }: Question) {
  const isLaunched = 1 + cheaper + dearer >= minValues;
  const isAlone = nodes === 1;
  const isReplaced = isLaunched && on && cheaper >= Math.max(minValues, isAlone ? CHEAPER_SPOT_TYPES : 1);
  const asked = isAlone ? Math.min(cheaper, Math.max(CHEAPER_SPOT_TYPES, minValues)) : cheaper;
  return { candidates: nodes, replaced: isReplaced ? nodes : 0, types: isReplaced ? asked : 0 };
}

test("Spot nodes are replaced with a cheaper Spot node when simulate and explain say so", async () => {
  const answers = await askProgram<Answer>("oracle-scheduler", QUESTIONS);
  const theirs = answers.map(({ sums }, at) => ({ ...QUESTIONS[at]!, ...sums }));
  expect(theirs).toStrictEqual(QUESTIONS.map((question) => ({ ...question, ...expected(question) })));
  const meanings = answers.map(({ said }) =>
    (said ?? []).flatMap((one) => messagesIn(one).messages.map(({ id }) => id)),
  );
  const counts = Object.fromEntries(
    [...Map.groupBy(meanings.flat(), (id) => id)].map(([id, all]) => [id, all.length] as const),
  );
  console.log(`Spot to Spot: ${QUESTIONS.length} questions, messages ${JSON.stringify(counts)}`);
  for (const [at, { on, nodes, cheaper, minValues = 0 }] of QUESTIONS.entries()) {
    const isFew = on && nodes === 1 && cheaper >= Math.max(minValues, 1) && cheaper < CHEAPER_SPOT_TYPES;
    expect(meanings[at]!.includes("spot-to-spot-few-types"), JSON.stringify(QUESTIONS[at])).toBe(isFew);
    if (on) expect(meanings[at]).not.toContain("spot-to-spot-off");
  }
});
