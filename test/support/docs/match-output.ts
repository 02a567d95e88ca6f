/** Compares output on a page with real output: `…` stands for omitted lines, and long lines may be wrapped. */

/** Only lines longer than this may be wrapped. */
const WIDTH = 120;
const LEFT_OUT = "…";

/**
 * The lines of the page as the program printed them, with omitted lines filled in and wrapped lines joined. They equal
 * `actual` if the page is right; otherwise they are returned unchanged, so that a comparison shows the difference.
 */
export function fillIn(page: readonly string[], actual: readonly string[]): readonly string[] {
  return matches(page, 0, actual, 0) ? actual : page;
}

/** Whether the lines of an excerpt are in a text, in order, with `…` between those that are not adjacent. */
export function isExcerpt(page: readonly string[], text: readonly string[]): boolean {
  return text.some((_, start) => matches([...page, LEFT_OUT], 0, text, start));
}

function matches(page: readonly string[], at: number, actual: readonly string[], from: number): boolean {
  const line = page[at];
  if (line === undefined) return from === actual.length;
  if (line.trim() === LEFT_OUT) {
    for (let next = from; next <= actual.length; next += 1) if (matches(page, at + 1, actual, next)) return true;
    return false;
  }
  const printed = actual[from];
  if (printed === undefined) return false;
  const used = linesOf(page, at, printed);
  return used > 0 && matches(page, at + used, actual, from + 1);
}

/** How many lines of the page, from `at` on, contain one printed line: several if it is wrapped; 0 if they do not. */
function linesOf(page: readonly string[], at: number, printed: string): number {
  let joined = page[at]!;
  let used = 1;
  while (joined !== printed) {
    const next = page[at + used];
    const mayGoOn = printed.length > WIDTH && printed.startsWith(`${joined} `) && next?.startsWith("    ");
    if (!mayGoOn || next === undefined) return 0;
    joined += ` ${next.trimStart()}`;
    used += 1;
  }
  return used;
}
