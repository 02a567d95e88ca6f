/** Where fields stand in a document of any style, found in the library's tree. */
import { isMap, isPair, isSeq, type Node, parseDocument } from "yaml";
import type { FieldPath } from "./field-path.ts";
import type { Part } from "./locate.ts";
import { PARSE_OPTIONS } from "./yaml-options.ts";

export function treeLocator(text: string): (path: FieldPath, part: Part) => number {
  const contents = parseDocument(text, PARSE_OPTIONS).contents as Node | null;
  return (path, part) => {
    let node: Node | null | undefined = contents;
    let offset = node?.range?.[0] ?? 0;
    for (const segment of path) {
      const next = child(node, segment, part);
      if (next === undefined) break;
      node = next.node;
      offset = next.offset;
    }
    return offset;
  };
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
