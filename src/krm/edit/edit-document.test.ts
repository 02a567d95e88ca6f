/** Documents that get another value: those edited in place, and those written anew. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { editDocument } from "./edit-document.ts";

interface Case {
  readonly what: string;
  readonly before: string;
  readonly wanted: unknown;
  readonly after: string;
}

const CASES: readonly Case[] = [
  {
    what: "changes a scalar in its own quotes",
    before: `a: 'x'   # one\nb: "y"\nc: z # three\n`,
    wanted: { a: "it's", b: "v", c: "w" },
    after: `a: 'it''s'   # one\nb: "v"\nc: w # three\n`,
  },
  {
    what: "quotes what would be read as something else",
    before: "a: x\nb: y\n",
    wanted: { a: "on", b: "1e3" },
    after: `a: "on"\nb: "1e3"\n`,
  },
  {
    what: "removes a field with its lines and the comment above it",
    before: "a: 1\n\n# about b\n# more\nb:\n  c: 2 # two\n# about d\nd: 3\n",
    wanted: { a: 1, d: 3 },
    after: "a: 1\n\n# about d\nd: 3\n",
  },
  {
    what: "removes a field behind a dash",
    before: "list:\n  - a: 1\n    b: 2\n  - c: 3\n",
    wanted: { list: [{ b: 2 }, { c: 3 }] },
    after: "list:\n  - b: 2\n  - c: 3\n",
  },
  {
    what: "removes a block of text to its last line",
    before: "a: |\n  one\n\n  two\nb: 2\n",
    wanted: { b: 2 },
    after: "b: 2\n",
  },
  {
    what: "writes a new field below the one that it follows",
    before: "a: 1 # one\nb: 2",
    wanted: { a: 1, m: { x: ["z"] }, b: 2 },
    after: "a: 1 # one\nm:\n  x:\n  - z\nb: 2",
  },
  {
    what: "ends the last line before it writes another one",
    before: "a:\n    b: 1",
    wanted: { a: { b: 1, c: [2] }, d: 3 },
    after: "a:\n    b: 1\n    c:\n    - 2\nd: 3\n",
  },
  {
    what: "moves a field with its comments",
    before: "from:\n  # why\n  x: 1 # so\n  y: 2\nto:\n    z: 3\n",
    wanted: { from: { y: 2 }, to: { z: 3, x: 1 } },
    after: "from:\n  y: 2\nto:\n    z: 3\n    # why\n    x: 1 # so\n",
  },
  {
    what: "writes a mapping on one line anew",
    before: "a: {b: 1, c: 2} # kept\n",
    wanted: { a: { b: 1, d: "x, y" } },
    after: `a: { b: 1, d: "x, y" } # kept\n`,
  },
  {
    what: "opens what was empty",
    before: "a: {}\nb:\nc: 1\n",
    wanted: { a: { x: 1 }, b: { z: 2 }, c: 1 },
    after: "a:\n  x: 1\nb:\n  z: 2\nc: 1\n",
  },
  {
    what: "adds to a list in the list's own style",
    before: "a:\n  - 1 # one\n# end\n",
    wanted: { a: [1, 2] },
    after: "a:\n  - 1 # one\n  - 2\n# end\n",
  },
  {
    what: "writes a list that gets shorter anew",
    before: "a: # list\n  - 1\n  - 2\nb: 3\n",
    wanted: { a: [2], b: 3 },
    after: "a:\n  - 2\nb: 3\n",
  },
  {
    what: "leaves an item of a list that loses all its fields empty",
    before: "# head\na:\n- # why\n  x:\n  - 1 # so\n- x: 2\n  y: 3 # last\n- z: 4\n",
    wanted: { a: [{}, {}, { z: 4 }] },
    after: "# head\na:\n- # why\n  {} # so\n- {} # last\n- z: 4\n",
  },
  {
    what: "keeps carriage returns",
    before: "a: 1\r\nb: 2\r\n",
    wanted: { a: 1, c: { d: 4 } },
    after: "a: 1\r\nc:\r\n  d: 4\r\n",
  },
  {
    what: "keeps JSON as JSON",
    before: '{\n    "a": 1,\n    "b": [2]\n}\n',
    wanted: { a: 2, b: [2, 3] },
    after: '{\n    "a": 2,\n    "b": [\n        2,\n        3\n    ]\n}\n',
  },
  {
    what: "keeps markers and what stands around the document",
    before: "# head\n---\na: 1\n# tail\n...\n",
    wanted: { a: 2 },
    after: "# head\n---\na: 2\n# tail\n...\n",
  },
];

describe("a document edited in place", () => {
  it.each(CASES)("$what", ({ before, wanted, after }) => {
    expect(editDocument(before, wanted)).toStrictEqual({ text: after, inPlace: true });
    expect(parse(after)).toStrictEqual(wanted);
  });

  it("keeps JSON as JSON where JavaScript would round an integer", () => {
    const before = '{\n  "a": 9007199254740993,\n  "b": [1]\n}\n';
    const after = '{\n  "a": 9007199254740993,\n  "b": [\n    2\n  ]\n}\n';
    expect(editDocument(before, { a: 9007199254740993n, b: [2] })).toStrictEqual({ text: after, inPlace: true });
  });

  it("renames a field in place", () => {
    const options = { renamed: { old: "new" } };
    const { text } = editDocument("a:\n  old: x # kept\n  b: 1\n", { a: { new: "z", b: 1 } }, options);
    expect(text).toBe("a:\n  new: z # kept\n  b: 1\n");
  });
});

describe("a document written anew", () => {
  it.each([
    [
      "an anchor that goes is meant elsewhere",
      "# head\na: &x\n  b: 1\nc: *x\n",
      { c: { b: 1 } },
      "# head\nc:\n  b: 1\n",
    ],
    [
      "a merge key brings what changes",
      "a: &x { b: 1 }\nc:\n  <<: *x\n",
      { a: { b: 1 }, c: { b: 2 } },
      "a:\n  b: 1\nc:\n  b: 2\n",
    ],
    ["a value is in two lines", 'a: "x\n  y"\n', { a: "z" }, "a: z\n"],
  ])("%s", (_what, before, wanted, after) => {
    const edited = editDocument(before, wanted);
    expect(parse(edited.text, { merge: true })).toStrictEqual(wanted);
    expect(edited.text).toBe(after);
  });
});
