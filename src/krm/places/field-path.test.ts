/** Tests of field paths: their text, their order and their values. */
import { describe, expect, it, test } from "vitest";
import {
  EACH,
  type FieldPath,
  type FieldPattern,
  formatFieldPath,
  movedPath,
  parseFieldPath,
  parseFieldPattern,
  samePath,
  startsWithPath,
  valueAt,
  valuesAt,
} from "./field-path.ts";

describe("formatFieldPath", () => {
  it.each<[path: FieldPath, text: string]>([
    [[], ""],
    [["spec"], "spec"],
    [["spec", "requirements", 0, "values", 12], "spec.requirements[0].values[12]"],
    [[0, "a"], "[0].a"],
    [["a", 0, 1], "a[0][1]"],
    [["metadata", "labels", "app.kubernetes.io/managed-by"], 'metadata.labels["app.kubernetes.io/managed-by"]'],
    [["app.kubernetes.io/name"], '["app.kubernetes.io/name"]'],
    [["a-b", "_c", "d9"], "a-b._c.d9"],
    [["9a"], '["9a"]'],
    [["0"], '["0"]'],
    [[""], '[""]'],
    [["a b", 'c"d', "e\nf", "é"], '["a b"]["c\\"d"]["e\\nf"]["é"]'],
    [["__proto__", "constructor"], "__proto__.constructor"],
  ])("%j", (path, text) => {
    expect(formatFieldPath(path)).toBe(text);
    // The reverse.
    expect(parseFieldPath(text)).toStrictEqual(path.length === 0 ? undefined : path);
  });
});

describe("parseFieldPattern", () => {
  it.each<[text: string, pattern: FieldPattern]>([
    ["taints[*].value", ["taints", EACH, "value"]],
    ["spec.*.x", ["spec", EACH, "x"]],
    [".spec", ["spec"]],
    ['tags["*"]', ["tags", "*"]],
    ['["a\\"\\\\\\u0041"]', ['a"\\A']],
  ])("%s", (text, pattern) => {
    expect(parseFieldPattern(text)).toStrictEqual(pattern);
    expect(parseFieldPath(text)).toStrictEqual(pattern.includes(EACH) ? undefined : pattern);
  });

  it.each(["", "a.", "a..b", "a[", "a[b]", "a[1", "a[-1]", "a[0]b", 'a["b]', 'a["\\q"]', 'a["\\"]', "a b", "1a", "a*"])(
    "%j is not a pattern",
    (text) => {
      expect(parseFieldPattern(text)).toBeUndefined();
    },
  );
});

describe("startsWithPath", () => {
  it.each<[path: FieldPath, prefix: FieldPattern, starts: boolean]>([
    [["a", 0, "b"], ["a", EACH], true],
    [["a"], ["a", EACH], false],
    [["a", "*"], ["a", EACH], true],
    [["a", 0], ["a", "*"], false],
    [[], [], true],
    [["a"], [], true],
    [["a", 0, "b"], ["a", 0], true],
    [["a", 0], ["a", 0], true],
    [["a"], ["a", 0], false],
    [["a", 0], ["a", 1], false],
    [["a", 0], ["a", "0"], false],
    [["ab"], ["a"], false],
  ])("%j, %j", (path, prefix, starts) => {
    expect(startsWithPath(path, prefix)).toBe(starts);
    expect(samePath(path, prefix)).toBe(starts && path.length === prefix.length);
  });
});

test("a field moves with its parent", () => {
  expect(movedPath(["spec", "a", 0, "b"], ["spec", "a"], ["spec", "c", "d"])).toStrictEqual(["spec", "c", "d", 0, "b"]);
});

test("all values of a pattern, with their paths", () => {
  const value = { a: [{ b: 1 }, { c: 2 }, null, { b: 3 }], d: { "x/y": "z" } };
  expect(valuesAt(value, ["a", EACH, "b"])).toStrictEqual([
    { path: ["a", 0, "b"], value: 1 },
    { path: ["a", 3, "b"], value: 3 },
  ]);
  expect(valuesAt(value, ["d", EACH])).toStrictEqual([{ path: ["d", "x/y"], value: "z" }]);
  expect(valuesAt(value, [])).toStrictEqual([{ path: [], value }]);
  expect(valuesAt(value, ["toString"])).toStrictEqual([]);
});

describe("valueAt", () => {
  const value = { a: [{ b: 1 }, null], n: null, f: false, s: "text" };
  it.each<[path: FieldPath, found: unknown]>([
    [[], value],
    [["a", 0, "b"], 1],
    [["a", 1], null],
    [["a", 1, "x"], undefined],
    [["a", 2], undefined],
    [["a", "0", "b"], 1],
    [["n"], null],
    [["f"], false],
    [["f", "x"], undefined],
    [["s", 0], undefined],
    [["s", "length"], undefined],
    [["toString"], undefined],
    [["__proto__"], undefined],
    [["constructor", "name"], undefined],
  ])("%j", (path, found) => {
    expect(valueAt(value, path)).toBe(found);
  });

  it.each([undefined, null, 1, "text"])("nothing below %j", (scalar) => {
    expect(valueAt(scalar, [])).toBe(scalar);
    expect(valueAt(scalar, ["a"])).toBeUndefined();
  });
});
