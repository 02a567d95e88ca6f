/** Finds the lines of a YAML text that belong to one entry of a block mapping. */
import { isCollection, isPair, isScalar, type Node, type Pair, type Scalar } from "yaml";
import { lineStart } from "./item-sections.ts";

export type BlockPair = Pair<Node, Node | null>;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The entry's lines, with the comment lines directly above it; undefined if it shares a line with something else. */
export function linesOfPair(text: string, pairs: readonly BlockPair[], pair: BlockPair): Span | undefined {
  const previous = pairs[pairs.indexOf(pair) - 1];
  const from = previous === undefined ? 0 : endOfPair(text, previous);
  const line = lineStart(text, pair.key.range![0]);
  if (text.slice(line, pair.key.range![0]).trim() !== "") return undefined;
  let start = line;
  while (start > from) {
    const above = lineStart(text, start - 1);
    if (above < from || !/^[ \t]*#/.test(text.slice(above, start))) break;
    start = above;
  }
  return { start, end: endOfPair(text, pair) };
}

/** The lines of a span without the indentation of its key. */
export function withoutIndent(text: string, { start, end }: Span, pair: BlockPair): readonly string[] {
  const column = columnOf(text, pair);
  const lines = text.slice(start, end).replace(/\r?\n$/, "");
  return lines
    .split(/\r?\n/)
    .map((line) => (line.slice(0, column).trim() === "" ? line.slice(column) : line.trimStart()));
}

export function columnOf(text: string, { key }: BlockPair): number {
  return key.range![0] - lineStart(text, key.range![0]);
}

/** The offset after the line break of the entry's last line. */
export function endOfPair(text: string, pair: BlockPair): number {
  return endOfLine(text, Math.max(contentEnd(pair), 1) - 1);
}

/** The offset after the line break of the line that holds `offset`. */
export function endOfLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at === -1 ? text.length : at + 1;
}

/** The offset after a node's last character; comments after it do not count. */
export function contentEnd(node: BlockPair | Node): number {
  if (isPair(node)) {
    const { key, value } = node;
    const keyEnd = key.range![1];
    return value?.range && value.range[1] > value.range[0] ? Math.max(contentEnd(value), keyEnd) : keyEnd + 1;
  }
  const last =
    isCollection(node) && node.flow !== true ? (node.items.at(-1) as BlockPair | Node | undefined) : undefined;
  return last === undefined || last === null ? node.range![1] : contentEnd(last);
}

/** The entry of a mapping's pairs with this name; the first one if there are two. The pairs are not changed. */
export function pairNamed(pairs: readonly unknown[], name: string): BlockPair | undefined {
  let known = named.get(pairs);
  if (known === undefined) {
    const written = (pairs as BlockPair[]).filter(({ key }) => isScalar(key) && key.range);
    // For duplicate keys a Map keeps the last one: it is filled in reverse.
    known = new Map(written.toReversed().map((pair) => [String((pair.key as Scalar).value), pair]));
    named.set(pairs, known);
  }
  return known.get(name);
}

/** Kept for each mapping: a mapping can be long, and callers ask for each of its entries. */
const named = new WeakMap<readonly unknown[], ReadonlyMap<string, BlockPair>>();
