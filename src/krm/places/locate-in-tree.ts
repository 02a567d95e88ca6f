/** Finds fields in a document of any style, in the library's tree. */
import { isMap, isPair, isSeq, type Node, type Pair, parseDocument, type YAMLMap } from "yaml";
import type { EntryPart, FieldPath } from "./field-path.ts";
import { PARSE_OPTIONS } from "../yaml/yaml-options.ts";

type Pairs = ReadonlyMap<string, Pair>;

export function treeLocator(text: string): (path: FieldPath, part: EntryPart) => number {
  const contents = parseDocument(text, PARSE_OPTIONS).contents as Node | null;
  const known = new Map<YAMLMap, Pairs>();
  // Kept: a mapping can be long, and callers ask for each of its entries.
  const pairsOf = (map: YAMLMap): Pairs => {
    let pairs = known.get(map);
    if (pairs === undefined) known.set(map, (pairs = pairsByName(map)));
    return pairs;
  };
  return (path, part) => {
    let node: Node | null | undefined = contents;
    let offset = node?.range?.[0] ?? 0;
    for (const segment of path) {
      const next: Child | undefined = isMap(node)
        ? entry(pairsOf(node).get(String(segment)), part)
        : item(node, segment);
      if (next === undefined) break;
      node = next.node;
      offset = next.offset;
    }
    return offset;
  };
}

interface Child {
  readonly node: Node | null;
  readonly offset: number;
}

function item(node: Node | null | undefined, segment: string | number): Child | undefined {
  const found = isSeq(node) ? (node.items[Number(segment)] as Node | undefined) : undefined;
  return found?.range ? { node: found, offset: found.range[0] } : undefined;
}

function entry(pair: Pair | undefined, part: EntryPart): Child | undefined {
  if (pair === undefined) return undefined;
  const key = pair.key as Node;
  const value = pair.value as Node | null;
  const scalar = part === "value" && value?.range && !isMap(value) && !isSeq(value) && value.range[1] > value.range[0];
  return { node: value, offset: (scalar ? value.range?.[0] : key.range?.[0]) ?? 0 };
}

/** The first one of two with one name. */
function pairsByName(map: YAMLMap): Pairs {
  const pairs = new Map<string, Pair>();
  for (const pair of map.items) {
    const name = String((pair.key as { value?: unknown } | null)?.value);
    if (isPair(pair) && !pairs.has(name)) pairs.set(name, pair);
  }
  return pairs;
}
