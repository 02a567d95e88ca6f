/** Reads YAML in block style, as manifests are mostly written; the library reads any other. */
import { exactInteger } from "./exact-integer.ts";
import { NOWHERE, type Outline, VALUE } from "./outline.ts";
import { MAX_DEPTH } from "./yaml-options.ts";

/** A document's value, its slice of the text, and where in the text its entries stand. */
export interface PlainDocument {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  /** Undefined where only the library tells, as in JSON. */
  readonly outline?: Outline;
}

/**
 * The library's reader builds tokens and a tree with positions, which nobody asks for while nothing is wrong, and most
 * of a cold start is spent in it. This one knows mappings and lists in block style, scalars on one line and lists of
 * scalars in brackets. Everything else, each slip included, is undefined: the library reads the text then. Both give
 * the same for what this one takes (test/suites/property/plain-style.test.ts).
 */
export function readPlainStyle(text: string): PlainDocument[] | undefined {
  const documents: PlainDocument[] = [];
  let start = 0;
  let reader = new DocumentReader(start);
  let marked = false;
  for (let at = 0; at < text.length;) {
    const lineBreak = text.indexOf("\n", at);
    const end = lineBreak === -1 ? text.length : lineBreak;
    if (text.startsWith("---", at)) {
      if (!/^--- *$/.test(text.slice(at, end))) return undefined;
      // Comments before the first marker belong to the document behind it.
      if (marked || !reader.isEmpty) {
        documents.push(reader.document(at));
        start = at;
      }
      marked = true;
      reader = new DocumentReader(start);
    } else if (!reader.line(text, at, end)) return undefined;
    at = end + 1;
  }
  documents.push(reader.document(text.length));
  return documents;
}

type PlainObject = Record<string, unknown>;

/** A mapping or list that may go on. `indent` is the column of its keys or dashes, `entry` its last in the outline. */
type Open =
  | { readonly indent: number; readonly list: unknown[]; entry: number }
  | { readonly indent: number; readonly object: PlainObject; key: string; entry: number };

// Sticky, because they look at one place of the text, and none of them can look beyond its line. JavaScript's `$` would
// take a carriage return for the end of a line.
const END = String.raw`[ ]*(?:[ ]#[^\n\r]*)?(?=\n|(?![^]))`;
const DOUBLE = String.raw`"[^"\\\n\r]*"`;
const SINGLE = String.raw`'[^'\n\r]*'`;
/** No indicator at its start. */
const FIRST = String.raw`(?:[A-Za-z0-9_./+]|-(?=[A-Za-z0-9_.]))`;
/** Every sign of ASCII but # and : themselves. */
const MIDDLE = String.raw`[!"$-9;-~]`;
/** A colon ends a key unless something stands behind it. */
const WORD = `${MIDDLE}*(?::+${MIDDLE}+)*`;
const ITEM = String.raw`(?:${DOUBLE}|${SINGLE}|${FIRST}[A-Za-z0-9_./+@=;()-]*)`;

const SHARP = 35;
const HYPHEN = 45;

