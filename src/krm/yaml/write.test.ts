/** Writing objects as text: the style, and that readers of YAML 1.1 and 1.2 get back the same. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { parseSources } from "../parse/parse.ts";
import { testSource } from "../../../test/support/source.ts";
import { formatObjects, toYaml } from "./write.ts";

/** The value that a reader of that version gets from a text; a warning counts as a difference. */
function read(text: string, version: "1.1" | "1.2"): unknown {
  const document = parseDocument(text, { version, merge: version === "1.1", uniqueKeys: true });
  const [problem] = [...document.errors, ...document.warnings];
  return problem === undefined ? document.toJS() : problem.message;
}

describe("the style of YAML", () => {
  it.each<[what: string, value: unknown, text: string]>([
    [
      "an object, in its own order",
      { kind: "X", apiVersion: "v1", spec: { b: 1, a: null } },
      "kind: X\napiVersion: v1\nspec:\n  b: 1\n  a: null\n",
    ],
    [
      "lists at the column of their key",
      { a: { b: [1, { c: 2, d: [3] }] } },
      "a:\n  b:\n  - 1\n  - c: 2\n    d:\n    - 3\n",
    ],
    ["lists of lists", { a: [[1, [2]], []] }, "a:\n- - 1\n  - - 2\n- []\n"],
    ["nothing in them", { a: {}, b: [], c: [{}] }, "a: {}\nb: []\nc:\n- {}\n"],
    ["fields without a value are left out", { a: undefined, b: { c: undefined }, d: 1 }, "b: {}\nd: 1\n"],
    ["a scalar", "a", "a\n"],
    ["an empty object", {}, "{}\n"],
    ["an empty list", [], "[]\n"],
    [
      "true, false, numbers",
      [true, false, 0, -1, 1.5, 1e21, 1e-7],
      "- true\n- false\n- 0\n- -1\n- 1.5\n- 1e+21\n- 1e-7\n",
    ],
    ["an integer that JavaScript would round", { a: 9007199254740993n }, "a: 9007199254740993\n"],
    [
      "lines as a literal block",
      { a: "x\ny\n", b: "x\n\ny", c: ["x\ny\n\n"] },
      "a: |\n  x\n  y\nb: |-\n  x\n\n  y\nc:\n- |+\n  x\n  y\n\n",
    ],
    ["long lines as they are", { a: "word ".repeat(60).trim() }, `a: ${"word ".repeat(60).trim()}\n`],
    [
      "a key of more than 1024 characters",
      { a: { ["k".repeat(1100)]: [1], b: 2 } },
      `a:\n  ? ${"k".repeat(1100)}\n  :\n    - 1\n  b: 2\n`,
    ],
    ["a key with dots and a slash", { "example.com/a.b": "c" }, "example.com/a.b: c\n"],
    [
      "objects that are shared are written each time",
      ((shared) => ({ a: shared, b: shared }))({ c: 1 }),
      "a:\n  c: 1\nb:\n  c: 1\n",
    ],
    [
      "what JavaScript keeps for itself",
      JSON.parse('{"__proto__": 1, "constructor": 2}'),
      "__proto__: 1\nconstructor: 2\n",
    ],
  ])("%s", (_what, value, text) => {
    expect(toYaml(value)).toBe(text);
  });

  it.each([
    "on",
    "off",
    "yes",
    "No",
    "y",
    "N",
    "true",
    "False",
    "null",
    "Null",
    "~",
    "",
    "1",
    "-1",
    "+1",
    "1.5",
    ".5",
    "1.",
    "1e3",
    "1E-3",
    "e3",
    "e-4",
    "08",
    "0777",
    "0o7",
    "-0o7",
    "0o1_7",
    "0x1F",
    "0b1",
    "1_000",
    "+_1",
    ".1e2_0",
    ".inf",
    "-.Inf",
    ".nan",
    "12:30",
    "12:30:45",
    "2026-01-01",
    "2026-01-01T00:00:00Z",
    "=",
    "<<",
    "-",
    "?",
    ":",
    "- a",
    "? a",
    ": a",
    "a:",
    "a: b",
    "a #b",
    "#a",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "%a",
    "@a",
    "`a",
    "'a",
    "[a",
    "]",
    "{a",
    "}",
    ",a",
    "---",
    "...",
    " a",
    "a ",
    "\t",
    "a\t",
    "a\tb",
  ])("quotes %j", (text) => {
    expect(toYaml({ a: text })).toBe(
      `a: ${text.startsWith("'") || !text.includes('"') ? JSON.stringify(text) : `'${text}'`}\n`,
    );
    expect(toYaml({ [text]: 1 })).toBe(`${JSON.stringify(text)}: 1\n`);
  });

  it.each([
    "a",
    "m5.xlarge",
    "us-east-1a",
    "75Gi",
    "100m",
    "1.2.3",
    "10.0.0.1",
    "In",
    "/dev/xvda",
    "example.com/a_b",
    "a:b",
    "a#b",
    "a,b",
    "-a",
    "?a",
    ":a",
    "a b",
    "http://a.b/c?d=e&f",
    "é",
    "😀",
    "nul",
    "yesterday",
    "0x",
    "1a",
    "true.",
    "a'b",
    'a"b',
    "a\\b",
  ])("does not quote %j", (text) => {
    expect(toYaml({ a: text })).toBe(`a: ${text}\n`);
  });

  it.each([
    ["\u0000", '"\\u0000"'],
    ["\u0007", '"\\u0007"'],
    ["\u007f", '"\\u007f"'],
    ["a\u0085b", '"a\\u0085b"'],
    ["a\u2028b", '"a\\u2028b"'],
    ["\u2029", '"\\u2029"'],
    ["\ufeffa", '"\\ufeffa"'],
    ["\ufffe", '"\\ufffe"'],
    ["\uffff", '"\\uffff"'],
    ["\ud800", '"\\ud800"'],
    ["a\r\nb", '"a\\r\\nb"'],
    ["a\rb", '"a\\rb"'],
    ["a\n b \n", '"a\\n b \\n"'],
    ["\n", '"\\n"'],
    [" a\nb", '" a\\nb"'],
    ["a\n\tb", '"a\\n\\tb"'],
  ])("escapes %j", (text, written) => {
    expect(toYaml({ a: text })).toBe(`a: ${written}\n`);
  });
});

