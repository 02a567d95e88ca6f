/** Finds which field of an object a character of its text belongs to. */
import { isMap, isScalar, isSeq, type Node, parseDocument } from "yaml";
import type { EntryPart, FieldPath } from "../places/field-path.ts";
import { PARSE_OPTIONS } from "../yaml/yaml-options.ts";

export interface Spot {
  readonly offset: number;
  readonly path: FieldPath;
  readonly part: EntryPart;
}

/** Every field of an object with the place of its key and of its value, in the order of the text. */
export function spotsIn(text: string): Spot[] {
  const spots: Spot[] = [];
  const add = (node: Node | null, path: FieldPath): void => {
    if (isMap<Node, Node | null>(node))
      for (const { key, value } of node.items) {
        const inner = [...path, isScalar(key) ? String(key.value) : ""];
        spots.push({ offset: key.range?.[0] ?? 0, path: inner, part: "key" });
        if (isScalar(value)) spots.push({ offset: value.range?.[0] ?? 0, path: inner, part: "value" });
        add(value, inner);
      }
    if (isSeq<Node>(node))
      node.items.forEach((item, index) => {
        spots.push({ offset: item.range?.[0] ?? 0, path: [...path, index], part: "value" });
        add(item, [...path, index]);
      });
  };
  add(parseDocument(text, PARSE_OPTIONS).contents, []);
  return spots;
}

/** The last one at or before an offset; of several at one place the first, which is the entry of a list as a whole. */
export function spotAt(spots: readonly Spot[], offset: number): Pick<Spot, "path" | "part"> {
  const after = spots.findIndex((spot) => spot.offset > offset);
  const last = spots[(after === -1 ? spots.length : after) - 1];
  const same = spots.find((spot) => spot.offset === last?.offset);
  return same ?? { path: [], part: "value" };
}
