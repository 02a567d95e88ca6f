/** Parses text with the YAML library and returns the values of its documents. */
import { DocumentStream } from "../../../src/krm/parse/document-stream.ts";
import { plainValue } from "../../../src/krm/parse/plain-value.ts";
import type { Source } from "../../../src/krm/places/source.ts";

/** Undefined if it reports errors or warnings. Empty documents are ignored. */
export function byTheLibrary(text: string): unknown[] | undefined {
  const source: Source = { file: "a.yaml", folder: "", text, explicit: true, trusted: true, config: false };
  const stream = new DocumentStream(source);
  const values: unknown[] = [];
  for (let next = stream.next(); next !== undefined; next = stream.next()) {
    const { errors, warnings, contents } = next.document;
    if (errors.length > 0 || warnings.length > 0) return undefined;
    const plain = plainValue(contents);
    if ("refusal" in plain) return undefined;
    if (plain.value !== null) values.push(plain.value);
  }
  return stream.tooDeepAt === undefined ? values : undefined;
}
