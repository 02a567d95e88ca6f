/** The places of items and results in a ResourceList, by its tree or, in plain style, by lines. */
import { type Document, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { eachItem, type ItemSection, lineEnd, lineStart, type Section } from "../yaml/item-sections.ts";

export interface ResourceListLayout {
  /** From the key to the end of the items; undefined if the list has no such field. */
  readonly items: Section | undefined;
  readonly each: readonly ItemSection[];
  /** The items' trees; undefined if the text is in plain style, which has no aliases. */
  readonly nodes: readonly (Node | null)[] | undefined;
  /** The space before the dashes. */
  readonly indent: string;
  readonly results: (Section & { readonly node?: Node | null }) | undefined;
  /** Where another field can be written. */
  readonly end: number;
}

/** Undefined if the list cannot be divided by lines, as in JSON. */
export function layoutOf(text: string, document: Document.Parsed): ResourceListLayout | undefined {
  const root = document.contents as Node | null;
  if (!isMap(root) || root.flow === true) return undefined;
  const end = contentEnd(text, document);
  const fields = fieldsOf(text, root, end);
  if (fields === undefined) return undefined;
  const results = fields.get("results");
  const items = fields.get("items");
  if (items === undefined) return { items: undefined, each: [], nodes: [], indent: "", results, end };
  const list = items.node;
  if (!isSeq(list) || list.items.length === 0) {
    const after = lineEnd(text, list?.range?.[1] ?? items.start);
    const section = { start: items.start, end: Math.min(after, items.end) };
    return { items: section, each: [], nodes: [], indent: "", results, end };
  }
  const each = sectionsOf(text, list, items.end);
  if (each === undefined) return undefined;
  const indent = text.slice(each[0]!.dash, list.range![0]);
  const nodes = list.items as (Node | null)[];
  return { items: { start: items.start, end: each.at(-1)!.end }, each, nodes, indent, results, end };
}

/** The end of the document's text: before an end marker, if there is one, and after the break of its last line. */
function contentEnd(text: string, { range: [, end, documentEnd] }: Document.Parsed): number {
  const marker = /^\.\.\./m.exec(text.slice(end, documentEnd));
  if (marker !== null) return end + marker.index;
  return lineStart(text, documentEnd) === documentEnd ? documentEnd : lineEnd(text, documentEnd);
}

/** The top-level fields by name, each from its key's line to the next one's; undefined if two share a line. */
function fieldsOf(text: string, root: YAMLMap, end: number): Map<string, Section & { node: Node | null }> | undefined {
  const pairs = root.items as Pair<Node, Node | null>[];
  const starts = pairs.map(({ key }) => lineStart(text, key.range![0]));
  if (starts.some((start, index) => text.slice(start, pairs[index]!.key.range![0]).trim() !== "")) return undefined;
  return new Map(
    pairs.map(({ key, value }, index) => {
      const name = isScalar(key) ? String(key.value) : "";
      return [name, { start: starts[index]!, end: starts[index + 1] ?? end, node: value }];
    }),
  );
}

/** Undefined if the dashes are not below each other in lines of their own. */
function sectionsOf(text: string, list: YAMLSeq, limit: number): ItemSection[] | undefined {
  const [first] = list.range!;
  const start = lineStart(text, first);
  const indent = text.slice(start, first);
  if (list.flow === true || text[first] !== "-" || indent.trim() !== "") return undefined;
  const each = eachItem(text, { start, end: limit }, indent);
  const nodes = list.items as (Node | null)[];
  const fits = each.every(({ dash, end }, index) => {
    const range = nodes[index]?.range;
    return range && dash < range[0] && range[1] <= end;
  });
  return fits && each.length === nodes.length ? each : undefined;
}

/**
 * In this style only mappings and lists span several lines, so lines give the place of everything. Undefined if they do
 * not; then the tree is needed.
 * @param text one document that readPlainStyle reads
 */
export function plainLayoutOf(text: string, value: Readonly<Record<string, unknown>>): ResourceListLayout | undefined {
  const fields = fieldLines(text);
  if (fields.size !== Object.keys(value).length) return undefined;
  const end = text.length;
  const results = fields.get("results");
  const items = fields.get("items");
  if (items === undefined) return { items: undefined, each: [], nodes: undefined, indent: "", results, end };
  const given = value["items"];
  if (!Array.isArray(given) || given.length === 0) {
    const section = { start: items.start, end: lineEnd(text, items.start) };
    return { items: section, each: [], nodes: undefined, indent: "", results, end };
  }
  const first = firstDash(text, items);
  if (first === undefined) return undefined;
  const each = eachItem(text, { start: first.line, end: items.end }, first.indent);
  if (each.length !== given.length) return undefined;
  const section = { start: items.start, end: each.at(-1)!.end };
  return { items: section, each, nodes: undefined, indent: first.indent, results, end };
}

/** The top-level fields by name, each from its key's line to the next one's. */
function fieldLines(text: string): Map<string, Section> {
  const found = [...text.matchAll(/^(?:"([^"\n]*)"|'([^'\n]*)'|([A-Za-z_][\w./-]*)):/gm)];
  return new Map(
    found.map(({ 1: double, 2: single, 3: plain, index }, at) => [
      double ?? single ?? plain ?? "",
      { start: index, end: found[at + 1]?.index ?? text.length },
    ]),
  );
}

/** The line after the key that begins the list; undefined if the list begins in the key's own line. */
function firstDash(text: string, { start, end }: Section): { line: number; indent: string } | undefined {
  for (let line = lineEnd(text, start); line < end; line = lineEnd(text, line)) {
    const rest = text.slice(line, lineEnd(text, line)).trimEnd();
    const [, indent] = /^( *)-(?: |$)/.exec(rest) ?? [];
    if (indent !== undefined) return { line, indent };
    if (rest.trim() !== "" && !rest.trim().startsWith("#")) return undefined;
  }
  return undefined;
}
