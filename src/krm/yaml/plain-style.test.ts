/** What the plain-style reader accepts, and that it leaves everything else to the library. */
import { describe, expect, it } from "vitest";
import { readPlainStyle } from "./plain-style.ts";

const value = (text: string): unknown => {
  const documents = readPlainStyle(text);
  return documents === undefined ? "left to the library" : documents.map((document) => document.value);
};

describe("what is accepted", () => {
  it.each<[string, string, readonly unknown[]]>([
    ["nothing", "", [null]],
    ["comments and empty lines", "# a\n\n  # b\n", [null]],
    ["a mapping", "a: b\nc: 1\n", [{ a: "b", c: 1 }]],
    ["no final line break", "a: b", [{ a: "b" }]],
    ["mappings in a mapping", "a:\n  b:\n    c: d\n  e: f\ng: h\n", [{ a: { b: { c: "d" }, e: "f" }, g: "h" }]],
    ["keys without a value", "a:\nb:\n  c:\n", [{ a: null, b: { c: null } }]],
    ["a list below its key", "a:\n- b\n- c\nd: e\n", [{ a: ["b", "c"], d: "e" }]],
    ["a list further in", "a:\n  - b\n  - c\nd: e\n", [{ a: ["b", "c"], d: "e" }]],
    ["mappings in a list", "- a: b\n  c: d\n- a: e\n", [[{ a: "b", c: "d" }, { a: "e" }]]],
    ["a value on the next line", "a:\n  b\nc: d\n", [{ a: "b", c: "d" }]],
    ["wide dashes", "-   a: b\n    c: d\n", [[{ a: "b", c: "d" }]]],
    ["lists in a list", "- - a\n  - b\n- - c\n", [[["a", "b"], ["c"]]]],
    ["dashes alone", "-\n- a: b\n-\n  c: d\n", [[null, { a: "b" }, { c: "d" }]]],
    [
      "lists in brackets",
      "a: [b, 'c, d', \"e\", 4, true]\nf: []\ng: {}\n",
      [{ a: ["b", "c, d", "e", 4, true], f: [], g: {} }],
    ],
    ["brackets in brackets", "a: [[b], [], [c, [d]]]\n", [{ a: [["b"], [], ["c", ["d"]]] }]],
    [
      "mappings in braces",
      "a: {b: c, 'd e': [{f: 1}], \"g\":{}}\nh: i # j\n- ".slice(0, -2),
      [{ a: { b: "c", "d e": [{ f: 1 }], g: {} }, h: "i" }],
    ],
    ["a comma at the end", "a: [b,]\nc: {d: e, }\n", [{ a: ["b"], c: { d: "e" } }]],
    ["brackets on more lines", "a: [b,\n  c\n ,\n\n d\n ] # e\nf: g\n", [{ a: ["b", "c", "d"], f: "g" }]],
    ["braces in a list on more lines", "- a: {b: c,\n   d: e}\n  f: g\n", [[{ a: { b: "c", d: "e" }, f: "g" }]]],
    ["a colon in brackets", "a: [arn:aws:iam::1:role/x]\n", [{ a: ["arn:aws:iam::1:role/x"] }]],
    ["brackets on a line of their own", "a:\n  [b]\nc:\n  {d: e}\n", [{ a: ["b"], c: { d: "e" } }]],
    ["quotes", "a: 'b: c # d'\n\"e f\": \"\"\n'g': h\n", [{ a: "b: c # d", "e f": "", g: "h" }]],
    ["comments behind values", "a: b # c\nd: # e\n  f: g\n- ".slice(0, -2), [{ a: "b", d: { f: "g" } }]],
    [
      "words",
      "a: b c  # d\nschedule: 0 8 * * mon-fri\nurl: https://x:80/y\n",
      [{ a: "b c", schedule: "0 8 * * mon-fri", url: "https://x:80/y" }],
    ],
    ["documents", "---\na: b\n---\n---\nc: d\n", [{ a: "b" }, null, { c: "d" }]],
    [
      "null and booleans",
      "a: null\nb: ~\n".replace("b: ~\n", "") + "c: true\nd: False\ne: yes\n",
      [{ a: null, c: true, d: false, e: "yes" }],
    ],
    ["integers", "a: 0\nb: -12\nc: +3\nd: 010\ne: 0o17\nf: 0x1F\n", [{ a: 0, b: -12, c: 3, d: 10, e: 15, f: 31 }]],
    ["integers that a number would round", "a: 9223372036854775807\n", [{ a: 9223372036854775807n }]],
    ["floats", "a: 1.50\nb: 1e3\nc: .5\nd: -.inf\n", [{ a: 1.5, b: 1000, c: 0.5, d: -Infinity }]],
    [
      "what looks like numbers",
      "a: 1_000\nb: 12:30\nc: 1.2.3\nd: 500m\ne: 2026-11-21\n",
      [{ a: "1_000", b: "12:30", c: "1.2.3", d: "500m", e: "2026-11-21" }],
    ],
    ["other text in comments and quotes", "a: 'ä' # ö\n", [{ a: "ä" }]],
  ])("%s", (_what, text, documents) => {
    expect(value(text)).toStrictEqual(documents);
  });

  it("has the documents' slices and outlines", () => {
    expect(readPlainStyle("# x\na: b\n---\nc: d\n")).toStrictEqual([
      { value: { a: "b" }, start: 0, end: 9, outline: [1, 4, 7] },
      { value: { c: "d" }, start: 9, end: 18, outline: [1, 4, 7] },
    ]);
  });
});

