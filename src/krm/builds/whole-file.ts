/** A file of one document, as plain data and as a place. */
import { DocumentStream } from "../parse/document-stream.ts";
import { plainValue } from "../parse/plain-value.ts";
import type { SourceDocument } from "../places/resource.ts";
import type { Source } from "../places/source.ts";

/** The value of a file's only document; undefined if it cannot be read, or has more of them. */
export function valueIn(source: Source): unknown {
  const stream = new DocumentStream(source);
  const first = stream.next();
  if (first === undefined || first.document.errors.length > 0 || stream.next() !== undefined) return undefined;
  const plain = plainValue(first.document.contents);
  return stream.tooDeepAt === undefined && "value" in plain ? plain.value : undefined;
}

/** The text as one document, in which fields are located. */
export function wholeOf(source: Source): SourceDocument {
  return { source, start: 0, end: source.text.length, secret: false };
}
