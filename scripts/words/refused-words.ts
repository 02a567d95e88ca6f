/** The words that readers stumble over, and finds them in a text. */

interface RefusedWord {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
}

/** Spaces, and the signs that begin a line of a comment, are white space to these patterns. */
const REFUSED: readonly RefusedWord[] = [
  { pattern: /\bnobody\b/gi, instead: "name what is missing, such as `no user` or `no replica`, or use the passive" },
  { pattern: /\bsomebody\b/gi, instead: "name the party, such as `a user`, `the author`, `another process`" },
  { pattern: /\bwhoever\b/gi, instead: "name the party, such as `the author of a wrapper`, `users that …`" },
  { pattern: /\b(?:get|gets|got|getting)\s+round\b/gi, instead: "bypass" },
  { pattern: /(?<!\bother\s+)\bways?\s+round\b/gi, instead: "a bypass" },
  { pattern: /\btold\s+of\b/gi, instead: "reported, logged" },
  { pattern: /\bcomes?\s+to(?=[,.;:)])/gi, instead: "is, means, results in" },
  { pattern: /\bcomes?\s+to\s+(?:at most|at least|one|nothing|much|more|\d)\b/gi, instead: "is, are, becomes" },
];

export interface WordHit {
  /** From 1. */
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

export function refusedWordsIn(prose: string): WordHit[] {
  const hits = REFUSED.flatMap(({ pattern, instead }) =>
    [...prose.matchAll(pattern)].map(({ index, 0: word }) => ({
      index,
      line: prose.slice(0, index).split("\n").length,
      word: word.replaceAll(/\s+/g, " "),
      instead,
    })),
  );
  return hits.toSorted((a, b) => a.index - b.index).map(({ line, word, instead }) => ({ line, word, instead }));
}
