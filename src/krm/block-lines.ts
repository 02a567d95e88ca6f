/** Which lines of a text belong to an entry of a block mapping. */
import { isCollection, isPair, isScalar, type Node, type Pair } from "yaml";
import { lineStart } from "./item-sections.ts";

export type BlockPair = Pair<Node, Node | null>;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The entry's lines, with the comment lines directly above it; undefined where it shares a line with something else. */
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

/** Behind the line break of the entry's last line. */
export function endOfPair(text: string, pair: BlockPair): number {
  return endOfLine(text, Math.max(contentEnd(pair), 1) - 1);
}

/** Behind the line break of the line that `offset` stands in. */
export function endOfLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at === -1 ? text.length : at + 1;
}

/** Where a node's last character ends; comments after it do not count. */
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

/** The entry of a mapping's pairs with this name. */
export function pairNamed(pairs: readonly unknown[], name: string): BlockPair | undefined {
  return (pairs as BlockPair[]).find(({ key }) => isScalar(key) && String(key.value) === name && key.range);
}
