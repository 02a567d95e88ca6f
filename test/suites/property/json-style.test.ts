/** Compares the JSON reader with the YAML library, on values of all kinds and on texts with mistakes. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonStyle } from "../../../src/krm/yaml/json-style.ts";
import { byTheLibrary } from "../../support/property/by-the-library.ts";

const key = fc.oneof(
  fc.constantFrom("a", "b", "kind", "metadata", "__proto__", "<<", "null", "1", "", "a: b", "#", "é", "\u2028"),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1.5, 1e21, 2 ** 53, -(2 ** 53), 1e-7, "", "~", "<<", "0x1"),
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.double(),
    fc.array(tie("any"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc.dictionary(key, tie("any"), { maxKeys: 4, noNullPrototype: true }),
})).object;

const text = fc
  .record({ value, indent: fc.constantFrom(undefined, 1, 2, 4), end: fc.constantFrom("", "\n") })
  .map(({ value, indent, end }) => JSON.stringify(value, undefined, indent) + end);

const piece = fc.constantFrom(
  ...'"a":1,|"a": 2,|{|}|[|]|,|:| :|"|\\|\\u00e9|\\ud83d|\\/|\\x|0|1|-0|01|1e400|9007199254740993|null|nul|#|# a|\'|-|---|&a |*a|!t |?|/*a*/'.split(
    "|",
  ),
  " ",
  "\n",
  "\n\n",
  "\t",
  "\r\n",
  "\u0001",
  "\ufeff",
  "\u00a0",
);
const spoilt = fc
  .record({
    text,
    mistakes: fc.array(fc.record({ at: fc.nat(), removed: fc.nat({ max: 4 }), piece }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ text, mistakes }) =>
    mistakes.reduce((given, { at, removed, piece }) => {
      const place = at % (given.length + 1);
      return given.slice(0, place) + piece + given.slice(place + removed);
    }, text),
  );

/** @returns whether the reader accepted the text */
function compare(given: string): boolean {
  const documents = readJsonStyle(given);
  if (documents === undefined) return false;
  expect(documents).toStrictEqual([{ value: byTheLibrary(given)?.[0], start: 0, end: given.length }]);
  return true;
}

describe("JSON", () => {
  it("has the same value as in the library", () => {
    let taken = 0;
    fc.assert(
      fc.property(text, (given) => void (taken += Number(compare(given)))),
      { numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(2_000);
  });

  it("is never accepted if the library refuses it or reads another value", () => {
    let taken = 0;
    fc.assert(
      fc.property(spoilt, (given) => void (taken += Number(compare(given)))),
      { numRuns: 20_000 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  it.each([
    ["a key given twice", '{"a": 1, "b": {"a": 1, "a": 2}}'],
    ["a number that would be rounded", '{"a": 9007199254740993}'],
    ["a nesting without end", `{"a": ${"[".repeat(100)}${"]".repeat(100)}}`],
    ["a key that YAML does not read", `{"${"a".repeat(1025)}": 1}`],
    ["two documents", '{"a": 1}\n{"b": 2}'],
    ["a list", "[1]"],
    ["tabs", '{\n\t"a": 1\n}'],
    ["text that is cut off", '{"a": [1, 2'],
  ])("leaves %s to the library", (_what, given) => {
    expect(readJsonStyle(given)).toBeUndefined();
  });

  it("reads a string beyond the backtracking limit of patterns", () => {
    expect(readJsonStyle(`{"a": "${"x".repeat(20_000_000)}"}`)).toHaveLength(1);
    expect(readJsonStyle(`{"a": "${"\\n".repeat(20_000_000)}"}`)).toBeUndefined();
  });
});
