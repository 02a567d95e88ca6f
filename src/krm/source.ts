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
  /** Found in `--policy-dir`: then it must hold Kubernetes objects too, or a rule would be lost in silence. */
  readonly ofPolicyDir?: boolean;
  /**
   * Found by a `*` of `--policy-dir`: one of several clusters, also where no other has rules yet. The folder in which the
   * `*` stands.
   */
  readonly ofFleet?: string;
  /** The file of `--config`: its RenderConfig is the one to use. */
  readonly config: boolean;
  /** A host wrote the text anew from files of its own: lines in it mean nothing to anybody. */
  readonly withoutLines?: boolean;
}

interface Lines {
  readonly starts: readonly number[];
  /** The last place asked for: in a file of one long line, counting from its start each time would take minutes. */
  last: { start: number; offset: number; column: number };
}

const lines = new WeakMap<Source, Lines>();

/** Line and column of an offset in the source's text, both from 1; the column counts characters. */
export function positionAt(source: Source, offset: number): { line: number; column: number } {
  const known = linesOf(source);
  const { starts } = known;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  const start = starts[low]!;
  const from = known.last.start === start && known.last.offset <= offset ? known.last : { offset: start, column: 1 };
  const column = from.column + characters(source.text, from.offset, Math.min(offset, source.text.length));
  known.last = { start, offset, column };
  return { line: low + 1, column };
}

/** The text of a line, counted from 1, without its line break. */
export function lineText(source: Source, line: number): string {
  const { starts } = linesOf(source);
  const { text } = source;
  const end = starts[line] === undefined ? text.length : starts[line] - 1;
  return text.slice(starts[line - 1] ?? 0, text[end - 1] === "\r" ? end - 1 : end);
}

function linesOf(source: Source): Lines {
  let known = lines.get(source);
  if (known === undefined) {
    const starts = [0];
    for (let at = source.text.indexOf("\n"); at !== -1; at = source.text.indexOf("\n", at + 1)) starts.push(at + 1);
    known = { starts, last: { start: 0, offset: 0, column: 1 } };
    lines.set(source, known);
  }
  return known;
}

/** A surrogate pair is one character. */
function characters(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += text.codePointAt(at)! > 0xffff ? 2 : 1) count += 1;
  return count;
}
