/** Finds the offset of a field in the text of its object. */
import { isMap, isPair, isSeq, type Node, type Pair, parseDocument, type YAMLMap } from "yaml";
import type { Outline } from "../yaml/outline.ts";
import { readPlainStyle } from "../yaml/plain-style.ts";
import { PARSE_OPTIONS } from "../yaml/yaml-options.ts";
import type { EntryPart, FieldPath } from "./field-path.ts";
import { outlineLocator } from "./locate-in-outline.ts";
import { type Resource, type SourceDocument, writtenPath } from "./resource.ts";

type Locator = (path: FieldPath, part: EntryPart) => number;

// Locators are large; the last few are enough, because findings come in the order of the input.
const KEPT = 4;
const kept: { document: SourceDocument; locator: Locator }[] = [];

/**
 * The offset of the field at `path` of `resource` in its source's text. A field that is not written down gives its
 * nearest parent that is. List items are located at their first character, entries with a mapping or list at their key,
 * and entries with a scalar at the scalar, or at the key when `part` says so. Outside the plain style this parses the
 * document once more, so it is only done when a finding or a provenance needs it.
 */
export function locateField(
  { document, base, unknown }: Pick<Resource, "document" | "base" | "unknown">,
  path: FieldPath,
  part: EntryPart = "value",
): number {
  return document.start + locatorOf(document)([...base, ...writtenPath({ unknown }, path)], part);
}

function locatorOf(document: SourceDocument): Locator {
  const known = kept.findIndex((one) => one.document === document);
  // A long document that is used again and again stays cached, however many short ones are used in between.
  const [one] = known === -1 ? [{ document, locator: locatorIn(document) }] : kept.splice(known, 1);
  kept.unshift(one!);
  kept.length = Math.min(kept.length, KEPT);
  return one!.locator;
}

/** The library's tree takes longer to build, and knows every style. */
function locatorIn({ source, start, end, outline }: SourceDocument): Locator {
  const text = source.text.slice(start, end);
  const plain = outlineLocator(text, outline ?? outlineOf(text));
  let tree: Locator | undefined;
  return (path, part) => plain?.(path, part) ?? (tree ??= treeLocator(text))(path, part);
}

/**
 * The outline of a document that the library has read, for example because another document of its file has another
 * style; empty if this one is not in plain style either.
 */
function outlineOf(text: string): Outline {
  const [document, ...others] = readPlainStyle(text) ?? [];
  return others.length > 0 ? [] : (document?.outline ?? []);
}

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
