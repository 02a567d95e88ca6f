/** Reads YAML flow lists and mappings (brackets and braces) of scalars. */
import { FIRST, isOddKey, matches, QUOTES, resolve, unquoted } from "./plain-scalar.ts";

type PlainObject = Record<string, unknown>;

/** Called with each child: its name or index, and the offsets of its key and value (equal for an item of a list). */
type OnChild = (name: string | number, key: number, value: number) => void;

const [LINE_BREAK, SPACE, COMMA, BRACKET, BRACKET_END, BRACE, BRACE_END] = [10, 32, 44, 91, 93, 123, 125] as const;

const SIGN = String.raw`[A-Za-z0-9_./+@=;()-]`;
const SCALAR = new RegExp(`(${QUOTES})|${FIRST}(?:${SIGN}|:+(?=${SIGN}))*`, "y");
const KEY = new RegExp(`(?:([A-Za-z_][A-Za-z0-9_./-]*):[ ]+|(${QUOTES}):[ ]*)`, "y");

/** @returns whether a list in brackets or a mapping in braces begins at the offset */
export function beginsFlow(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === BRACKET || code === BRACE;
}

/**
 * Reads the list or mapping that begins at an offset. Undefined if the library has to read the text (see
 * readPlainStyle).
 * @param indent further lines must start to the right of this column
 * @param depth how many levels there may be
 */
export function readFlow(
  text: string,
  at: number,
  indent: number,
  depth: number,
  onChild?: OnChild,
): { readonly value: object; readonly end: number } | undefined {
  const reader = new FlowReader(text, at, indent);
  const value = reader.collection(depth, onChild);
  return value && { value, end: reader.at };
}

class FlowReader {
  at: number;
  readonly #text: string;
  readonly #indent: number;

  constructor(text: string, at: number, indent: number) {
    this.#text = text;
    this.at = at;
    this.#indent = indent;
  }

  collection(depth: number, onChild?: OnChild): object | undefined {
    if (depth <= 0) return undefined;
    const isList = this.#code() === BRACKET;
    const ending = isList ? BRACKET_END : BRACE_END;
    const list: unknown[] = [];
    const object: PlainObject = {};
    do {
      this.at += 1;
      if (!this.#skipSpace()) return undefined;
      if (this.#code() === ending) break;
      const key = this.at;
      const name = isList ? list.length : this.#key(object);
      if (name === undefined) return undefined;
      const start = this.at;
      const value = beginsFlow(this.#text, start) ? this.collection(depth - 1) : this.#scalar();
      if (value === undefined) return undefined;
      onChild?.(name, key, start);
      if (isList) list.push(value);
      else object[name] = value;
      if (!this.#skipSpace()) return undefined;
    } while (this.#code() === COMMA);
    if (this.#code() !== ending) return undefined;
    this.at += 1;
    return isList ? list : object;
  }

  #code(): number {
    return this.#text.charCodeAt(this.at);
  }

  /** Skips to the next token; false if that is on a line that starts too far left. */
  #skipSpace(): boolean {
    let line: number | undefined;
    for (;;) {
      const code = this.#code();
      if (code !== SPACE && code !== LINE_BREAK) break;
      this.at += 1;
      if (code === LINE_BREAK) line = this.at;
    }
    return line === undefined || this.at - line > this.#indent;
  }

  #key(object: PlainObject): string | undefined {
    const key = matches(KEY, this.#text, this.at);
    if (key === undefined) return undefined;
    this.at += key[0].length;
    const name = key[1] ?? unquoted(key[2]!);
    return isOddKey(object, name) ? undefined : name;
  }

  /** No scalar reads as undefined. */
  #scalar(): unknown {
    const found = matches(SCALAR, this.#text, this.at);
    if (found === undefined) return undefined;
    this.at += found[0].length;
    return found[1] === undefined ? resolve(found[0]) : unquoted(found[1]);
  }
}
