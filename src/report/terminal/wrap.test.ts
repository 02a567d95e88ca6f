/** Lines wrapped to a width, with labels and indents. */
import { expect, test } from "vitest";
import { hangingText, indented, paintLead, wrapText, wrapWhole, wrapWords } from "./wrap.ts";

test("words, with two blanks between them if they are names", () => {
  expect(wrapWords(["m5", "c5", "r5"], 6)).toStrictEqual(["m5  c5", "r5"]);
  expect(wrapText("one two three", 7)).toStrictEqual(["one two", "three"]);
  expect(wrapText("節点 節点", 8)).toStrictEqual(["節点", "節点"]);
});

test("an indent takes columns of the width", () => {
  expect(wrapText("one two three", 9, 2)).toStrictEqual(["  one two", "  three"]);
  expect(indented(["a", "b"], 1)).toStrictEqual([" a", " b"]);
});

test("a word that is too long has its own line, or is split if nothing may be left out", () => {
  expect(wrapText("a abcdefgh b", 4)).toStrictEqual(["a", "abcdefgh", "b"]);
  expect(wrapWhole("a abcdefgh b", 4)).toStrictEqual(["a", "abcd", "efgh", "b"]);
  expect(wrapWhole("one two\nthree", 5, 2)).toStrictEqual(["one", "  two", "  thr", "  ee"]);
  expect(wrapWhole("節", 1)).toStrictEqual(["節", ""]);
});

test("text hangs behind a label, with a minimum width", () => {
  const words = "one two three four five six seven eight";
  expect(hangingText(words, { label: "  is ", indent: 5, width: 40 })).toStrictEqual([
    "  is one two three four five six seven",
    "     eight",
  ]);
  expect(hangingText(words, { label: "  is ", indent: 5, width: 10 })).toStrictEqual([
    "  is one two three four five six",
    "     seven eight",
  ]);
});

test("colours the lead if one line has all of it", () => {
  const lead = { words: "not so", paint: (text: string) => `<${text}>` };
  expect(paintLead(["not so good", "not so"], lead)).toStrictEqual(["<not so> good", "not so"]);
  expect(paintLead(["not", "so good"], lead)).toStrictEqual(["not", "so good"]);
});
