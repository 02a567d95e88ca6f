/** A piece of input as text, before anything is understood: one file, or the standard input. */

export interface Source {
  /** How findings name it: the path as the user reached it, with `/`, or `<stdin>`. */
  readonly file: string;
  /** The folder that decides which hosted cluster governs it; `""` for a stream. */
  readonly folder: string;
  readonly text: string;
  /** Named by the user, not found in a directory: then it must hold Kubernetes objects. */
  readonly explicit: boolean;
  /** Whether policies and other rules may be read from it (`--policy-dir`). */
  readonly trusted: boolean;
  /** The file of `--config`: its RenderConfig is the one to use. */
  readonly config: boolean;
}

const lineStarts = new WeakMap<Source, number[]>();

/** Line and column of an offset in the source's text, both from 1; the column counts characters. */
export function positionAt(source: Source, offset: number): { line: number; column: number } {
  let starts = lineStarts.get(source);
  if (starts === undefined) {
    starts = [0];
    for (let at = source.text.indexOf("\n"); at !== -1; at = source.text.indexOf("\n", at + 1)) starts.push(at + 1);
    lineStarts.set(source, starts);
  }
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  const before = source.text.slice(starts[low], offset);
  return { line: low + 1, column: [...before].length + 1 };
}

/** The text of a line, counted from 1, without its line break. */
export function lineText(source: Source, line: number): string {
  const starts = lineStarts.get(source);
  const start = starts?.[line - 1] ?? 0;
  const end = source.text.indexOf("\n", start);
  return source.text.slice(start, end === -1 ? undefined : end).replace(/\r$/, "");
}
