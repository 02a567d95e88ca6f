/** Offsets to lines and columns, and lines to their text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineText, positionAt } from "./source.ts";
import { testSource } from "../../../test/support/source.ts";

describe("positionAt", () => {
  it.each<[text: string, offset: number, line: number, column: number]>([
    ["", 0, 1, 1],
    ["abc", 0, 1, 1],
    ["abc", 3, 1, 4],
    ["a\nbc", 1, 1, 2],
    ["a\nbc", 2, 2, 1],
    ["a\r\nbc", 4, 2, 2],
    ["a\n", 2, 2, 1],
    ["\n\n\n", 2, 3, 1],
    ["é😀x", 1, 1, 2],
    ["é😀x", 3, 1, 3],
    ["a\té", 2, 1, 3],
    ["abc", 99, 1, 4],
  ])("%j at %i", (text, offset, line, column) => {
    expect(positionAt(testSource(text), offset)).toStrictEqual({ line, column });
  });

  it("counts as a reader does, whatever the earlier calls", () => {
    const text = fc
      .array(fc.constantFrom("a", "é", "😀", "\t", "\n", "\r\n", "é😀".repeat(200)), { maxLength: 30 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 2000 }), { maxLength: 8 }), (written, questions) => {
        const source = testSource(written);
        for (const question of questions) {
          const offset = Math.min(question, written.length);
          // Not into the middle of a character.
          if (/[\udc00-\udfff]/.test(written.charAt(offset))) continue;
          const before = written.slice(0, offset).split("\n");
          expect(positionAt(source, offset)).toStrictEqual({
            line: before.length,
            column: [...before.at(-1)!].length + 1,
          });
        }
      }),
    );
  });

  it("answers for each of a hundred thousand places on one line, from its end", () => {
    const source = testSource("x".repeat(4_000_000));
    let sum = 0;
    for (let at = 99_999; at >= 0; at--) sum += positionAt(source, at * 40).column;
    expect(sum).toBe((40 * 99_999 * 100_000) / 2 + 100_000);
  });
});

describe("lineText", () => {
  it.each<[text: string, lines: string[]]>([
    ["", [""]],
    ["a", ["a"]],
    ["a\nb\n", ["a", "b", ""]],
    ["a\r\n\r\nb\r\n", ["a", "", "b", ""]],
    ["a\rb\r", ["a\rb"]],
    ["\n\n", ["", "", ""]],
  ])("%j", (text, lines) => {
    expect(lines.map((_line, at) => lineText(testSource(text), at + 1))).toStrictEqual(lines);
  });
});
