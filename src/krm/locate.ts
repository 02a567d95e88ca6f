/** The offset of a field: parses the object's document once more, only when a finding or a provenance asks for it. */
import { isMap, isPair, isSeq, type Node, parseDocument } from "yaml";
import type { FieldPath } from "./field-path.ts";
import type { Resource, SourceDocument } from "./resource.ts";
import { PARSE_OPTIONS } from "./yaml-options.ts";

// The tree of one document is large; the last few are enough, because findings come in the order of the input.
const KEPT = 4;
const trees: { document: SourceDocument; contents: Node | null }[] = [];

/** The part of a mapping's entry that a place means: what the user has to change. */
export type Part = "key" | "value";

/**
 * The offset of the field at `path` of `resource` in its source's text. A field that is not written down gives its
 * nearest parent that is. List items are located at their first character, entries with a mapping or list at their
 * key, and entries with a scalar at the scalar, or at the key when `part` says so.
 */
export function locateField(
  { document, base }: Pick<Resource, "document" | "base">,
  path: FieldPath,
  part: Part = "value",
): number {
  let node: Node | null | undefined = treeOf(document);
  let offset = node?.range?.[0] ?? 0;
  for (const segment of [...base, ...path]) {
    const next = child(node, segment, part);
    if (next === undefined) break;
    node = next.node;
    offset = next.offset;
  }
  return document.start + offset;
}

function child(
  node: Node | null | undefined,
  segment: string | number,
  part: Part,
): { node: Node | null; offset: number } | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(segment)] as Node | undefined;
    return item?.range ? { node: item, offset: item.range[0] } : undefined;
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(
    (item) => isPair(item) && String((item.key as { value?: unknown } | null)?.value) === String(segment),
  );
  if (pair === undefined) return undefined;
  const key = pair.key as Node;
  const value = pair.value as Node | null;
  const scalar = part === "value" && value?.range && !isMap(value) && !isSeq(value) && value.range[1] > value.range[0];
  return { node: value, offset: (scalar ? value.range?.[0] : key.range?.[0]) ?? 0 };
}

function treeOf(document: SourceDocument): Node | null {
  const kept = trees.find((tree) => tree.document === document);
  if (kept !== undefined) return kept.contents;
  const text = document.source.text.slice(document.start, document.end);
  const contents = parseDocument(text, PARSE_OPTIONS).contents as Node | null;
  trees.unshift({ document, contents });
  trees.length = Math.min(trees.length, KEPT);
  return contents;
}
