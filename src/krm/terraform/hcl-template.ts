/** Reads templates: texts in quotes, heredocs and whole files, with `${}` and `%{}` in them. */
import type { HclCursor } from "./hcl-cursor.ts";
import type { Expression, Loop, TemplatePart, TextPiece } from "./hcl-syntax.ts";

/** A part as the text has it: directives are not yet around what they decide about. */
type Token =
  | { readonly is: "text"; pieces: TextPiece[] }
  | { readonly is: "value"; readonly value: Expression }
  | { readonly is: "if"; readonly condition: Expression; readonly at: number }
  | { readonly is: "for"; readonly loop: Loop; readonly at: number }
  | { readonly is: "else" | "endif" | "endfor"; readonly at: number };

/** Reads an expression; line breaks mean nothing in it. */
type ReadExpression = () => Expression;

const HEREDOC = /<<(-?)([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;

/** The heredoc at the cursor; undefined if there is none. */
export function readHeredoc(cursor: HclCursor, read: ReadExpression): Expression | undefined {
  const start = cursor.at;
  HEREDOC.lastIndex = start;
  const [opening, flush, marker = ""] = HEREDOC.exec(cursor.text) ?? [];
  if (opening === undefined) return undefined;
  cursor.at += opening.length;
  const reading = new TemplateReading(cursor, read);
  let end = -1;
  for (;;) {
    if (cursor.at > end) end = lineEnd(cursor.text, cursor.at);
    if (reading.isAtStartOfLine && isMarker(cursor.text, cursor.at, end, marker)) {
      if (end === cursor.text.length) cursor.fail("a heredoc has no end", start);
      cursor.at = cursor.text[end - 1] === "\r" ? end - 1 : end;
      break;
    }
    if (end === cursor.text.length && cursor.at === end) cursor.fail("a heredoc has no end", start);
    reading.line(end);
  }
  if (flush === "-") unindent(reading.tokens);
  return { is: "template", parts: reading.parts(), start, end: cursor.at };
}

function isMarker(text: string, at: number, end: number, marker: string): boolean {
  // Most lines are longer than it, and need no copy.
  let start = at;
  while (start < end && isSpace(text[start]!)) start += 1;
  if (!text.startsWith(marker, start)) return false;
  for (let after = start + marker.length; after < end; after++) if (!isSpace(text[after]!)) return false;
  return true;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** A text in quotes, at its first quote. */
export function readQuoted(cursor: HclCursor, read: ReadExpression): Expression {
  const start = cursor.at;
  cursor.must('"');
  const reading = new TemplateReading(cursor, read);
  reading.quoted();
  cursor.must('"');
  return { is: "template", parts: reading.parts(), start, end: cursor.at };
}

/** A file that is a template as a whole. */
export function readTemplateFile(cursor: HclCursor, read: ReadExpression): Expression {
  const reading = new TemplateReading(cursor, read);
  let end = -1;
  while (!cursor.isAtEnd) {
    if (cursor.at > end) end = lineEnd(cursor.text, cursor.at);
    reading.line(end);
  }
  return { is: "template", parts: reading.parts(), start: 0, end: cursor.at };
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };
const UNICODE = /u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})/y;

class TemplateReading {
  readonly tokens: Token[] = [];
  isAtStartOfLine = true;
  readonly #cursor: HclCursor;
  readonly #read: ReadExpression;
  #text: TextPiece[] = [];
  #trimsNext = false;

  constructor(cursor: HclCursor, read: ReadExpression) {
    this.#cursor = cursor;
    this.#read = read;
  }

  /** The rest of a line, with its line break: a text is trimmed at most to the next one. */
  line(end: number): void {
    const cursor = this.#cursor;
    const { text } = cursor;
    let from = cursor.at;
    while (cursor.at < end) {
      const char = text[cursor.at]!;
      if (char !== "$" && char !== "%") cursor.at += 1;
      else if (text[cursor.at + 1] === char && text[cursor.at + 2] === "{") {
        this.#piece(from, cursor.at);
        from = cursor.at + 1;
        cursor.at += 3;
      } else if (text[cursor.at + 1] === "{") {
        this.#piece(from, cursor.at);
        this.#endText();
        this.#sequence();
        this.isAtStartOfLine = false;
        // An expression may have line breaks of its own.
        return;
      } else cursor.at += 1;
    }
    if (cursor.at < text.length) cursor.at += 1;
    this.#piece(from, cursor.at);
    this.#endText();
    this.isAtStartOfLine = true;
  }

  quoted(): void {
    const cursor = this.#cursor;
    const { text } = cursor;
    let from = cursor.at;
    for (;;) {
      const char = text[cursor.at];
      const next = text[cursor.at + 1];
      if (char === undefined || char === "\n") cursor.fail("a text has no end");
      else if (char === '"') break;
      else if (char === "\\") {
        this.#piece(from, cursor.at);
        this.#escape();
        from = cursor.at;
      } else if ((char === "$" || char === "%") && next === char && text[cursor.at + 2] === "{") {
        this.#piece(from, cursor.at);
        from = cursor.at + 1;
        cursor.at += 3;
      } else if ((char === "$" || char === "%") && next === "{") {
        this.#piece(from, cursor.at);
        this.#endText();
        this.#sequence();
        from = cursor.at;
      } else cursor.at += 1;
    }
    this.#piece(from, cursor.at);
    this.#endText();
  }

  #escape(): void {
    const cursor = this.#cursor;
    const at = cursor.at;
    cursor.at += 1;
    const simple = ESCAPES[cursor.text[cursor.at] ?? ""];
    if (simple !== undefined) {
      cursor.at += 1;
      this.#text.push({ text: simple, at });
      return;
    }
    const code = cursor.match(UNICODE);
    const point = code === undefined ? Infinity : Number.parseInt(code.slice(1), 16);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) cursor.fail("an escape is unknown", at);
    this.#text.push({ text: String.fromCodePoint(point), at });
  }

  #piece(from: number, to: number): void {
    if (to > from) this.#text.push({ text: this.#cursor.text.slice(from, to), at: from });
  }

  #endText(): void {
    if (this.#text.length === 0) return;
    const pieces = this.#trimsNext ? withoutLeading(this.#text) : this.#text;
    this.#trimsNext = false;
    this.tokens.push({ is: "text", pieces });
    this.#text = [];
  }

  /** `${…}` or `%{…}`. */
  #sequence(): void {
    const cursor = this.#cursor;
    const at = cursor.at;
    const isValue = cursor.text[at] === "$";
    cursor.at += 2;
    const last = this.tokens.at(-1);
    if (cursor.take("~") && last?.is === "text") last.pieces = withoutTrailing(last.pieces);
    cursor.skip(true);
    this.tokens.push(isValue ? { is: "value", value: this.#read() } : this.#directive(at));
    cursor.skip(true);
    this.#trimsNext = cursor.take("~");
    cursor.must("}");
  }

  #directive(at: number): Token {
    const cursor = this.#cursor;
    const keyword = cursor.identifier();
    cursor.skip(true);
    switch (keyword) {
      case "if":
        return { is: "if", condition: this.#read(), at };
      case "for":
        return { is: "for", loop: readLoop(cursor, this.#read), at };
      case "else":
      case "endif":
      case "endfor":
        return { is: keyword, at };
      default:
        return cursor.fail("a directive is unknown", at);
    }
  }

  parts(): TemplatePart[] {
    const tokens = this.tokens;
    const cursor = this.#cursor;
    let next = 0;
    const until = (ends: readonly string[], opened: number): TemplatePart[] => {
      const parts: TemplatePart[] = [];
      for (;;) {
        const token = tokens[next];
        if (token === undefined) {
          if (ends.length > 0) cursor.fail("a directive has no end", opened);
          return parts;
        }
        if (ends.includes(token.is)) return parts;
        next += 1;
        switch (token.is) {
          case "text":
          case "value":
            parts.push(token);
            break;
          case "if":
            parts.push(cursor.nested(() => choice(token)));
            break;
          case "for":
            parts.push(cursor.nested(() => loop(token)));
            break;
          default:
            cursor.fail("a directive ends nothing", token.at);
        }
      }
    };
    const choice = ({ condition, at }: Token & { is: "if" }): TemplatePart => {
      const whenTrue = until(["else", "endif"], at);
      const hasElse = tokens[next]?.is === "else";
      if (hasElse) next += 1;
      const whenFalse = hasElse ? until(["endif"], at) : [];
      next += 1;
      return { is: "if", condition, whenTrue, whenFalse, start: at, end: at };
    };
    const loop = ({ loop: over, at }: Token & { is: "for" }): TemplatePart => {
      const body = until(["endfor"], at);
      next += 1;
      return { is: "for", loop: over, body, start: at, end: at };
    };
    return until([], 0);
  }
}

/** `NAME in LIST` or `KEY, NAME in MAP`, after `for`. */
export function readLoop(cursor: HclCursor, read: ReadExpression): Loop {
  const name = (): string => {
    cursor.skip(true);
    return cursor.identifier() ?? cursor.fail("a name is expected");
  };
  const first = name();
  cursor.skip(true);
  const second = cursor.take(",") ? name() : undefined;
  if (name() !== "in") cursor.fail("in is expected");
  cursor.skip(true);
  return { key: second === undefined ? undefined : first, value: second ?? first, over: read() };
}

/** What Go counts as space (`unicode.IsSpace`). */
const SPACES = String.raw`[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
const SPACE = new RegExp(`^${SPACES}$`);

function isSpace(char: string): boolean {
  return SPACE.test(char);
}

function leading(text: string): number {
  let count = 0;
  while (count < text.length && isSpace(text[count]!)) count += 1;
  return count;
}

function withoutLeading(pieces: readonly TextPiece[]): TextPiece[] {
  const first = pieces.findIndex(({ text }) => leading(text) < text.length);
  if (first === -1) return [];
  const { text, at } = pieces[first]!;
  const count = leading(text);
  return [{ text: text.slice(count), at: at + count }, ...pieces.slice(first + 1)];
}

function withoutTrailing(pieces: readonly TextPiece[]): TextPiece[] {
  const last = pieces.findLastIndex(({ text }) => leading(text) < text.length);
  if (last === -1) return [];
  const { text, at } = pieces[last]!;
  let end = text.length;
  while (isSpace(text[end - 1]!)) end -= 1;
  return [...pieces.slice(0, last), { text: text.slice(0, end), at }];
}

/** `<<-`: without the indent that all lines have (docs/upstream/hosts.md#terraform). */
function unindent(tokens: Token[]): void {
  const starts: (Token & { is: "text" })[] = [];
  let fewest = Infinity;
  let isStart = true;
  for (const token of tokens) {
    const text = token.is === "text" ? token.pieces.map((piece) => piece.text).join("") : undefined;
    if (isStart) {
      const spaces = text === undefined ? 0 : leading(text);
      const isBlank = text !== undefined && spaces === text.length && text.endsWith("\n");
      if (!isBlank) fewest = Math.min(fewest, spaces);
      if (token.is === "text" && !isBlank) starts.push(token);
    }
    isStart = text?.endsWith("\n") === true;
  }
  for (const token of starts) token.pieces = withoutFirst(token.pieces, fewest);
}

function withoutFirst(pieces: readonly TextPiece[], count: number): TextPiece[] {
  let left = count;
  return pieces.flatMap(({ text, at }) => {
    const gone = Math.min(left, text.length);
    left -= gone;
    return gone === text.length ? [] : [{ text: text.slice(gone), at: at + gone }];
  });
}
