/** Texts inside scalars, such as a manifest in a ConfigMap, as sources of their own. */
import type { FieldPath } from "./field-path.ts";
import { locateField } from "./locate.ts";
import type { Resource } from "./resource.ts";
import { hiddenSource, originOf, positionAt, type Source } from "./source.ts";

/**
 * The text of the scalar at `path` as a source, whose characters lead to where they are written: in a literal block to
 * their line, in quotes to the scalar.
 */
export function scalarSource(holder: Pick<Resource, "document" | "base">, path: FieldPath, text: string): Source {
  const { source: outer } = holder.document;
  const inner = { ...outer, explicit: false, text };
  let known: Origin | undefined;
  return { ...inner, origin: (offset) => (known ??= originIn(inner, holder, path))(offset) };
}

type Origin = NonNullable<Source["origin"]>;

function originIn(inner: Source, holder: Pick<Resource, "document" | "base">, path: FieldPath): Origin {
  const { document } = holder;
  const { text } = inner;
  const { source, offset: start } = originOf(document.source, locateField(holder, path));
  const lines = linesInBlock(source.text, start, text.trimEnd().split("\n"));
  if (lines === undefined) {
    const isShown = !document.secret && text.length <= LONGEST_EXCERPT && !/secret|user-?data/i.test(text);
    const place = { source: isShown ? source : hiddenSource(source), offset: start };
    return () => place;
  }
  return (offset) => {
    const { line } = positionAt(inner, offset);
    const before = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
    const end = lines.length - 1;
    return { source, offset: lines[Math.min(line - 1, end)]! + (line - 1 > end ? 0 : offset - before) };
  };
}

/** A longer line is no help to a reader. */
const LONGEST_EXCERPT = 200;

/** Where each line of a literal block begins after its indent; undefined if there is no such block. */
function linesInBlock(text: string, header: number, lines: readonly string[]): readonly number[] | undefined {
  if (text[header] !== "|") return undefined;
  let at = header;
  let indent: number | undefined;
  const starts: number[] = [];
  for (const line of lines) {
    at = text.indexOf("\n", at) + 1;
    const end = text.indexOf("\n", at);
    const written = text.slice(at, end === -1 ? text.length : end);
    if (at === 0 || written.trim() !== line.trim()) return undefined;
    if (line.trim() !== "") indent ??= written.search(/\S/) - line.search(/\S/);
    starts.push(at + (line === "" ? 0 : (indent ?? 0)));
  }
  return starts;
}