describe("what is left to the library", () => {
  it.each([
    ["block text", "a: |\n  b\n"],
    ["folded text", "a: >-\n  b\n"],
    ["a scalar on more lines", "a: b\n  c\n"],
    ["anchors", "a: &x b\n"],
    ["aliases", "a: *x\n"],
    ["tags", "a: !!str b\n"],
    ["merge keys", "<<: {}\n"],
    ["escapes", 'a: "b\\n"\n'],
    ["doubled quotes", "a: 'b''c'\n"],
    ["a pair in brackets", "a: [b: c]\n"],
    ["a key in braces without a value", "a: {b, c: }\n"],
    ["a key in braces next to its value", "a: {b:c}\n"],
    ["a key given twice in braces", "a: {b: c, b: d}\n"],
    ["a merge key in braces", "a: {<<: {}}\n"],
    ["a comment in braces", "a: {b: c, # d\n  e: f}\n"],
    ["an alias in brackets", "a: [*b]\n"],
    ["words in brackets", "a: [b c]\n"],
    ["brackets that do not end", "a: [b\nc: d\n"],
    ["brackets that end another line", "a: [b] c\n"],
    ["brackets as a key", "a:\n  [b]: c\n"],
    ["a line in brackets that starts at the column of the key", "a: [b,\nc]\n"],
    ["an ending bracket at the column of the key", "- a: [b\n  ]\n"],
    ["a key that is too long", `${"a".repeat(1025)}: b\n`],
    ["a long key in braces", `a: {${"a".repeat(1025)}: b}\n`],
    ["tabs", "a:\tb\n"],
    ["carriage returns", "a: b\r\n"],
    ["a byte order mark", "\ufeffa: b\n"],
    ["directives", "%YAML 1.2\n---\na: b\n"],
    ["an end marker", "a: b\n...\n"],
    ["text behind a marker", "--- a\n"],
    ["explicit keys", "? a\n: b\n"],
    ["a scalar alone", "a\n"],
    ["JSON", '{"a": "b"}\n'],
    ["keys given twice", "a: b\na: c\n"],
    ["__proto__", "__proto__: a\n"],
    ["a mapping behind a value", "a: b: c\n"],
    ["a mapping further in than its key allows", "a: b\n  c: d\n"],
    ["a mapping that comes back to no column", "a:\n    b: c\n  d: e\n"],
    ["a list behind a value", "a: b\n- c\n"],
    ["a scalar with a dash at the column of its key", "a:\n-.5 b\n"],
    ["a key behind a list", "- a\nb: c\n"],
    ["quotes that do not end", "a: 'b\n"],
    ["text behind quotes", "a: 'b' c\n"],
    ["a comment between a key and its scalar", "a:\n#b\n  c\nd: e\n"],
    ["numbers as keys", "1: a\n"],
    ["letters beyond ASCII outside of quotes", "a: ä\n"],
  ])("%s", (_what, text) => {
    expect(readPlainStyle(text)).toBeUndefined();
  });

  it("values nested deeper than any object", () => {
    const nested = (depth: number): string =>
      Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:\n`).join("");
    const object = Array.from({ length: 100 }).reduce<unknown>((inner) => ({ a: inner }), null);
    expect(value(nested(100))).toStrictEqual([object]);
    expect(readPlainStyle(nested(101))).toBeUndefined();
    expect(value(`a: ${"[".repeat(99)}${"]".repeat(99)}\n`)).not.toBe("left to the library");
    expect(readPlainStyle(`a: ${"[".repeat(100)}${"]".repeat(100)}\n`)).toBeUndefined();
  });

  it("accepts a list of more items than a pattern can match", () => {
    const [document] = readPlainStyle(`a: [${"a,".repeat(4_000_000)}]\n`)!;
    expect((document!.value as { a: string[] }).a).toHaveLength(4_000_000);
  });

  it("texts that need more of the engine's stack than there is", () => {
    const long = "x:".repeat(10_000_000);
    expect([`a: ${long}x\n`, `a: [${long}x]\n`].map(readPlainStyle)).toStrictEqual([undefined, undefined]);
  });
});
