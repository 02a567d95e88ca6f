/** Finds the first match before each item, without comparing all pairs. */

/** Clusters have few kinds. Kinds beyond this limit are not compared. */
const MOST_KINDS = 1000;

/**
 * The matches in the order of the items; undefined without a match. Items of one kind match the same items, so only the
 * first of each kind is compared.
 */
export function firstMatches<T>(
  items: readonly T[],
  kindOf: (item: T) => string,
  matches: (first: T, second: T) => boolean,
): readonly (T | undefined)[] {
  const firsts: T[] = [];
  const known = new Map<string, { match: T | undefined; compared: number }>();
  return items.map((item) => {
    const kind = kindOf(item);
    const isFirst = !known.has(kind);
    const answer = known.get(kind) ?? { match: undefined, compared: 0 };
    known.set(kind, answer);
    while (answer.match === undefined && answer.compared < firsts.length) {
      const first = firsts[answer.compared++]!;
      if (matches(first, item)) answer.match = first;
    }
    if (isFirst && firsts.length < MOST_KINDS) firsts.push(item);
    return answer.match;
  });
}
