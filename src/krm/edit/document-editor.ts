/** Computes the edits of a YAML text that change the value of a node. */
import { isAlias, isMap, isScalar, isSeq, type Node, Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import type { FieldPath } from "../places/field-path.ts";
import type { Splice } from "../resource-list/annotate-item.ts";
import { sameValue } from "../values/canonical.ts";
import { type Fields, isFields } from "../values/fields.ts";
import {
  type BlockPair,
  columnOf,
  contentEnd,
  endOfLine,
  endOfPair,
  linesOfPair,
  pairNamed,
  withoutIndent,
} from "../yaml/block-lines.ts";
import { lineStart } from "../yaml/item-sections.ts";
import { toYaml } from "../yaml/write.ts";
import { doubleQuoted, flowText, yamlScalar } from "../yaml/yaml-scalar.ts";

export interface EditOptions {
  /** Old name to new name of fields that keep their place in the mapping. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Text for a new field that comes from another document, without indentation. */
  readonly textFor?: (path: FieldPath) => readonly string[] | undefined;
}

/** Collects the edits; gives up if the text has no place for a change. */
export class DocumentEditor {
  readonly #text: string;
  readonly #eol: string;
  readonly #options: EditOptions;
  /** Lists are indented as the first list in the text that is the value of a field. */
  readonly #listsAreIndented: boolean;
  readonly #splices: Splice[] = [];
  /** The lines of removed fields, reused for fields with the same name and value that are added elsewhere. */
  readonly #gone: { readonly name: string; readonly value: unknown; readonly lines: readonly string[] }[] = [];
  readonly #coming: (() => void)[] = [];
  #lost = false;

  constructor(text: string, options: EditOptions) {
    this.#text = text;
    this.#eol = /\r?\n/.exec(text)?.[0] ?? "\n";
    this.#options = options;
    this.#listsAreIndented = listsAreIndented(text);
  }

  result(): string | undefined {
    for (const write of this.#coming) write();
    if (this.#lost) return undefined;
    let edited = "";
    let at = 0;
    for (const { start, end, text } of this.#splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
      if (start < at) return undefined;
      edited += this.#text.slice(at, start);
      // Text after a last line without a line break needs a line of its own.
      const newLine = start === this.#text.length && text !== "" && edited !== "" && !edited.endsWith("\n");
      edited += (newLine ? this.#eol : "") + text;
      at = end;
    }
    return edited + this.#text.slice(at);
  }

  change(node: Node | null, before: unknown, wanted: unknown, path: FieldPath): void {
    if (sameValue(before, wanted)) return;
    if (isMap(node) && isFields(before) && isFields(wanted) && node.flow !== true) {
      if (Object.keys(wanted).length === 0) {
        // An item of a list stays an item even without any field.
        this.#splices.push({ start: node.range![0], end: contentEnd(node), text: "{}" });
      } else this.#changeMapping(node, before, wanted, path);
    } else if (isSeq(node) && Array.isArray(before) && Array.isArray(wanted) && node.flow !== true) {
      this.#changeList(node, before, wanted, path);
    } else if (node?.range && (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node))) {
      this.#changeInline(node, wanted);
    } else this.#lost = true;
  }

  #changeMapping(map: YAMLMap, before: Fields, wanted: Fields, path: FieldPath): void {
    const pairs = map.items as unknown as BlockPair[];
    const renamed = new Map(
      Object.entries(this.#options.renamed ?? {}).filter(
        ([from, to]) =>
          Object.hasOwn(before, from) &&
          !Object.hasOwn(wanted, from) &&
          !Object.hasOwn(before, to) &&
          Object.hasOwn(wanted, to),
      ),
    );
    const taken = new Set(renamed.values());
    for (const name of Object.keys(before)) {
      const pair = pairNamed(pairs, name);
      const to = renamed.get(name) ?? name;
      if (pair === undefined) {
        // The field came from a merge key.
        if (!Object.hasOwn(wanted, name) || !sameValue(before[name], wanted[name])) this.#lost = true;
      } else if (!Object.hasOwn(wanted, to)) this.#remove(pair, pairs, before[name]);
      else {
        if (to !== name) this.#splices.push({ start: pair.key.range![0], end: pair.key.range![1], text: to });
        this.#changeField(pair, before[name], wanted[to], [...path, to]);
      }
    }
    let after: BlockPair | undefined;
    for (const name of Object.keys(wanted)) {
      if (Object.hasOwn(before, name)) after = pairNamed(pairs, name) ?? after;
      else if (!taken.has(name)) {
        const place = after;
        this.#coming.push(() => this.#insert(map, place, name, wanted[name], [...path, name]));
      }
    }
  }

  #changeField(pair: BlockPair, before: unknown, wanted: unknown, path: FieldPath): void {
    if (sameValue(before, wanted)) return;
    const { value } = pair;
    const inBlock = isBlock(value) && typeof wanted === "object" && wanted !== null && Object.keys(wanted).length > 0;
    const sameShape = Array.isArray(before) === Array.isArray(wanted);
    const grows = !isSeq(value) || (Array.isArray(wanted) && wanted.length >= value.items.length);
    const inline = isScalar(value) && typeof wanted !== "object" && isOnOneLine(this.#text, value);
    const inFlow = (isMap(value) || isSeq(value)) && value.flow === true && value.items.length > 0;
    if ((inBlock && sameShape && grows) || inline || inFlow) this.change(value, before, wanted, path);
    else this.#writeAnew(pair, wanted);
  }

  /** The field with all its lines. */
  #writeAnew(pair: BlockPair, wanted: unknown): void {
    const [start, keyEnd] = pair.key.range!;
    const column = columnOf(this.#text, pair);
    const name = this.#text.slice(start, keyEnd);
    const lines = this.#lines({ name: wanted }, column);
    const text = lines.slice(column + "name".length);
    this.#splices.push({ start, end: endOfPair(this.#text, pair), text: name + text });
  }

  #changeList(list: YAMLSeq, before: readonly unknown[], wanted: readonly unknown[], path: FieldPath): void {
    if (wanted.length < before.length || before.length === 0) {
      this.#lost = true;
      return;
    }
    before.forEach((item, index) =>
      this.change(list.items[index] as Node | null, item, wanted[index], [...path, index]),
    );
    const dash = list.range![0];
    const indent = dash - lineStart(this.#text, dash);
    const end = endOfLine(this.#text, contentEnd(list) - 1);
    const added = wanted.slice(before.length);
    if (added.length > 0) this.#splices.push({ start: end, end, text: this.#lines(added, indent) });
  }

  /** The new scalar keeps the quotes of the old one, so that a diff shows only the value. */
  #changeInline(node: Node, wanted: unknown): void {
    const [start, end] = node.range!;
    const style = isScalar(node) ? node.type : undefined;
    const text =
      typeof wanted === "object" || !isScalar(node)
        ? flowText(wanted)
        : style === Scalar.QUOTE_DOUBLE || style === Scalar.QUOTE_SINGLE
          ? quoted(String(wanted), style)
          : yamlScalar(wanted, "");
    if (
      start === end ||
      text.includes("\n") ||
      (isScalar(node) && typeof wanted !== "string" && style !== Scalar.PLAIN)
    ) {
      this.#lost = true;
    } else this.#splices.push({ start, end, text });
  }

  #remove(pair: BlockPair, pairs: readonly BlockPair[], value: unknown): void {
    const own = linesOfPair(this.#text, pairs, pair);
    if (own !== undefined) {
      const name = String((pair.key as Scalar).value);
      this.#gone.push({ name, value, lines: withoutIndent(this.#text, own, pair) });
      this.#splices.push({ ...own, text: "" });
      return;
    }
    // The entry follows a dash, which the next entry takes over.
    const next = pairs[pairs.indexOf(pair) + 1];
    if (next === undefined) this.#lost = true;
    else this.#splices.push({ start: pair.key.range![0], end: next.key.range![0], text: "" });
  }

  #insert(map: YAMLMap, after: BlockPair | undefined, name: string, value: unknown, path: FieldPath): void {
    const last = after ?? (map.items as unknown as BlockPair[]).at(-1);
    if (last === undefined) {
      this.#lost = true;
      return;
    }
    const column = columnOf(this.#text, last);
    const moved = this.#gone.find((field) => field.name === name && sameValue(field.value, value))?.lines;
    const given = moved ?? this.#options.textFor?.(path);
    const at = endOfPair(this.#text, last);
    const indented = given?.map((line) => (line === "" ? "" : `${" ".repeat(column)}${line}`)).join(this.#eol);
    const text = indented === undefined ? this.#lines({ [name]: value }, column) : `${indented}${this.#eol}`;
    this.#splices.push({ start: at, end: at, text });
  }

  #lines(value: unknown, column: number): string {
    const plain = toYaml(value).replace(/\n$/, "").split("\n");
    const lines = this.#listsAreIndented ? withIndentedLists(plain) : plain;
    return lines.map((line) => (line === "" ? "" : " ".repeat(column) + line) + this.#eol).join("");
  }
}

function isBlock(node: Node | null): boolean {
  return (isMap(node) || isSeq(node)) && node.flow !== true && node.items.length > 0;
}

function isOnOneLine(text: string, { range }: Scalar): boolean {
  return range !== null && range !== undefined && range[1] > range[0] && !text.slice(range[0], range[1]).includes("\n");
}

function quoted(text: string, style: typeof Scalar.QUOTE_DOUBLE | typeof Scalar.QUOTE_SINGLE): string {
  if (style === Scalar.QUOTE_SINGLE && /^[ -~]*$/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return doubleQuoted(text);
}

const INDENT = 2;

/** Decided by the first list that is the value of a field; comments may come between the two. */
function listsAreIndented(text: string): boolean {
  let key: string | undefined;
  for (const line of text.split("\n")) {
    const dash = /^( *)- /.exec(line)?.[1];
    if (key !== undefined && dash !== undefined) return dash.length > key.length;
    if (/^ *#/.test(line)) continue;
    const lead = /^ *(?:- )*(?=[^\s#-])/.exec(line)?.[0];
    const opens = lead !== undefined && /:[ \t]*(?:#|\r?$)/.test(line.slice(lead.length + 1));
    key = opens ? lead : undefined;
  }
  return false;
}

/** @param lines as toYaml writes them */
export function withIndentedLists(lines: readonly string[]): string[] {
  // Columns of the keys with open lists, and of the key with the open block scalar.
  const open: number[] = [];
  let scalar: number | undefined;
  return lines.map((line, index) => {
    const column = line.search(/\S/);
    if (column === -1) return line;
    if (scalar !== undefined && column <= scalar) scalar = undefined;
    if (scalar !== undefined) return " ".repeat(open.length * INDENT) + line;
    while (open.length > 0 && endsList(line, column, open.at(-1)!)) open.pop();
    const shifted = " ".repeat(open.length * INDENT) + line;
    if (/(?::|-) [|>][-+]?$/.test(line)) scalar = /^[ -]*[|>]/.test(line) ? keyColumn(line) - INDENT : keyColumn(line);
    else if (line.endsWith(":") && lines[index + 1]?.startsWith(`${" ".repeat(keyColumn(line))}- `) === true)
      open.push(keyColumn(line));
    return shifted;
  });
}

function endsList(line: string, column: number, list: number): boolean {
  return column < list || (column === list && !line.startsWith("- ", column));
}

/** A key may come after the dashes of the list that it is in. */
function keyColumn(line: string): number {
  return /^(?: |- )*/.exec(line)![0].length;
}
