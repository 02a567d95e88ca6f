/** Where the parts of a ResourceList stand in its text: the tree in, the offsets of items and results out. */
import { type Document, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";

interface Section {
  readonly start: number;
  readonly end: number;
}

/** An item with the comments above it. */
export interface ItemSection extends Section {
  /** The line of its dash. */
  readonly dash: number;
  readonly node: Node | null;
}

export interface ResourceListLayout {
  /** From the key to where items end; undefined where the list has no such field. */
  readonly items: Section | undefined;
  readonly each: readonly ItemSection[];
  /** The space before the dashes. */
  readonly indent: string;
  readonly results: (Section & { readonly node: Node | null }) | undefined;
  /** Where another field can be written. */
  readonly end: number;
}

/** Undefined where the list cannot be taken apart by lines, as in JSON. */
export function layoutOf(text: string, document: Document.Parsed): ResourceListLayout | undefined {
  const root = document.contents as Node | null;
  if (!isMap(root) || root.flow === true) return undefined;
  const end = contentEnd(text, document);
  const fields = fieldsOf(text, root, end);
  if (fields === undefined) return undefined;
  const results = fields.get("results");
  const items = fields.get("items");
  if (items === undefined) return { items: undefined, each: [], indent: "", results, end };
  const list = items.node;
  if (!isSeq(list) || list.items.length === 0) {
    const after = lineEnd(text, list?.range?.[1] ?? items.start);
    return { items: { start: items.start, end: Math.min(after, items.end) }, each: [], indent: "", results, end };
  }
  const each = eachItem(text, list, items.end);
  if (each === undefined) return undefined;
  const indent = text.slice(each[0]!.dash, list.range![0]);
  return { items: { start: items.start, end: each.at(-1)!.end }, each, indent, results, end };
}

/** Where the document's text ends: before an end marker, where there is one, and behind the break of its last line. */
function contentEnd(text: string, { range: [, end, documentEnd] }: Document.Parsed): number {
  const marker = /^\.\.\./m.exec(text.slice(end, documentEnd));
  if (marker !== null) return end + marker.index;
  return lineStart(text, documentEnd) === documentEnd ? documentEnd : lineEnd(text, documentEnd);
}

/** The top-level fields by name, each from its key's line to the next one's; undefined where two share a line. */
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

/** Undefined where the dashes do not stand below each other in lines of their own. */
function eachItem(text: string, list: YAMLSeq, limit: number): ItemSection[] | undefined {
  const [first] = list.range!;
  const start = lineStart(text, first);
  const indent = text.slice(start, first);
  if (list.flow === true || text[first] !== "-" || indent.trim() !== "") return undefined;
  // No line of a value begins as far to the left as its item's dash.
  const dashes: number[] = [];
  const boundaries: number[] = [];
  let comment: number | undefined;
  for (let line = start; line < limit; line = lineEnd(text, line)) {
    const rest = text.slice(line, lineEnd(text, line));
    if (rest.startsWith(indent) && /^-(?:\s|$)/.test(rest.slice(indent.length))) {
      dashes.push(line);
      boundaries.push(comment ?? line);
      comment = undefined;
    } else if (isCommentUpTo(rest, indent.length)) comment ??= line;
    else if (rest.trim() !== "") comment = undefined;
  }
  const nodes = list.items as (Node | null)[];
  const ends = [...boundaries.slice(1), comment ?? limit];
  const each = dashes.map((dash, index) => {
    const from = index === 0 ? dash : boundaries[index]!;
    return { start: from, dash, end: ends[index]!, node: nodes[index] ?? null };
  });
  const fits = each.every(({ dash, end, node }) => node?.range && dash < node.range[0] && node.range[1] <= end);
  return fits && each.length === nodes.length ? each : undefined;
}

/** A comment that no block scalar can hold: its text would stand further to the right. */
function isCommentUpTo(line: string, column: number): boolean {
  const at = line.search(/\S/);
  return at !== -1 && at <= column && line[at] === "#";
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Behind the line's break. */
function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at === -1 ? text.length : at + 1;
}
