/** Reads the YAML block style of most manifests; the library reads any other style. */
import { beginsFlow, readFlow } from "./flow-style.ts";
import { NOWHERE, type Outline, VALUE } from "./outline.ts";
import { FIRST, isOddKey, matches, QUOTES, resolve, unquoted } from "./plain-scalar.ts";
import { MAX_DEPTH } from "./yaml-options.ts";

/** A document's value, its slice of the text, and the places of its entries. */
export interface PlainDocument {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  /** Undefined if only the library knows the places, as in JSON. */
  readonly outline?: Outline;
}

/**
 * The library builds tokens and a tree with positions, which take most of a cold start and are not needed while there
 * is no finding. This reader knows mappings and lists in block style, scalars on one line, and lists and mappings of
 * those in brackets and braces. For everything else, errors included, the result is undefined and the library reads the
 * text. Both give the same for what this one accepts (test/suites/property/plain-style.test.ts).
 */
export function readPlainStyle(text: string): PlainDocument[] | undefined {
  const documents: PlainDocument[] = [];
  let start = 0;
  let reader = new DocumentReader(start);
  let marked = false;
  for (let at = 0; at < text.length;) {
    let end: number | undefined = lineEnd(text, at);
    if (text.startsWith("---", at)) {
      if (!/^--- *$/.test(text.slice(at, end))) return undefined;
      // Comments before the first marker belong to the document after it.
      if (marked || !reader.isEmpty) {
        documents.push(reader.document(at));
        start = at;
      }
      marked = true;
      reader = new DocumentReader(start);
    } else end = reader.line(text, at, end);
    if (end === undefined) return undefined;
    at = end + 1;
  }
  documents.push(reader.document(text.length));
  return documents;
}

function lineEnd(text: string, at: number): number {
  const lineBreak = text.indexOf("\n", at);
  return lineBreak === -1 ? text.length : lineBreak;
}

type PlainObject = Record<string, unknown>;

/** A mapping or list that may go on. `indent` is the column of its keys or dashes, `entry` its last in the outline. */
type Open =
  | { readonly indent: number; readonly list: unknown[]; entry: number }
  | { readonly indent: number; readonly object: PlainObject; key: string; entry: number };

// Sticky: each pattern matches at one place of the text and cannot look beyond its line. JavaScript's `$` would accept
// a carriage return as the end of a line.
const END = String.raw`[ ]*(?:[ ]#[^\n\r]*)?(?=\n|(?![^]))`;
/** Every printable ASCII character but # and : themselves. */
const MIDDLE = String.raw`[!"$-9;-~]`;
/** A colon ends a key unless a character follows it. */
const WORD = `${MIDDLE}*(?::+${MIDDLE}+)*`;

const SHARP = 35;
const HYPHEN = 45;

