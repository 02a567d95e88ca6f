/** Output as a page shows it against output as it was: `…` stands for lines left out, long lines may be wrapped. */

/** Only lines longer than this may be wrapped. */
const WIDTH = 120;
const LEFT_OUT = "…";

/**
 * The lines of the page as the program printed them: what is left out filled in, what is wrapped joined. They are equal
 * to `actual` where the page is right; where it is wrong they are given back as they are, so that a comparison shows it.
 */
export function fillIn(page: readonly string[], actual: readonly string[]): readonly string[] {
  return matches(page, 0, actual, 0) ? actual : page;
}

/** Whether the lines of an excerpt stand in a text, in order, with only `…` between those that are apart. */
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

/** How many lines of the page, from `at` on, hold one printed line: several where it is wrapped; 0 when they do not. */
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
