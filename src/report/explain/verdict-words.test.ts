/** The text of entries, as their author wrote them. */
import { expect, it } from "vitest";
import { demandWords, requirementWords } from "./verdict-words.ts";

it.each([
  ["In [a b]", undefined, "In [a b]"],
  ["Exists >=16", "Gt 15", "Gt 15"],
  ["Exists <=3 minValues 2", "Lt 4", "Lt 4 minValues 2"],
  ["DoesNotExist", undefined, "DoesNotExist: without the label"],
  ["Exists", undefined, "Exists"],
])("an entry %s", (requirement, written, words) => {
  expect(demandWords(written === undefined ? { requirement } : { requirement, written })).toBe(words);
});

it.each([
  ["Exists >=16 <=64", ">=16 <=64"],
  ["NotIn [a] >=4", "NotIn [a] >=4"],
  ["DoesNotExist", "DoesNotExist: without the label"],
])("the merged entries: %s", (requirement, words) => {
  expect(requirementWords(requirement)).toBe(words);
});
