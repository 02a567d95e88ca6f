/** Lists indented below their keys: how they look, and that no value changes. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { withIndentedLists } from "./document-editor.ts";
import { toYaml } from "../yaml/write.ts";

const shifted = (value: unknown): string => withIndentedLists(toYaml(value).split("\n")).join("\n");

it("indents lists below their keys", () => {
  expect(shifted({ a: [{ b: [1], c: 2 }, [3]], d: { e: ["x"] } })).toBe(
    "a:\n  - b:\n      - 1\n    c: 2\n  - - 3\nd:\n  e:\n    - x\n",
  );
});

it("keeps every value", () => {
  const text = fc.oneof(fc.constantFrom("key:\n- item\n", "a\n  b:\n  - c", "- |\n x\n", "", "x: 1"), fc.string());
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, text, fc.integer(), tie("list"), tie("map")),
    list: fc.array(tie("value"), { maxLength: 3 }),
    map: fc.dictionary(fc.constantFrom("a", "b", "some key"), tie("value"), { maxKeys: 3 }),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("x", "y"), value), (one) => {
      expect(parse(shifted(one))).toStrictEqual(parse(toYaml(one)));
    }),
    { numRuns: 2000 },
  );
});
