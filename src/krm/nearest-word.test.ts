/** The word that was meant: what counts as one slip, how many are forgiven, and who wins. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestWord } from "./nearest-word.ts";

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
  });

  it("forgives any one slip, and no slip turns a word into one of another length by two", () => {
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

  it("answers at once for a word of a million letters", () => {
    expect(nearestWord("x".repeat(1_000_000), ["weight", "limits"])).toBeUndefined();
  });
});
