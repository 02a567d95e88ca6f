/** Caches the results of a function of a text: a fleet repeats the same few texts. */

/** The cache is bounded: a program with the library runs for months, and authors of wrappers choose the texts. */
const MOST = 4000;
const LONGEST = 1000;

export function memoizeString<T>(answer: (text: string) => T, most = MOST): (text: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (text) => {
    const seen = known.get(text);
    if (seen !== undefined) return seen.value;
    const value = answer(text);
    if (text.length > LONGEST) return value;
    if (known.size >= most) known.clear();
    known.set(text, { value });
    return value;
  };
}
