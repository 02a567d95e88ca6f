/** The lines of one field with the comment above it, without their indentation. */
import { isMap, isSeq, type Node, parseDocument } from "yaml";
import { type BlockPair, linesOfPair, pairNamed, withoutIndent } from "./block-lines.ts";
import type { FieldPath } from "./field-path.ts";
import { PARSE_OPTIONS } from "./yaml-options.ts";

/** Undefined if the field has no lines of its own, or if they would mean nothing in another document. */
export function fieldLines(text: string, path: FieldPath): readonly string[] | undefined {
  let node = parseDocument(text, PARSE_OPTIONS).contents as Node | null;
  for (const [depth, segment] of path.entries()) {
    if (isSeq(node)) node = node.items[Number(segment)] as Node | null;
    else if (isMap(node) && node.flow !== true) {
      const pair = pairNamed(node.items, String(segment));
      if (pair === undefined) return undefined;
      if (depth === path.length - 1) return ownLines(text, node.items as unknown as BlockPair[], pair);
      node = pair.value;
    } else return undefined;
  }
  return undefined;
}

function ownLines(text: string, pairs: readonly BlockPair[], pair: BlockPair): readonly string[] | undefined {
  const own = linesOfPair(text, pairs, pair);
  // Anchors and aliases do not work in another document.
  return own === undefined || /[&*]/.test(text.slice(own.start, own.end)) ? undefined : withoutIndent(text, own, pair);
}