const BLANK = /[ ]*(?:#[^\n\r]*)?(?=\n|(?![^]))/y;
const DASH = new RegExp(`-(?:([ ]+)(?=[^\\s#])|${END})`, "y");
const KEY = new RegExp(`(?:([A-Za-z_][A-Za-z0-9_./-]*)|(${DOUBLE}|${SINGLE})):(?:([ ]+)(?=[^\\s#])|${END})`, "y");
const QUOTED = new RegExp(`(${DOUBLE}|${SINGLE})${END}`, "y");
const PLAIN = new RegExp(`(${FIRST}${WORD}(?: ${MIDDLE}${WORD})*)${END}`, "y");
const LIST = new RegExp(`\\[[ ]*(?:(${ITEM}(?:[ ]*,[ ]*${ITEM})*)[ ]*)?\\]${END}`, "y");
const EMPTY_OBJECT = new RegExp(`\\{[ ]*\\}${END}`, "y");
const ITEMS = new RegExp(ITEM, "g");

class DocumentReader {
  isEmpty = true;
  /** Null while nothing was said. */
  #value: unknown = null;
  readonly #start: number;
  readonly #outline: number[] = [];
  #belowComment = false;
  readonly #open: Open[] = [];
  /** The column of the key or dash whose value may stand on the next lines, when the last line ended without one. */
  #pending: number | undefined;

  /** @param start the document's offset in the text */
  constructor(start: number) {
    this.#start = start;
  }

  /** What was read, up to the offset at which the document ends. */
  document(end: number): PlainDocument {
    return { value: this.#value, start: this.#start, end, outline: this.#outline };
  }

  /** Whether the line between the offsets is of the style, where it stands. */
  line(text: string, start: number, end: number): boolean {
    let at = start;
    while (at < end && text.charCodeAt(at) === 32) at += 1;
    if (at === end) return true;
    if (text.charCodeAt(at) === SHARP && matches(BLANK, text, start) !== undefined) return (this.#belowComment = true);
    const taken = this.#close(at - start, dashAt(text, at) !== undefined) && this.#content(text, start, at);
    this.#belowComment = false;
    return taken;
  }

  /** Ends what stands further in, and finds the mapping or list that a line at this column goes on with. */
  #close(indent: number, dash: boolean): boolean {
    if (this.isEmpty) return true;
    if (this.#pending !== undefined && this.#opensBelow(indent, dash)) return true;
    while (this.#open.length > 0) {
      const last = this.#open.at(-1)!;
      // A list may stand at the column of its key: the next key ends it.
      if (last.indent === indent && "list" in last === dash) {
        this.#pending = undefined;
        return true;
      }
      if (last.indent < indent || (last.indent === indent && dash)) return false;
      this.#open.pop();
    }
    return false;
  }

  #opensBelow(indent: number, dash: boolean): boolean {
    const last = this.#open.at(-1)!;
    return indent > this.#pending! || (dash && indent === this.#pending && "object" in last);
  }

  /** Dashes and a key, as many as stand there, then a scalar or nothing. */
  #content(text: string, lineStart: number, from: number): boolean {
    let at = from;
    let fresh = this.isEmpty || this.#pending !== undefined;
    for (;;) {
      const dash = dashAt(text, at);
      if (dash === undefined) break;
      const column = at - lineStart;
      if (fresh && !this.#begin({ indent: column, list: [], entry: 0 }, at)) return false;
      const last = this.#open.at(-1)!;
      if (!("list" in last)) return false;
      last.list.push(null);
      this.#note(last, NOWHERE);
      this.#pending = column;
      if (dash[1] === undefined) return true;
      at += 1 + dash[1].length;
      fresh = true;
    }
    const key = matches(KEY, text, at);
    // Between a key and a scalar on a line of its own the library refuses some comments.
    if (key === undefined) return fresh && !this.isEmpty && !(this.#belowComment && at === from) && this.#set(text, at);
    const name = key[1] ?? unquoted(key[2]!);
    const column = at - lineStart;
    if (fresh && !this.#begin({ indent: column, object: {}, key: name, entry: 0 }, at)) return false;
    const last = this.#open.at(-1)!;
    if (!("object" in last) || name === "__proto__" || name === "<<" || Object.hasOwn(last.object, name)) return false;
    last.object[name] = null;
    this.#note(last, at);
    last.key = name;
    this.#pending = column;
    if (key[3] === undefined) return true;
    return this.#set(text, at + key[0].length);
  }

  /** A mapping or list as the value of what is pending, or as the document. */
  #begin(open: Open, at: number): boolean {
    if (this.#open.length === MAX_DEPTH) return false;
    const value = "list" in open ? open.list : open.object;
    if (this.isEmpty) this.#value = value;
    else this.#put(value, at);
    this.isEmpty = false;
    this.#open.push(open);
    this.#pending = undefined;
    return true;
  }

  /** What stands there to the end of its line. */
  #set(text: string, at: number): boolean {
    const found = scalar(text, at);
    if (found === undefined) return false;
    this.#put(found.value, at);
    this.#pending = undefined;
    return true;
  }

  #put(value: unknown, at: number): void {
    const last = this.#open.at(-1)!;
    if ("list" in last) last.list[last.list.length - 1] = value;
    else last.object[last.key] = value;
    this.#outline[last.entry + VALUE] = at - this.#start;
  }

  /** An entry whose value is not known yet. */
  #note(of: Open, key: number): void {
    of.entry = this.#outline.length;
    this.#outline.push(this.#open.length, key === NOWHERE ? NOWHERE : key - this.#start, NOWHERE);
  }
}

function dashAt(text: string, at: number): RegExpExecArray | undefined {
  return text.charCodeAt(at) === HYPHEN ? matches(DASH, text, at) : undefined;
}

function matches(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** The value that stands there to the end of its line; undefined when it is of another style. */
function scalar(text: string, at: number): { readonly value: unknown } | undefined {
  switch (text[at]) {
    case '"':
    case "'": {
      const quoted = matches(QUOTED, text, at);
      return quoted && { value: unquoted(quoted[1]!) };
    }
    case "[": {
      const list = matches(LIST, text, at);
      return list && { value: (list[1]?.match(ITEMS) ?? []).map(itemValue) };
    }
    case "{":
      return matches(EMPTY_OBJECT, text, at) && { value: {} };
    default: {
      const plain = matches(PLAIN, text, at);
      return plain && { value: resolve(plain[1]!) };
    }
  }
}

function itemValue(text: string): unknown {
  return text.startsWith('"') || text.startsWith("'") ? unquoted(text) : resolve(text);
}

/** The offsets of those in the list that stands at `at`. */
export function itemsInBrackets(text: string, at: number): number[] {
  const items = matches(LIST, text, at)?.[1];
  if (items === undefined) return [];
  const start = text.indexOf(items, at);
  return [...items.matchAll(ITEMS)].map(({ index }) => start + index);
}

/** Escapes are of another style. */
function unquoted(text: string): string {
  return text.slice(1, -1);
}

const WORDS = new Map<string, unknown>([
  ["null", null],
  ["Null", null],
  ["NULL", null],
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
]);

/** As YAML 1.2's core schema reads a plain scalar; integers that a number would round are exact. */
function resolve(text: string): unknown {
  const first = text.charCodeAt(0);
  // Digits, signs and the dot come before the letters.
  if (first > 57) return WORDS.has(text) ? WORDS.get(text) : text;
  if (/^[-+]?[0-9]+$|^0o[0-7]+$|^0x[0-9a-fA-F]+$/.test(text)) return exactInteger(text);
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number(text);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  return /^\.(?:nan|NaN|NAN)$/.test(text) ? Number.NaN : text;
}