const BLANK = /[ ]*(?:#[^\n\r]*)?(?=\n|(?![^]))/y;
const DASH = new RegExp(`-(?:([ ]+)(?=[^\\s#])|${END})`, "y");
const KEY = new RegExp(`(?:([A-Za-z_][A-Za-z0-9_./-]*)|(${QUOTES})):(?:([ ]+)(?=[^\\s#])|${END})`, "y");
const QUOTED = new RegExp(`(${QUOTES})${END}`, "y");
const PLAIN = new RegExp(`(${FIRST}${WORD}(?: ${MIDDLE}${WORD})*)${END}`, "y");
const LINE_END = new RegExp(END, "y");

class DocumentReader {
  isEmpty = true;
  /** Null until there is a value. */
  #value: unknown = null;
  readonly #start: number;
  readonly #outline: number[] = [];
  #belowComment = false;
  /** The end of the current line, or of the last line of its list in brackets or mapping in braces. */
  #end = 0;
  readonly #open: Open[] = [];
  /** The column of the key or dash that still waits for its value on the next lines. */
  #pending: number | undefined;

  /** @param start the document's offset in the text */
  constructor(start: number) {
    this.#start = start;
  }

  /** The document as read, up to the offset at which it ends. */
  document(end: number): PlainDocument {
    return { value: this.#value, start: this.#start, end, outline: this.#outline };
  }

  /** Reads the line between the offsets. Returns the end of its last line; undefined if it is in another style. */
  line(text: string, start: number, end: number): number | undefined {
    let at = start;
    while (at < end && text.charCodeAt(at) === 32) at += 1;
    if (at === end) return end;
    if (text.charCodeAt(at) === SHARP && matches(BLANK, text, start) !== undefined) {
      this.#belowComment = true;
      return end;
    }
    this.#end = end;
    const taken = this.#close(at - start, dashAt(text, at) !== undefined) && this.#content(text, start, at);
    this.#belowComment = false;
    return taken ? this.#end : undefined;
  }

  /** Closes everything that is indented further, and finds the mapping or list that a line at this column continues. */
  #close(indent: number, dash: boolean): boolean {
    if (this.isEmpty) return true;
    if (this.#pending !== undefined && this.#opensBelow(indent, dash)) return true;
    while (this.#open.length > 0) {
      const last = this.#open.at(-1)!;
      // A list may be at the column of its key: the next key ends it.
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

  /** Any number of dashes and a key, then a scalar or nothing. */
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
    // The library refuses some comments between a key and a scalar on a line of its own.
    if (key === undefined) return fresh && !this.isEmpty && !(this.#belowComment && at === from) && this.#set(text, at);
    const name = key[1] ?? unquoted(key[2]!);
    const column = at - lineStart;
    if (fresh && !this.#begin({ indent: column, object: {}, key: name, entry: 0 }, at)) return false;
    const last = this.#open.at(-1)!;
    if (!("object" in last) || isOddKey(last.object, name)) return false;
    last.object[name] = null;
    this.#note(last, at);
    last.key = name;
    this.#pending = column;
    if (key[3] === undefined) return true;
    return this.#set(text, at + key[0].length);
  }

  /** Makes a mapping or list the value of the pending key, or of the document. */
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

  /** Reads the value up to the end of its line. */
  #set(text: string, at: number): boolean {
    const found = beginsFlow(text, at) ? this.#flow(text, at) : scalar(text, at);
    if (found === undefined) return false;
    this.#put(found.value, at);
    this.#pending = undefined;
    return true;
  }

  #flow(text: string, at: number): { readonly value: unknown } | undefined {
    const found = readFlow(text, at, this.#pending!, MAX_DEPTH - this.#open.length);
    if (found === undefined || matches(LINE_END, text, found.end) === undefined) return undefined;
    if (found.end > this.#end) this.#end = lineEnd(text, found.end);
    return found;
  }

  #put(value: unknown, at: number): void {
    const last = this.#open.at(-1)!;
    if ("list" in last) last.list[last.list.length - 1] = value;
    else last.object[last.key] = value;
    this.#outline[last.entry + VALUE] = at - this.#start;
  }

  /** Records an entry with a value that is not known yet. */
  #note(of: Open, key: number): void {
    of.entry = this.#outline.length;
    this.#outline.push(this.#open.length, key === NOWHERE ? NOWHERE : key - this.#start, NOWHERE);
  }
}

function dashAt(text: string, at: number): RegExpExecArray | undefined {
  return text.charCodeAt(at) === HYPHEN ? matches(DASH, text, at) : undefined;
}

/** The value up to the end of its line; undefined if it is in another style. */
function scalar(text: string, at: number): { readonly value: unknown } | undefined {
  switch (text[at]) {
    case '"':
    case "'": {
      const quoted = matches(QUOTED, text, at);
      return quoted && { value: unquoted(quoted[1]!) };
    }
    default: {
      const plain = matches(PLAIN, text, at);
      return plain && { value: resolve(plain[1]!) };
    }
  }
}
