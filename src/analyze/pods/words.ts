/** Joins texts for a sentence: `a`, `a and b`, `a, b and c`. */

export function and(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)!}`;
}
