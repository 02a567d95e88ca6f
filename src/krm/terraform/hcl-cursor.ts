/** Moves through the text of a Terraform file: spaces, comments, words and marks. */
import { HclProblem } from "./hcl-syntax.ts";

const IDENTIFIER = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const NUMBER = /\d(?:\d|\.(?=\d)|[eE][+-]?\d)*/y;

/** No file of people is nested so deep, and reading is recursive. */
const MAX_DEPTH = 200;

export class HclCursor {
  readonly text: string;
  at = 0;
  #depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Spaces and comments; line breaks too if they mean nothing here. */
  skip(withLines: boolean): void {
    const { text } = this;
    for (;;) {
      const char = text[this.at];
      if (char === " " || char === "\t") this.at += 1;
      else if (char === "#" || text.startsWith("//", this.at)) this.at = this.#lineBreakFrom(this.at);
      else if (text.startsWith("/*", this.at)) {
        const end = text.indexOf("*/", this.at + 2);
        if (end === -1) this.fail("a comment has no end");
        this.at = end + 2;
      } else if (withLines && this.isLineBreak()) this.at += char === "\r" ? 2 : 1;
      else return;
    }
  }

  isLineBreak(): boolean {
    return this.text[this.at] === "\n" || this.text.startsWith("\r\n", this.at);
  }

  /** The offset of the next line break, or the end. */
  #lineBreakFrom(from: number): number {
    const end = this.text.indexOf("\n", from);
    if (end === -1) return this.text.length;
    return this.text[end - 1] === "\r" && end > from ? end - 1 : end;
  }

  has(mark: string): boolean {
    return this.text.startsWith(mark, this.at);
  }

  take(mark: string): boolean {
    if (!this.has(mark)) return false;
    this.at += mark.length;
    return true;
  }

  must(mark: string): void {
    if (!this.take(mark)) this.fail(`${mark} is expected`);
  }

  identifier(): string | undefined {
    return this.match(IDENTIFIER);
  }

  number(): string | undefined {
    return this.match(NUMBER);
  }

  /** @param pattern a sticky one */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  nested<T>(act: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.fail(`it is nested deeper than ${MAX_DEPTH} levels`);
    const result = act();
    this.#depth -= 1;
    return result;
  }

  fail(why: string, at = this.at): never {
    throw new HclProblem(why, at);
  }
}