describe("any value", () => {
  /** Values that have misled readers before, and any others. */
  const tricky = fc.constantFrom(
    ..."on|off|yes|no|y|n|true|null|~|1e3|0o7|-0o7|0x1F|0b1|1_000|12:30:45|2026-01-01|=|<<|.inf|.nan|+1|08|0.|-|--|---|--- a|...|? a|: a|a: b|a:|a #b|*a|&a|!a|%a|@a|`a|[|{|'|''|a'b|\\|\\n".split(
      "|",
    ),
    "",
    " ",
    "\n",
    "\n\n",
    "a\n",
    "a\n\n",
    "\na",
    " a",
    "a ",
    "\ta",
    "a\t",
    "a\nb",
    "a\n b",
    " a\nb",
    "a\n\nb",
    "a \nb",
    "a\n ",
    "\n a",
    "a\r\nb",
    "\r",
    '"',
    'a"b',
    "\u0000",
    "\u007f",
    "\u0085",
    "\u00a0",
    "\u2028",
    "\ufeff",
    "\ud800",
    "😀",
    "\uffff",
    "---\na",
    "a\n---\nb",
    "a\n...",
    "%\na",
    "# a\nb",
    "a\n# b",
    "a:\nb",
    "e-4",
    "x".repeat(1100),
    "x: ".repeat(500),
  );
  const text = fc.oneof(
    tricky,
    fc.array(tricky, { maxLength: 3 }).map((parts) => parts.join("")),
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.stringMatching(/^[-+0-9a-fxob_.:eE ]{1,8}$/),
  );
  // YAML has no negative zero in version 1.1, and JSON writes none.
  const number = fc
    .oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    // Integers beyond the safe range are read as bigint, which is how anp holds them.
    .filter((given) => !Number.isInteger(given) || Number.isSafeInteger(given))
    .map((given) => given || 0);
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      text,
      number,
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
      // The library's own reader would set a prototype.
      fc.dictionary(
        text.filter((key) => key !== "__proto__"),
        tie("value"),
        { maxKeys: 4, noNullPrototype: true },
      ),
    ),
  }));

  it.each(["1.2", "1.1"] as const)("is read back by a reader of YAML %s", (version) => {
    fc.assert(
      fc.property(value, (written) => {
        expect(read(toYaml(written), version)).toStrictEqual(written);
      }),
      { numRuns: 1500 },
    );
  });

  it("is read back by anp", () => {
    fc.assert(
      fc.property(value, (spec) => {
        const object = { apiVersion: "v1", kind: "X", spec };
        const { value: resources, findings } = parseSources([testSource(toYaml(object))]);
        expect(findings).toStrictEqual([]);
        expect(resources.map((resource) => resource.value)).toStrictEqual([object]);
      }),
    );
  });

  it("is written with characters that YAML allows, in lines without space at their end", () => {
    fc.assert(
      fc.property(value, (written) => {
        const yaml = toYaml(written);
        expect(yaml).not.toMatch(/[^\t\n -~\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|[\ufeff\u2028\u2029]| $/mu);
        expect(yaml.endsWith("\n")).toBe(true);
      }),
    );
  });
});

describe("formatObjects", () => {
  const objects = [
    { apiVersion: "v1", kind: "A" },
    { apiVersion: "v1", kind: "B", a: ["on"] },
  ];
  it("writes a stream of YAML documents", () => {
    expect(formatObjects(objects, "yaml")).toBe('apiVersion: v1\nkind: A\n---\napiVersion: v1\nkind: B\na:\n- "on"\n');
  });

  it("writes no empty document", () => {
    expect(formatObjects([], "yaml")).toBe("");
  });

  it("writes a List as JSON", () => {
    const list = { apiVersion: "v1", kind: "List", items: objects };
    expect(formatObjects(objects, "json")).toBe(`${JSON.stringify(list, undefined, 2)}\n`);
    expect(formatObjects([], "json")).toBe('{\n  "apiVersion": "v1",\n  "kind": "List",\n  "items": []\n}\n');
  });

  it("writes a ResourceList", () => {
    expect(formatObjects(objects, "resourcelist")).toBe(
      'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: A\n- apiVersion: v1\n  kind: B\n  a:\n  - "on"\n',
    );
    expect(formatObjects([], "resourcelist")).toBe(
      "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n",
    );
  });

  it.each(["yaml", "json", "resourcelist"] as const)("is read back by anp: %s", (format) => {
    const { value, findings } = parseSources([testSource(formatObjects(objects, format))]);
    expect(findings).toStrictEqual([]);
    expect(value.map((resource) => resource.value)).toStrictEqual(objects);
  });
});
