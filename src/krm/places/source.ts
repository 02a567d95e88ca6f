/** The text of one input before it is parsed: one file, or the standard input. */

export interface Source {
  /** Its name in findings: the path as the user reached it, with `/`, or `<stdin>`. */
  readonly file: string;
  /** The folder that decides which hosted cluster governs it; `""` for a stream. */
  readonly folder: string;
  readonly text: string;
  /** Set if `text` spells its placeholders so that YAML takes them: the text of the file, of the same length. */
  readonly written?: string;
  /** Named by the user, not found in a directory: then it must hold Kubernetes objects. */
  readonly explicit: boolean;
  /** Whether policies and other rules may be read from it (`--policy-dir`). */
  readonly trusted: boolean;
  /** Found in `--policy-dir`: then it must hold Kubernetes objects too, or a rule would be lost silently. */
  readonly ofPolicyDir?: boolean;
  /** With `ofPolicyDir`: its path from the root, by which a RenderConfig may extend its policy. */
  readonly place?: string;
  /**
   * Found by a `*` of `--policy-dir`: the folder that holds the `*`. It is one of several clusters, even if no other
   * has rules yet.
   */
  readonly ofFleet?: string;
  /** With `ofFleet`: the folder that the last `*` matched. Rules in it have no effect outside it. */
  readonly tree?: string;
  /** Configuration of kustomize or kpt by its name: only Karpenter's objects in it count. */
  readonly ofOtherTool?: boolean;
  /** The file of `--config`: its RenderConfig is the one to use. */
  readonly config: boolean;
  /** Whether it may be a rule file of Prometheus, which has no kind. */
  readonly alertRules?: boolean;
  /** A host wrote the text anew from files of its own: its line numbers mean nothing to users. */
  readonly withoutLines?: boolean;
  /** Set if the text was made from other files, such as templates: where a character of it was written. */
  readonly origin?: (offset: number) => { readonly source: Source; readonly offset: number };
  /** The resource of a Terraform plan that holds it: its lines may be one. */
  readonly address?: string;
  /** Holds values that no excerpt may show. */
  readonly withoutExcerpts?: boolean;
  /** The folder of the kustomization or chart that it was built from: a cluster of its own. */
  readonly built?: string;
}

/** Where a character of a text was written. */
export function originOf(source: Source, offset: number): { readonly source: Source; readonly offset: number } {
  return source.origin?.(offset) ?? { source, offset };
}

const hidden = new WeakMap<Source, Source>();

/** The same source for places that no excerpt may show: one for all of them, because its lines are counted once. */
export function hiddenSource(source: Source): Source {
  const made = hidden.get(source) ?? { ...source, withoutExcerpts: true };
  hidden.set(source, made);
  return made;
}

interface Lines {
  readonly starts: readonly number[];
  /**
   * The column at each step of a line: in a file of one long line, counting from its start each time would take
   * minutes.
   */
  readonly columns: Map<number, number[]>;
}

/** In UTF-16 code units. */
const STEP = 256;

const lines = new WeakMap<Source, Lines>();

/** Line and column of an offset in the source's text, both from 1; the column counts characters. */
export function positionAt(source: Source, offset: number): { line: number; column: number } {
  const { starts, columns } = linesOf(source);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  const { text } = source;
  const end = Math.min(offset, text.length);
  const steps = Math.max(0, Math.floor((end - starts[low]!) / STEP));
  const from = starts[low]! + steps * STEP;
  if (steps > 0 && !columns.has(low)) columns.set(low, [1]);
  const known = columns.get(low) ?? [1];
  for (let at = starts[low]! + (known.length - 1) * STEP; known.length <= steps; at += STEP)
    known.push(known.at(-1)! + characters(text, at, at + STEP));
  return { line: low + 1, column: known[steps]! + characters(text, from, end) };
}

/** The text of a line, counted from 1, without its line break. */
export function lineText(source: Source, line: number): string {
  const { starts } = linesOf(source);
  const { text, written = text } = source;
  const end = starts[line] === undefined ? text.length : starts[line] - 1;
  return written.slice(starts[line - 1] ?? 0, text[end - 1] === "\r" ? end - 1 : end);
}

function linesOf(source: Source): Lines {
  let known = lines.get(source);
  if (known === undefined) {
    const starts = [0];
    for (let at = source.text.indexOf("\n"); at !== -1; at = source.text.indexOf("\n", at + 1)) starts.push(at + 1);
    known = { starts, columns: new Map() };
    lines.set(source, known);
  }
  return known;
}

/** A surrogate pair is one character, and counts where it begins. */
function characters(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (at === 0 || text.codePointAt(at - 1)! <= 0xffff) count += 1;
  return count;
}
