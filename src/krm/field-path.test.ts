/** Paths as text, their order, and what they lead to. */
import { describe, expect, it } from "vitest";
import { type FieldPath, formatFieldPath, startsWithPath, valueAt } from "./field-path.ts";

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
  });
});

describe("startsWithPath", () => {
  it.each<[path: FieldPath, prefix: FieldPath, starts: boolean]>([
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
  });
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
