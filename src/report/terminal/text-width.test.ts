/** Columns of text, and text cut and filled to them: wide characters, marks, pictures, colours. */
import { expect, test } from "vitest";
import { cutPainted, cutTo, padTo, startOf, textWidth, widestOf } from "./text-width.ts";

test.each([
  ["", 0],
  ["node", 4],
  ["zażółć", 6],
  ["e\u0301", 1],
  ["節点", 4],
  ["👍a", 3],
  ["a\u200bb", 2],
])("%j takes %i", (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test("the widest of several", () => {
  expect(widestOf([])).toBe(0);
  expect(widestOf(["abc", "節点", ""])).toBe(4);
});

test.each([
  ["節点", 4, "節点"],
  ["節点", 3, "節…"],
  ["節点", 2, "…"],
  ["a b c", 3, "a…"],
  ["abc", 0, ""],
])("%j in %i columns: %j", (text, width, cut) => {
  expect(cutTo(text, width)).toBe(cut);
});

test("blanks fill up, have no colour, and cut nothing", () => {
  const paint = (text: string): string => `<${text}>`;
  expect(padTo("節", 4)).toBe("節  ");
  expect(padTo("節", 4, { right: true, paint })).toBe("  <節>");
  expect(padTo("abc", 2, { paint })).toBe("<abc>");
  expect(padTo("", 2, { paint })).toBe("  ");
});

test("never cuts a wide character in half", () => {
  expect(startOf("a節点", 2)).toBe("a");
  expect(startOf("a節点", 3)).toBe("a節");
});

test("colours take no column and are kept", () => {
  const line = "\u001b[31mabc\u001b[0mdef";
  expect(cutPainted(line, 6)).toBe(line);
  expect(cutPainted(line, 5)).toBe("\u001b[31mabc\u001b[0md…");
  expect(cutPainted(line, 3)).toBe("\u001b[31mab\u001b[0m…");
});
