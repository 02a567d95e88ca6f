/** Answers to texts, each worked out once: the same few stand in every object of a fleet. */

/** A program with the library runs for months, and whoever may write a wrapper decides on its texts. */
const MOST = 4000;
const LONGEST = 1000;

export function oncePerText<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (text) => {
    const seen = known.get(text);
    if (seen !== undefined) return seen.value;
    const value = answer(text);
    if (text.length > LONGEST) return value;
    if (known.size >= MOST) known.clear();
    known.set(text, { value });
    return value;
  };
}
