/** The word that was meant: what counts as one edit, how many are allowed, which candidate wins. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestAmong, nearestWord } from "./nearest-word.ts";

describe("nearestWord", () => {
  it.each<[what: string, word: string, candidates: string[], limit: number | undefined, nearest: string | undefined]>([
    ["the word itself", "weight", ["limits", "weight"], undefined, "weight"],
    ["a letter missing", "weigt", ["weight"], 1, "weight"],
    ["a letter too many", "weighht", ["weight"], 1, "weight"],
    ["another letter", "weixht", ["weight"], 1, "weight"],
    ["two neighbours swapped", "wegiht", ["weight"], 1, "weight"],
    ["another case", "WEIGHT", ["weight"], 0, "weight"],
    ["the candidate keeps its case", "expireafter", ["expireAfter"], 0, "expireAfter"],
    ["two slips are forgiven", "weht", ["weight"], undefined, "weight"],
    ["three are not", "wet", ["weight"], undefined, undefined],
    ["unless asked for", "wet", ["weight"], 3, "weight"],
    ["the nearest wins", "limitz", ["lumits", "limits"], undefined, "limits"],
    ["the first of two equally near ones", "ab", ["ax", "ay"], undefined, "ax"],
    ["no candidates", "weight", [], undefined, undefined],
    ["no word", "", ["ab", "abc"], undefined, "ab"],
    ["no word, long candidates", "", ["abc"], undefined, undefined],
    ["an empty candidate", "a", [""], undefined, ""],
  ])("%s", (_what, word, candidates, limit, nearest) => {
    expect(nearestWord(word, candidates, limit)).toBe(nearest);
    expect(nearestAmong(candidates)(word, limit)).toBe(nearest);
  });

  it("accepts any single edit, and no edit turns a word into one that differs in length by two", () => {
    const word = fc.stringMatching(/^[a-z]{3,12}$/);
    fc.assert(
      fc.property(
        word,
        fc.nat(),
        fc.constantFrom("x", "q"),
        fc.constantFrom("insert", "drop", "change", "swap"),
        (right, seed, letter, slip) => {
          const at = seed % (right.length - 1);
          const [before, after] = [right.slice(0, at), right.slice(at)];
          const wrong = {
            insert: before + letter + after,
            drop: before + after.slice(1),
            change: before + letter + after.slice(1),
            swap: before + after[1]! + after[0]! + after.slice(2),
          }[slip];
          expect(nearestWord(wrong, [right], 1)).toBe(right);
          expect(nearestWord(`${wrong}xyz`, [right], 1)).toBeUndefined();
        },
      ),
    );
  });

  it("counts as many edits as a table without shortcuts, alone and among many", () => {
    const word = fc.stringMatching(/^[abAc.]{0,7}$/);
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 12 }), fc.nat({ max: 4 }), (one, candidates, limit) => {
        const counts = candidates.map((candidate) => edits(candidate.toLowerCase(), one.toLowerCase()));
        const least = Math.min(...counts);
        const nearest = least > limit ? undefined : candidates[counts.indexOf(least)];
        expect(nearestWord(one, candidates, limit)).toBe(nearest);
        expect(nearestAmong(candidates)(one, limit)).toBe(nearest);
      }),
      { numRuns: 2000 },
    );
  });

  it("answers at once for a word of a million letters", () => {
    expect(nearestWord("x".repeat(1_000_000), ["weight", "limits"])).toBeUndefined();
  });
});

/** Each start of one word against each start of the other. */
function edits(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      table[i]![j] = Math.min(
        table[i - 1]![j]! + 1,
        table[i]![j - 1]! + 1,
        table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? table[i - 2]![j - 2]! + 1 : Infinity,
      );
    }
  return table[a.length]![b.length]!;
}
