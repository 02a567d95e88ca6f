/** Finds the word that a misspelt one was probably meant to be. */

/** The closest candidate within `limit` edits (insert, delete, change, swap neighbours; case is ignored). */
export function nearestWord(word: string, candidates: readonly string[], limit = 2): string | undefined {
  const meant = word.toLowerCase();
  let best: string | undefined;
  let most = limit;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > most) continue;
    const distance = editDistance(candidate.toLowerCase(), meant, most);
    if (distance > most) continue;
    best = candidate;
    most = distance - 1;
  }
  return best;
}

/** The number of edits from the start of a candidate to each start of the word; numbers above `most` are `most + 1`. */
type Row = readonly number[];

/** The row of a candidate's start, and that of the start one letter shorter. */
type Rows = readonly [Row, Row];

function editDistance(candidate: string, word: string, most: number): number {
  let rows: Rows = [firstRow(word), []];
  for (let length = 1; length <= candidate.length; length++) {
    const row = nextRow(candidate[length - 2], candidate[length - 1]!, { length, word, most }, rows);
    if (row === undefined) return most + 1;
    rows = [row, rows[0]];
  }
  return rows[0][word.length]!;
}

function firstRow(word: string): Row {
  const row: number[] = [];
  for (let index = 0; index <= word.length; index++) row.push(index);
  return row;
}

interface Within {
  /** The length of the candidate's start, with its last letter. */
  readonly length: number;
  readonly word: string;
  readonly most: number;
}

/** Only values near the diagonal can be within the limit. Undefined if none is. */
function nextRow(
  before: string | undefined,
  letter: string,
  { length, word, most }: Within,
  [previous, beforePrevious]: Rows,
): Row | undefined {
  const row = Array<number>(word.length + 1).fill(most + 1);
  row[0] = length;
  let least = length;
  for (let at = Math.max(1, length - most); at <= Math.min(word.length, length + most); at++) {
    const same = letter === word[at - 1];
    let distance = Math.min(row[at - 1]! + 1, previous[at]! + 1, previous[at - 1]! + (same ? 0 : 1));
    if (before !== undefined && before === word[at - 1] && letter === word[at - 2])
      distance = Math.min(distance, beforePrevious[at - 2]! + 1);
    row[at] = distance;
    least = Math.min(least, distance);
  }
  return least > most ? undefined : row;
}

/** A letter that several candidates share at this position. */
interface Branch {
  readonly next: Map<string, Branch>;
  /** The candidate that ends here; the first one if there are several. */
  candidate?: number;
}

/**
 * The same for many words with the same candidates: shared beginnings of candidates are compared once. Thousands of
 * instance types have similar names, and a list may exclude a hundred thousand that do not exist.
 */
export function nearestAmong(candidates: readonly string[]): (word: string, limit?: number) => string | undefined {
  const root: Branch = { next: new Map() };
  for (const [index, candidate] of candidates.entries()) {
    let branch = root;
    for (const letter of candidate.toLowerCase().split("")) {
      const next: Branch = branch.next.get(letter) ?? { next: new Map() };
      branch.next.set(letter, next);
      branch = next;
    }
    branch.candidate ??= index;
  }
  const longest = candidates.reduce((length, candidate) => Math.max(length, candidate.length), 0);
  return (word, limit = 2) => {
    if (word.length > longest + limit) return undefined;
    const meant = word.toLowerCase();
    let best = Infinity;
    let most = limit;
    const look = ({ candidate, next }: Branch, before: string | undefined, length: number, rows: Rows): void => {
      const distance = rows[0][meant.length]!;
      if (candidate !== undefined && distance <= most && (distance < most || candidate < best)) {
        best = candidate;
        most = distance;
      }
      for (const [letter, branch] of next) {
        const row = nextRow(before, letter, { length: length + 1, word: meant, most }, rows);
        if (row !== undefined) look(branch, letter, length + 1, [row, rows[0]]);
      }
    };
    look(root, undefined, 0, [firstRow(meant), []]);
    return candidates[best];
  };
}
