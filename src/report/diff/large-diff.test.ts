/** Hunks of long texts are correct, and long texts are shown by them. */
import { applyPatch } from "diff";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { largeDiff } from "./large-diff.ts";
import { textDiff } from "./text-diff.ts";
import { PLAIN } from "../terminal/style.ts";

const patchOf = (before: string, after: string) => ({
  oldFileName: "a",
  newFileName: "b",
  oldHeader: undefined,
  newHeader: undefined,
  hunks: largeDiff(before, after),
});

it("turns one text into the other, for any texts", () => {
  const text = fc
    .array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "d 1\n", "e 2\n", "f 3\n", "g 4\n", "h 5\n"), { maxLength: 40 })
    .chain((lines) => fc.constantFrom("", "x", "a").map((end) => lines.join("") + end));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applyPatch(before, patchOf(before, after))).toBe(after);
    }),
    { numRuns: 3000 },
  );
});

it("shows changes with three lines of context", () => {
  const lines = (changed: string) =>
    Array.from({ length: 30 }, (_, at) => (at === 9 || at === 14 || at === 25 ? `${changed}${at}\n` : `line ${at}\n`));
  expect(largeDiff(lines("old ").join(""), lines("new ").join(""))).toStrictEqual([
    {
      oldStart: 7,
      newStart: 7,
      oldLines: 12,
      newLines: 12,
      lines: [
        " line 6",
        " line 7",
        " line 8",
        "-old 9",
        "+new 9",
        " line 10",
        " line 11",
        " line 12",
        " line 13",
        "-old 14",
        "+new 14",
        " line 15",
        " line 16",
        " line 17",
      ],
    },
    {
      oldStart: 23,
      newStart: 23,
      oldLines: 7,
      newLines: 7,
      lines: [" line 22", " line 23", " line 24", "-old 25", "+new 25", " line 26", " line 27", " line 28"],
    },
  ]);
});

it("shows a long text with many changes", () => {
  const text = (word: string) =>
    Array.from({ length: 3000 }, (_, at) => `name: ${at}\n${word}: ${word}\nkind: a\n`).join("");
  const [before, after] = [text("old"), text("new")];
  const shown = textDiff("/x/pools.yaml", before, after, PLAIN);
  expect(shown.split("\n").slice(0, 7)).toStrictEqual([
    "--- a/x/pools.yaml",
    "+++ b/x/pools.yaml",
    "@@ -1,9000 +1,9000 @@",
    " name: 0",
    "-old: old",
    "+new: new",
    " kind: a",
  ]);
  expect(applyPatch(before, shown)).toBe(after);
});
