/** Tests of texts inside scalars: each character leads to where it is written. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testSource } from "../../../test/support/source.ts";
import { parseSources } from "../parse/parse.ts";
import { fieldsOf } from "../values/fields.ts";
import type { Resource } from "./resource.ts";
import { scalarSource } from "./scalar-source.ts";
import { originOf, positionAt } from "./source.ts";

/** `line:column` of each place of a word in `data.x`. */
function placesOf(word: string, yaml: string): string[] {
  const [holder] = parseSources([testSource(yaml)]).value as [Resource];
  const text = String(fieldsOf(holder.value["data"])["x"]);
  const inner = scalarSource(holder, ["data", "x"], text);
  const places: string[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const { source, offset } = originOf(inner, at);
    const { line, column } = positionAt(source, offset);
    places.push(`${line}:${column}${source.withoutExcerpts === true ? " hidden" : ""}`);
  }
  return places;
}

const configMap = (data: string) => `apiVersion: v1\nkind: ConfigMap\ndata:\n${data}\n`;

describe("a text inside a scalar", () => {
  it.each<[what: string, data: string, places: string[]]>([
    ["a block", "  x: |\n    a: word\n    b:\n      word: 1\n  y: 1", ["5:8", "7:7"]],
    ["a block with empty lines", "  x: |+\n\n    a: word\n\n      \n    word: 1\n\n", ["6:8", "9:5"]],
    ["a block with its own indent", "  x: |2\n     a: word\n    word: 1", ["5:9", "6:5"]],
    ["a block with a comment", "  x: | # word\n    a: word", ["5:8"]],
    ["a block at the end of the file", "  x: |-\n    a: word", ["5:8"]],
    ["a folded block", "  x: >\n    a: word\n\n    word: 1", ["4:6", "4:6"]],
    ["quotes", '  x: "a: word\\nword: 1"', ["4:6", "4:6"]],
    ["quotes with a secret", '  x: "a: word\\nuserData: 1"', ["4:6 hidden"]],
  ])("%s", (_what, data, places) => {
    expect(placesOf("word", configMap(data))).toStrictEqual(places);
  });

  it("is found in any block, whatever is in it", () => {
    const line = fc.constantFrom("word: 1", "  word: é😀", "", "   ", "- word", "\tword", "# word");
    const lines = fc.array(line, { minLength: 1, maxLength: 12 }).filter((some) => /^\S/.test(some.join("").trim()));
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 5 }), (some, indent) => {
        const first = some.findIndex((one) => one.trim() !== "");
        // A block's first line decides its indent, unless a number does.
        const block = some.map((one) => (one === "" ? "" : " ".repeat(2 + indent) + one)).join("\n");
        const yaml = configMap(`  x: |${indent}\n${block}`);
        const expected = some.flatMap((one, at) => {
          const column = one.indexOf("word") + 3 + indent;
          return one.includes("word") ? [`${5 + at}:${column}`] : [];
        });
        if (first !== -1) expect(placesOf("word", yaml)).toStrictEqual(expected);
      }),
    );
  });
});
