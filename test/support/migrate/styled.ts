/** Writes random values as YAML in a random style with comments, quotes and flow collections. */
import fc from "fast-check";
import { Document, isMap, isPair, isScalar, Scalar, visit } from "yaml";
import type { Fields } from "../../../src/krm/values/fields.ts";

export interface Style {
  readonly indent: 2 | 4;
  readonly indentSeq: boolean;
  readonly quotes: "plain" | "single" | "double";
  /** Each number selects an edit of one of the tree's nodes. */
  readonly choices: readonly number[];
  readonly marker: boolean;
}

export const style: fc.Arbitrary<Style> = fc.record({
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
  quotes: fc.constantFrom("plain", "single", "double"),
  choices: fc.array(fc.nat(19), { minLength: 1, maxLength: 40 }),
  marker: fc.boolean(),
});

export function styled(object: Fields, { indent, indentSeq, quotes, choices, marker }: Style, id: string): string {
  const document = new Document(object, { version: "1.2", compat: "yaml-1.1" } as object);
  let at = 0;
  const choice = (): number => choices[at++ % choices.length]!;
  visit(document, {
    Scalar: (key, node) => {
      if (key === "key" || typeof node.value !== "string" || node.value.includes("\n")) return;
      if (quotes !== "plain" && choice() < 10)
        node.type = quotes === "single" ? Scalar.QUOTE_SINGLE : Scalar.QUOTE_DOUBLE;
    },
    Pair: (_key, pair) => {
      const chosen = choice();
      if (!isPair(pair) || !isScalar(pair.key)) return;
      if (chosen === 0) pair.key.commentBefore = ` ${id}-above-${at}`;
      if (chosen === 1 && isScalar(pair.value) && typeof pair.value.value === "string" && pair.value.value !== "")
        pair.value.comment = ` ${id}-beside-${at}`;
      if (chosen === 2) pair.key.spaceBefore = true;
    },
    Collection: (key, node) => {
      if (key !== null && choice() === 3) {
        node.flow = true;
        // Single-line values have no comments.
        visit(node, {
          Node: (_key, inner) => void Object.assign(inner, { commentBefore: undefined, comment: undefined }),
        });
        return visit.SKIP;
      }
      if (isMap(node) && key === null) node.flow = false;
      return undefined;
    },
  });
  const text = document.toString({ indent, indentSeq, lineWidth: 0 });
  return `${marker ? "---\n" : ""}${text}`;
}
