/** Reads the YAML documents of a source one at a time, so that only one tree is in memory. */
import { Composer, type CST, type Document, Lexer, Parser } from "yaml";
import type { Outline } from "../yaml/outline.ts";
import type { SourceDocument } from "../places/resource.ts";
import { holdsSecret } from "./secret-text.ts";
import type { Source } from "../places/source.ts";
import { MAX_DEPTH, PARSE_OPTIONS } from "../yaml/yaml-options.ts";

/** Only the first error is kept: it is the cause, and a file that is not YAML has an error for each character. */
const MAX_SYNTAX_ERRORS = 100;

/** The part of a source's text that holds a document. */
export function placeIn(source: Source, start: number, end: number, outline?: Outline): SourceDocument {
  return { source, start, end, secret: holdsSecret(source.text.slice(start, end)), outline };
}

export class DocumentStream {
  /** The offset at which reading ended because deeper nesting would exhaust the stack. */
  tooDeepAt: number | undefined;
  readonly #source: Source;
  readonly #documents: Generator<Document.Parsed>;
  #start = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#documents = new Composer(PARSE_OPTIONS).compose(this.#tokens(), true, source.text.length);
  }

  next(): { document: Document.Parsed; place: SourceDocument } | undefined {
    const { done, value: document } = withoutStackTraces(() => this.#documents.next());
    if (done === true) return undefined;
    const place = this.#place(document.range[2]);
    this.#start = place.end;
    return { document, place };
  }

  /** The text after the last document. */
  rest(): SourceDocument {
    return this.#place(this.#source.text.length);
  }

  #place(end: number): SourceDocument {
    return placeIn(this.#source, this.#start, end);
  }

  *#tokens(): Generator<CST.Token> {
    const parser = new Parser();
    let errors = 0;
    for (const lexeme of new Lexer().lex(this.#source.text)) {
      for (const token of parser.next(lexeme)) {
        if (token.type === "error") errors += 1;
        yield token;
      }
      if (errors > MAX_SYNTAX_ERRORS) break;
      if (parser.stack.length > 2 * MAX_DEPTH) {
        this.tooDeepAt = parser.offset;
        return;
      }
    }
    yield* parser.end();
  }
}

/** The library makes an Error for each problem in the text; their stack traces take seconds and are never read. */
function withoutStackTraces<T>(act: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return act();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
