/** Compares two long texts line by line in linear time, not always with the fewest hunks. */
import { diffArrays, type StructuredPatchHunk } from "diff";

/** Between two lines that occur once in both texts, there are few other lines. */
const MOST_CHANGED_LINES = 100;

const CONTEXT = 3;

/** A line with its end, and its sign in a patch. */
interface Change {
  readonly sign: " " | "-" | "+";
  readonly line: string;
}

export function largeDiff(before: string, after: string): StructuredPatchHunk[] {
  return hunksOf(changesOf(linesOf(before), linesOf(after)));
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Lines that occur once in both texts are anchors; the lines between two anchors are compared separately. */
function changesOf(old: readonly string[], now: readonly string[]): Change[] {
  const changes: Change[] = [];
  const [onceOld, onceNow] = [placesOfOnce(old), placesOfOnce(now)];
  let [oldAt, nowAt] = [0, 0];
  const upTo = (oldEnd: number, nowEnd: number): void => {
    for (const change of compared(old.slice(oldAt, oldEnd), now.slice(nowAt, nowEnd))) changes.push(change);
    [oldAt, nowAt] = [oldEnd, nowEnd];
  };
  for (const [line, place] of onceOld) {
    const other = onceNow.get(line);
    if (other !== undefined && place >= oldAt && other >= nowAt) upTo(place, other);
  }
  upTo(old.length, now.length);
  return changes;
}

/** In the order of the text. */
function placesOfOnce(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  for (const [place, line] of lines.entries())
    if (places.has(line)) twice.add(line);
    else places.set(line, place);
  return new Map([...places].filter(([line]) => !twice.has(line)));
}

function compared(old: string[], now: string[]): Change[] {
  const parts = diffArrays(old, now, { maxEditLength: MOST_CHANGED_LINES });
  const signed = (sign: Change["sign"], lines: readonly string[]) => lines.map((line) => ({ sign, line }));
  if (parts === undefined) return [...signed("-", old), ...signed("+", now)];
  return parts.flatMap(({ added, removed, value }) => signed(added ? "+" : removed ? "-" : " ", value));
}

function hunksOf(changes: readonly Change[]): StructuredPatchHunk[] {
  const hunks: StructuredPatchHunk[] = [];
  let [oldLine, newLine] = [1, 1];
  /** The last hunk can be extended up to this line. */
  let end = 0;
  for (const [at, { sign }] of changes.entries()) {
    if (sign !== " ") {
      let hunk = hunks.at(-1);
      if (hunk === undefined || at - CONTEXT > end) {
        const start = Math.max(at - CONTEXT, 0);
        const leading = at - start;
        hunk = { oldStart: oldLine - leading, newStart: newLine - leading, oldLines: 0, newLines: 0, lines: [] };
        hunks.push(hunk);
        end = start;
      }
      const next = Math.min(at + 1 + CONTEXT, changes.length);
      while (end < next) add(hunk, changes[end++]!);
    }
    if (sign !== "+") oldLine += 1;
    if (sign !== "-") newLine += 1;
  }
  return hunks;
}

function add(hunk: StructuredPatchHunk, { sign, line }: Change): void {
  if (sign !== "+") hunk.oldLines += 1;
  if (sign !== "-") hunk.newLines += 1;
  hunk.lines.push(sign + line.replace(/\n$/, ""));
  if (!line.endsWith("\n")) hunk.lines.push("\\ No newline at end of file");
}
