/** Parsing texts to objects and findings, for the mistakes of users and the input of attackers. */
import { describe, expect, it } from "vitest";
import { parseSources } from "./parse.ts";
import type { Source } from "../places/source.ts";
import { printFinding, testSource } from "../../../test/support/source.ts";

function parse(text: string, flags: Partial<Source> = {}): { values: unknown[]; findings: string[] } {
  const { value, findings } = parseSources([testSource(text, flags)]);
  return { values: value.map((resource) => resource.value), findings: findings.map(printFinding) };
}

/** Two lines that make any mapping an object. */
const X = "apiVersion: v1\nkind: X\n";
const IN_DIRECTORY = { explicit: false };

const LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 312\n";

describe("a file of the policy directory", () => {
  const OF_POLICY_DIR = { explicit: false, ofPolicyDir: true };
  const NOTHING =
    "error not-krm f.yaml holds no Kubernetes object, and rules are read only in its folder (--policy-dir) → restore its content, remove the file, or name it in the folder's .krmignore";

  it.each<[what: string, text: string, findings: string[]]>([
    ["nothing", "", [NOTHING]],
    ["blanks and a comment", "\n# policy\n---\n---\n", [NOTHING]],
    ["an empty list", "apiVersion: v1\nkind: List\nitems: []\n", [NOTHING]],
    ["an empty list of a kind", '{"apiVersion": "v1", "kind": "ConfigMapList", "items": []}', [NOTHING]],
    ["a text", "policy", ["error not-krm f.yaml:1:1 is not a mapping, so it is not a Kubernetes object | policy"]],
    [
      "values",
      "a: 1\n",
      ["error not-krm f.yaml:1:1 has no apiVersion and kind, so it is not a Kubernetes object | a: 1"],
    ],
    [
      "a pointer of Git LFS",
      LFS,
      [
        "error not-krm f.yaml:1:1 is a pointer of Git LFS in place of the file → git lfs pull fetches the file | version https://git-lfs.github.com/spec/v1",
      ],
    ],
    ["an object and an empty document", `---\n${X}---\n`, []],
  ])("that holds %s", (_what, text, findings) => {
    expect(parse(text, OF_POLICY_DIR).findings).toStrictEqual(findings);
  });

  it("may be a pointer elsewhere, which is skipped and named", () => {
    expect(parse(LFS, IN_DIRECTORY).findings).toStrictEqual([
      "info file-skipped f.yaml:1:1 is a pointer of Git LFS in place of the file → git lfs pull fetches the file | version https://git-lfs.github.com/spec/v1",
    ]);
  });
});

describe("documents that give objects", () => {
  const x = { apiVersion: "v1", kind: "X" };
  it.each<[what: string, text: string, values: unknown[]]>([
    ["one document", X, [x]],
    ["a document start and end", `---\n${X}...\n`, [x]],
    ["a comment after the document start", `--- # first\n${X}`, [x]],
    [
      "several, empty ones between",
      `---\n---\n${X}---\n# nothing\n---\nnull\n---\n${X}a: 1\n---\n`,
      [x, { ...x, a: 1 }],
    ],
    ["no line break at the end", "apiVersion: v1\nkind: X", [x]],
    [
      "CRLF, in a block and in quotes too",
      `${X}a: |\n  p\n  q\nb: 'r\n  s'\n`.replaceAll("\n", "\r\n"),
      [{ ...x, a: "p\nq\n", b: "r s" }],
    ],
    [
      "JSON on one line",
      '{"apiVersion":"v1","kind":"X","a":[1,true,null,"\\ud83d\\ude00\\/"]}',
      [{ ...x, a: [1, true, null, "😀/"] }],
    ],
    [
      "JSON indented with tabs",
      '{\n\t"apiVersion": "v1",\n\t"kind": "X",\n\t"a": [\n\t\t1\n\t]\n}\n',
      [{ ...x, a: [1] }],
    ],
    ["a tab after the colon", `${X}a:\tb\n`, [{ ...x, a: "b" }]],
    [
      "words of YAML 1.1 are strings",
      `${X}a: [yes, no, on, off, y, 2026-01-01, 12:30:45, 1_000, 0b1]\n`,
      [{ ...x, a: ["yes", "no", "on", "off", "y", "2026-01-01", "12:30:45", "1_000", "0b1"] }],
    ],
    [
      "numbers of YAML 1.2",
      `${X}a: [0777, 0o17, 0x1F, 1e3, .5, -0.5]\n`,
      [{ ...x, a: [777, 15, 31, 1000, 0.5, -0.5] }],
    ],
    ["infinity and no number", `${X}a: [.inf, -.INF, 1e400]\n`, [{ ...x, a: [Infinity, -Infinity, Infinity] }]],
    [
      "a directive turns on YAML 1.1",
      `%YAML 1.1\n---\n${X}a: [yes, 010, 2026-01-01]\n`,
      [{ ...x, a: [true, 8, "2026-01-01"] }],
    ],
    [
      "keys are strings",
      `${X}a: {1: x, true: y, 1.50: z, on: v, ~: w}\n? \n: empty\n`,
      [{ ...x, a: { "1": "x", true: "y", "1.50": "z", on: "v", "~": "w" }, "": "empty" }],
    ],
    [
      "tags for the type that a value has",
      `${X}a: [!!str 1, !!int "2", !!float 3.5, !!bool "true", !!null ""]\nb: !!map {c: !!seq []}\n`,
      [{ ...x, a: ["1", 2, 3.5, true, null], b: { c: [] } }],
    ],
  ])("%s", (_what, text, values) => {
    expect(parse(text)).toStrictEqual({ values, findings: [] });
  });

  it("keeps integers that JavaScript would round", () => {
    const text = `${X}a: [9007199254740991, 9007199254740993, -9007199254740993, +9007199254740993, 0x20000000000001, 0o400000000000000001]\n`;
    const exact = [
      9007199254740991,
      9007199254740993n,
      -9007199254740993n,
      9007199254740993n,
      9007199254740993n,
      9007199254740993n,
    ];
    expect(parse(text)).toStrictEqual({ values: [{ apiVersion: "v1", kind: "X", a: exact }], findings: [] });
  });

  it("keeps octal numbers of YAML 1.1 as they are", () => {
    const { values } = parse(`%YAML 1.1\n---\n${X}a: 01000000000000000000\n`);
    expect(values).toStrictEqual([{ apiVersion: "v1", kind: "X", a: 8 ** 18 }]);
  });

  it("keeps keys that every object inherits", () => {
    const { values, findings } = parse(`${X}__proto__: {a: 1}\nconstructor: 2\ntoString: 3\nhasOwnProperty: 4\n`);
    expect(findings).toStrictEqual([]);
    const [value] = values as [Record<string, unknown>];
    expect(Object.entries(value)).toStrictEqual([
      ["apiVersion", "v1"],
      ["kind", "X"],
      ["__proto__", { a: 1 }],
      ["constructor", 2],
      ["toString", 3],
      ["hasOwnProperty", 4],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it("keeps the sources and their documents in order, and good documents beside broken ones", () => {
    const { value, findings } = parseSources([
      testSource(`${X}metadata: {name: a}\n---\n- b\n---\n${X}metadata: {name: c}\n`, { file: "1.yaml" }),
      testSource(`a: [\n`, { file: "2.yaml" }),
      testSource(`${X}metadata: {name: d}\n`, { file: "3.yaml" }),
    ]);
    expect(value.map((resource) => resource.name)).toStrictEqual(["a", "c", "d"]);
    expect(findings.map(printFinding)).toStrictEqual([
      "error not-krm 1.yaml:5:1 is not a mapping, so it is not a Kubernetes object | - b",
      "error yaml-syntax 2.yaml:2:1 is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ] | ",
    ]);
  });

  it("gives each document its own slice of the text", () => {
    const text = `# one\n${X}---\n# two\n${X}...\n# three\n---\n${X}`;
    const { value } = parseSources([testSource(text)]);
    const slices = value.map(({ document }) => text.slice(document.start, document.end));
    expect(slices.join("")).toBe(text);
    expect(slices.map((slice) => /# (\w+)/.exec(slice)?.[1])).toStrictEqual(["one", "two", "three"]);
  });
});

describe("aliases and merge keys", () => {
  const x = { apiVersion: "v1", kind: "X" };
  it.each<[what: string, text: string, value: unknown]>([
    ["an alias", "a: &a {b: 1}\nc: *a\n", { a: { b: 1 }, c: { b: 1 } }],
    ["an anchor given again means the later one", "a: &a 1\nb: *a\nc: &a 2\nd: *a\n", { a: 1, b: 1, c: 2, d: 2 }],
    ["an anchor on a key", "&k a: 1\nb: *k\n", { a: 1, b: "a" }],
    ["an anchor on nothing", "a: &a\nb: *a\n", { a: null, b: null }],
    ["a merged mapping", "m: &m {a: 1, b: 2}\nn: {<<: *m, c: 3}\n", { m: { a: 1, b: 2 }, n: { a: 1, b: 2, c: 3 } }],
    [
      "own keys win, before and after the merge",
      "m: &m {a: 1, b: 1}\nn: {a: 2, <<: *m, b: 2}\n",
      { m: { a: 1, b: 1 }, n: { a: 2, b: 2 } },
    ],
    [
      "the earlier of several mappings wins",
      "m: &m {a: 1}\nn: &n {a: 2, b: 2}\no: {<<: [*m, *n, {b: 3, c: 3}]}\n",
      { m: { a: 1 }, n: { a: 2, b: 2 }, o: { a: 1, b: 2, c: 3 } },
    ],
    [
      "a list of mappings behind one alias",
      "l: &l [{a: 1}, {b: 2}]\nn: {<<: *l}\n",
      { l: [{ a: 1 }, { b: 2 }], n: { a: 1, b: 2 } },
    ],
    [
      "a merge of a merge",
      "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b, z: 3}\n",
      { a: { x: 1 }, b: { x: 1, y: 2 }, c: { x: 1, y: 2, z: 3 } },
    ],
    ["a quoted << is a key like others", 'a: {"<<": {b: 1}}\n', { a: { "<<": { b: 1 } } }],
  ])("%s", (_what, text, value) => {
    expect(parse(X + text)).toStrictEqual({ values: [{ ...x, ...(value as object) }], findings: [] });
  });

  it("merges a key named __proto__ as a key", () => {
    const { values } = parse(`${X}m: &m {__proto__: {a: 1}}\nn: {<<: *m}\n`);
    expect(Object.entries((values[0] as { n: object }).n)).toStrictEqual([["__proto__", { a: 1 }]]);
  });
});

describe("findings", () => {
  it.each<[what: string, text: string, findings: string[], flags?: Partial<Source>]>([
    ["an empty file", "", ["error not-krm f.yaml holds no YAML document"]],
    ["only comments", "# a\n# b\n", ["error not-krm f.yaml holds no YAML document"]],
    ["only document starts", "---\n---\n---\n", ["error not-krm f.yaml holds no YAML document"]],
    ["only a document end", "...\n", ["error not-krm f.yaml holds no YAML document"]],
    ["only null", "~\n", ["error not-krm f.yaml holds no YAML document"]],
    ["an empty file of a directory", "", ["info file-skipped f.yaml holds no YAML document"], IN_DIRECTORY],
    ["a list", "- a\n", ["error not-krm f.yaml:1:1 is not a mapping, so it is not a Kubernetes object | - a"]],
    [
      "a word of a directory",
      "\n# c\n---\nhello\n",
      ["info file-skipped f.yaml:4:1 is not a mapping, so it is not a Kubernetes object | hello"],
      IN_DIRECTORY,
    ],

    [
      "an open bracket",
      "a: [1, 2\nb: c\n",
      [
        "error yaml-syntax f.yaml:2:1 is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ] | b: c",
      ],
    ],
    [
      "two colons",
      "a: b: c\n",
      ["error yaml-syntax f.yaml:1:4 is not valid YAML: Nested mappings are not allowed in compact mappings | a: b: c"],
    ],
    [
      "a quote without its end",
      `${X}a: "b\nc: d\n`,
      ['error yaml-syntax f.yaml:3:4 the quote that opens here is never closed | a: "b'],
    ],
    [
      "a single quote without its end",
      `${X}a: [x, 'b]\n`,
      ["error yaml-syntax f.yaml:3:8 the quote that opens here is never closed | a: [x, 'b]"],
    ],
    [
      "a tab as indentation",
      `${X}a:\n\tb: 1\n`,
      ["error yaml-syntax f.yaml:4:1 a tab is used for indentation → YAML indents with spaces only | \tb: 1"],
    ],
    [
      "a wrong escape",
      `${X}a: "\\q"\n`,
      ['error yaml-syntax f.yaml:3:5 is not valid YAML: Invalid escape sequence \\q | a: "\\q"'],
    ],
    [
      "a mapping as a key",
      `${X}? {a: b}\n: c\n`,
      ["error yaml-syntax f.yaml:3:3 a key must be a plain string, neither a list, a mapping nor an alias | ? {a: b}"],
    ],
    [
      "an unknown directive",
      `%FOO\n---\n${X}`,
      ["error yaml-syntax f.yaml:1:1 is not valid YAML: Unknown directive %FOO | %FOO"],
    ],
    [
      "another version of YAML",
      `%YAML 1.3\n---\n${X}`,
      ["error yaml-syntax f.yaml:1:7 is not valid YAML: Unsupported YAML version 1.3 | %YAML 1.3"],
    ],
    [
      "two JSON documents on two lines",
      '{"apiVersion": "v1", "kind": "X"}\n{"apiVersion": "v1", "kind": "Y"}\n',
      [
        'error yaml-syntax f.yaml:2:1 is not valid YAML: Unexpected flow-map-start at node end → put a line `---` between two JSON documents | {"apiVersion": "v1", "kind": "Y"}',
      ],
    ],
    [
      "a template",
      `${X}{{- if .Values.a }}\na: 1\n{{- end }}\n`,
      [
        "error yaml-syntax f.yaml:3:1 is not valid YAML: Implicit keys need to be on a single line → this is a template: give the output of helm template, or exclude it with a line in .krmignore, such as templates/ | {{- if .Values.a }}",
      ],
    ],
    [
      "a template of Terraform",
      `${X}spec:\n  %{ for key in keys ~}\n  \${key}: 1\n  %{ endfor ~}\n`,
      [
        "error yaml-syntax f.yaml:4:3 is not valid YAML: Implicit keys need to be on a single line → this is a template of Terraform: give what it renders, or exclude it with a line in .krmignore, such as templates/ |   %{ for key in keys ~}",
      ],
    ],
    [
      "brackets that close nothing",
      "}".repeat(5000),
      ['error yaml-syntax f.yaml:1:1 is not valid YAML: Unexpected flow-map-end token in YAML document: "}"'],
    ],
    [
      "a very long word in the parser's message",
      `a: !${"x".repeat(5000)} b\n${X}`,
      [
        `error yaml-syntax f.yaml:1:4 the tag \`!${"x".repeat(119)}…\` means nothing in a Kubernetes object → remove the tag`,
      ],
    ],

    [
      "a custom tag",
      `${X}a: !foo b\n`,
      ["error yaml-syntax f.yaml:3:4 the tag `!foo` means nothing in a Kubernetes object → remove the tag | a: !foo b"],
    ],
    [
      "!!binary",
      `${X}a: !!binary aGk=\n`,
      [
        "error yaml-syntax f.yaml:3:4 the tag `!!binary` means nothing in a Kubernetes object → remove the tag | a: !!binary aGk=",
      ],
    ],
    [
      "!!set in YAML 1.1",
      `%YAML 1.1\n---\n${X}a: !!set {b}\n`,
      [
        "error yaml-syntax f.yaml:5:4 the tag `!!set` means nothing in a Kubernetes object → remove the tag | a: !!set {b}",
      ],
    ],
    [
      "the tags of another tool in a directory",
      "a: !!python/name:b.c\n",
      [
        "info file-skipped f.yaml:1:1 has no apiVersion and kind, so it is not a Kubernetes object | a: !!python/name:b.c",
      ],
      IN_DIRECTORY,
    ],

    [
      "a key twice",
      `${X}a: 1\na: 2\n`,
      ["error yaml-duplicate-key f.yaml:4:1 the key `a` is given twice in one mapping → keep one of the two | a: 2"],
    ],
    [
      "a key twice, deep in a flow mapping",
      `${X}s: [{a: {b: 1, c: 2, b: 3}}]\n`,
      [
        "error yaml-duplicate-key f.yaml:3:22 the key `b` is given twice in one mapping → keep one of the two | s: [{a: {b: 1, c: 2, b: 3}}]",
      ],
    ],
    [
      "a number and its text as keys",
      `${X}a:\n  1: b\n  "1": c\n`,
      [
        'error yaml-duplicate-key f.yaml:5:3 the key `1` is given twice in one mapping → keep one of the two |   "1": c',
      ],
    ],
    [
      "a key twice in JSON",
      '{"apiVersion":"v1","kind":"X","kind":"Y"}',
      [
        'error yaml-duplicate-key f.yaml:1:31 the key `kind` is given twice in one mapping → keep one of the two | {"apiVersion":"v1","kind":"X","kind":"Y"}',
      ],
    ],
    [
      "__proto__ twice",
      `${X}a: {__proto__: 1, __proto__: 2}\n`,
      [
        "error yaml-duplicate-key f.yaml:3:19 the key `__proto__` is given twice in one mapping → keep one of the two | a: {__proto__: 1, __proto__: 2}",
      ],
    ],
    [
      "an own key twice beside a merge",
      `${X}m: &m {a: 1}\nn: {<<: *m, a: 2, a: 3}\n`,
      [
        "error yaml-duplicate-key f.yaml:4:19 the key `a` is given twice in one mapping → keep one of the two | n: {<<: *m, a: 2, a: 3}",
      ],
    ],
    [
      "two merge keys",
      `${X}m: &m {a: 1}\nn: {<<: *m, <<: *m}\n`,
      [
        "error yaml-duplicate-key f.yaml:4:13 the key `<<` is given twice in one mapping → keep one of the two | n: {<<: *m, <<: *m}",
      ],
    ],
    [
      "a key with a dollar sign twice",
      `${X}a: {$&: 1, $&: 2}\n`,
      [
        "error yaml-duplicate-key f.yaml:3:12 the key `$&` is given twice in one mapping → keep one of the two | a: {$&: 1, $&: 2}",
      ],
    ],
    [
      "a key of two lines twice",
      `${X}"a\\nb": 1\n"a\\nb": 2\n`,
      [
        'error yaml-duplicate-key f.yaml:4:1 the key `a` is given twice in one mapping → keep one of the two | "a\\nb": 2',
      ],
    ],

    [
      "an alias before its anchor",
      `${X}a: *b\nb: &b 1\n`,
      ["error yaml-syntax f.yaml:3:4 an alias (`*name`) has no anchor (`&name`) before it | a: *b"],
    ],
    [
      "a list that holds itself",
      `${X}a: &a [1, *a]\n`,
      [
        "error yaml-syntax f.yaml:3:11 an alias (`*name`) is inside the value that it names, which would be endless | a: &a [1, *a]",
      ],
    ],
    [
      "a mapping that merges itself",
      `${X}a: &a\n  <<: *a\n`,
      [
        "error yaml-syntax f.yaml:4:7 an alias (`*name`) is inside the value that it names, which would be endless |   <<: *a",
      ],
    ],
    [
      "a merge of a word",
      `${X}a: {<<: b}\n`,
      ["error yaml-syntax f.yaml:3:9 a merge key (`<<`) takes a mapping, or a list of mappings | a: {<<: b}"],
    ],
    [
      "a merge of a list of words",
      `${X}a: {<<: [b]}\n`,
      ["error yaml-syntax f.yaml:3:9 a merge key (`<<`) takes a mapping, or a list of mappings | a: {<<: [b]}"],
    ],
    [
      "a merge of nothing",
      `${X}a:\n  <<:\n  b: 1\n`,
      ["error yaml-syntax f.yaml:4:6 a merge key (`<<`) takes a mapping, or a list of mappings |   <<:"],
    ],

    [
      "NUL, as in UTF-16 without a mark",
      "a\0:\0 \0b\0\n\0",
      [
        "error yaml-syntax f.yaml:1:2 holds the control character U+0000, which YAML forbids → save the file as UTF-8: this is UTF-16, or no text at all | a\0:\0 \0b\0",
      ],
    ],
    [
      "a bell in a value",
      `${X}a: b\u0007\n`,
      [
        "error yaml-syntax f.yaml:3:5 holds the control character U+0007, which YAML forbids → remove it, or write it as an escape in double quotes | a: b\u0007",
      ],
    ],
    [
      "line breaks of an old Mac",
      "apiVersion: v1\rkind: X\r",
      [
        "error yaml-syntax f.yaml:1:15 a line ends in CR without LF → save the file with LF or CRLF at the ends of its lines | apiVersion: v1\rkind: X",
      ],
    ],
  ])("%s", (_what, text, findings, flags) => {
    expect(parse(text, flags)).toStrictEqual({ values: [], findings });
  });

  it("stops after a hundred errors: this is not YAML", () => {
    expect(parse(`${"a: }\n---\n".repeat(99)}${X}`).values).toStrictEqual([{ apiVersion: "v1", kind: "X" }]);
    expect(parse(`${"a: }\n---\n".repeat(200)}${X}`).values).toStrictEqual([]);
  });

  it("knows no anchor of another document", () => {
    const { values, findings } = parse(`${X}a: &a 1\n---\n${X}b: *a\n`);
    expect(values).toStrictEqual([{ apiVersion: "v1", kind: "X", a: 1 }]);
    expect(findings).toStrictEqual([
      "error yaml-syntax f.yaml:7:4 an alias (`*name`) has no anchor (`&name`) before it | b: *a",
    ]);
  });
});

const TOO_DEEP =
  "is nested deeper than 100 levels when its aliases are followed; no Kubernetes object is → check the brackets and the aliases, or leave this file out";
const TOO_MANY =
  "holds more than 1000000 values in one document when its aliases are followed → write the values out in place of the aliases, or split the document";

/** Each of these took seconds to hours, or the whole stack, before there was a limit. */
describe("input that is small on disk and huge to read", () => {
  const many = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join("");
  const levels = (count: number) => "[".repeat(count) + "]".repeat(count);

  it.each<[what: string, text: string, findings: string[]]>([
    ["a million brackets", "[".repeat(1_000_000), [`error input-limit f.yaml:1:201 ${TOO_DEEP}`]],
    [
      "a hundred thousand brackets, closed",
      `${X}a: ${levels(100_000)}\n`,
      [`error input-limit f.yaml:3:203 ${TOO_DEEP}`],
    ],
    ["a million braces", "{".repeat(1_000_000), [`error input-limit f.yaml:1:201 ${TOO_DEEP}`]],
    ["a million dashes", "- ".repeat(500_000), [`error input-limit f.yaml:1:400 ${TOO_DEEP}`]],
    [
      "deep indentation",
      many(1500, (at) => `${" ".repeat(at)}a:\n`),
      [`error input-limit f.yaml:200:201 ${TOO_DEEP} | ${" ".repeat(199)}a:`],
    ],
    [
      "one level too many",
      `${X}a: ${levels(100)}\n`,
      [`error input-limit f.yaml:3:103 ${TOO_DEEP} | a: ${levels(100)}`],
    ],
    [
      "an alias bomb",
      `${X}a0: &a0 [x, x, x, x, x, x, x, x, x]\n${many(9, (at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}]\n`)}`,
      [`error input-limit f.yaml:1:1 ${TOO_MANY} | apiVersion: v1`],
    ],
    [
      "nesting by aliases",
      `${X}a0: &a0 [x]\n${many(100, (at) => `a${at + 1}: &a${at + 1} [*a${at}]\n`)}`,
      [`error input-limit f.yaml:1:1 ${TOO_DEEP} | apiVersion: v1`],
    ],
    [
      "a wide mapping, merged again and again",
      `${X}a: &a {${many(2000, (at) => `k${at}: 1, `)}}\nb: [${"{<<: *a}, ".repeat(1000)}]\n`,
      [`error input-limit f.yaml:4:5000 ${TOO_MANY}`],
    ],
  ])("%s", (_what, text, findings) => {
    expect(parse(text)).toStrictEqual({ values: [], findings });
  });

  it("reads a hundred levels", () => {
    const { values, findings } = parse(`${X}a: ${levels(99)}\n`);
    expect(findings).toStrictEqual([]);
    expect(JSON.stringify(values)).toBe(`[{"apiVersion":"v1","kind":"X","a":${levels(99)}}]`);
  });

  it("reads merges of merges that double each time", () => {
    const { values, findings } = parse(
      `${X}a0: &a0 {x: 1}\n${many(60, (at) => `a${at + 1}: &a${at + 1} {<<: [*a${at}, *a${at}]}\n`)}`,
    );
    expect(findings).toStrictEqual([]);
    expect((values[0] as Record<string, unknown>)["a60"]).toStrictEqual({ x: 1 });
  });

  it("reads a mapping of fifty thousand keys", () => {
    const { values, findings } = parse(`${X}a: {${many(50_000, (at) => `k${at}: ${at}, `)}}\n`);
    expect(findings).toStrictEqual([]);
    const { a } = values[0] as { a: Record<string, number> };
    expect([Object.keys(a).length, a["k49999"]]).toStrictEqual([50_000, 49_999]);
  });

  it("reads a hundred thousand aliases", () => {
    const { values, findings } = parse(`${X}x: &x 1\na: [${"*x, ".repeat(100_000)}]\n`);
    expect(findings).toStrictEqual([]);
    const { a } = values[0] as { a: number[] };
    expect([a.length, a.every((item) => item === 1)]).toStrictEqual([100_000, true]);
  });

  it("reads a list of more than a million values that are written out", () => {
    const { values, findings } = parse(`{"apiVersion":"v1","kind":"X","a":[${"[1,2],".repeat(340_000)}0]}`);
    expect(findings).toStrictEqual([]);
    expect((values[0] as { a: unknown[] }).a.length).toBe(340_001);
  });

  it("reads twenty thousand documents", () => {
    const { value, findings } = parseSources([testSource(many(20_000, (at) => `---\n${X}metadata: {name: n${at}}\n`))]);
    expect(findings).toStrictEqual([]);
    expect([value.length, value.at(-1)?.name]).toStrictEqual([20_000, "n19999"]);
  });
});

describe("secrets", () => {
  const secret = "apiVersion: v1\nkind: Secret\n";
  it.each<[what: string, text: string, findings: string[]]>([
    [
      "a key twice",
      `${secret}data:\n  hunter2: a\n  hunter2: b\n`,
      ["error yaml-duplicate-key f.yaml:5:3 the key is given twice in one mapping → keep one of the two"],
    ],
    [
      "a quote without its end",
      `${secret}stringData: {a: "hunter2}\n`,
      ["error yaml-syntax f.yaml:3:17 the quote that opens here is never closed"],
    ],
    [
      "a tag",
      `${secret}stringData: {a: !hunter2 b}\n`,
      ["error yaml-syntax f.yaml:3:17 is not valid YAML: not shown, because the document holds a secret"],
    ],
    [
      "an anchor that is missing",
      `${secret}stringData: {a: *hunter2 }\n`,
      ["error yaml-syntax f.yaml:3:17 an alias (`*name`) has no anchor (`&name`) before it"],
    ],
    [
      "a control character",
      `${secret}stringData: {a: "hunter2\u0001"}\n`,
      [
        "error yaml-syntax f.yaml:3:25 holds the control character U+0001, which YAML forbids → remove it, or write it as an escape in double quotes",
      ],
    ],
    [
      "a wrong escape",
      `${secret}stringData: {a: "\\hunter2"}\n`,
      ["error yaml-syntax f.yaml:3:18 is not valid YAML: not shown, because the document holds a secret"],
    ],
    [
      "the kind with a tag",
      `apiVersion: v1\nkind: !!str Secret\ndata: {hunter2: a, hunter2: b}\n`,
      ["error yaml-duplicate-key f.yaml:3:20 the key is given twice in one mapping → keep one of the two"],
    ],
    [
      "the kind on a line of its own",
      `apiVersion: v1\nkind: >-\n  Secret\ndata: {hunter2: a, hunter2: b}\n`,
      ["error yaml-duplicate-key f.yaml:4:20 the key is given twice in one mapping → keep one of the two"],
    ],
    [
      "the kind with escapes",
      '{"apiVersion":"v1","kind":"S\\u0065\\x63ret","data":{"hunter2":1,"hunter2":2}}',
      ["error yaml-duplicate-key f.yaml:1:64 the key is given twice in one mapping → keep one of the two"],
    ],
    [
      "the kind over two lines",
      'apiVersion: v1\nkind: "Sec\\\n  ret"\ndata: {hunter2: a, hunter2: b}\n',
      ["error yaml-duplicate-key f.yaml:4:20 the key is given twice in one mapping → keep one of the two"],
    ],
    [
      "the kind in lower case",
      "apiVersion: v1\nkind: secret\ndata: {hunter2: a, hunter2: b}\n",
      ["error yaml-duplicate-key f.yaml:3:20 the key is given twice in one mapping → keep one of the two"],
    ],
    [
      "a kind with a slip",
      "apiVersion: v1\nkind: Secert\nstringData: {hunter2: a, hunter2: b}\n",
      ["error yaml-duplicate-key f.yaml:3:26 the key is given twice in one mapping → keep one of the two"],
    ],
    [
      "user data in a node class",
      "apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nspec:\n  userData: hunter2: x\n",
      ["error yaml-syntax f.yaml:4:13 is not valid YAML: not shown, because the document holds a secret"],
    ],
    [
      "a list of Secrets with a broken item",
      "apiVersion: v1\nkind: SecretList\nitems: [hunter2, {data: {a: [}]\n",
      ["error yaml-syntax f.yaml:3:30 is not valid YAML: not shown, because the document holds a secret"],
    ],
  ])("%s", (_what, text, findings) => {
    expect(parse(text)).toStrictEqual({ values: [], findings });
    expect(JSON.stringify(parseSources([testSource(text)]).findings)).not.toContain("hunter2");
  });

  it.each<[what: string, rest: string, findings: string[]]>([
    [
      "what is broken",
      "hunter2: [\n",
      ["error yaml-syntax f.yaml:8:1 is not valid YAML: not shown, because the document holds a secret"],
    ],
    ["what is no object", "hunter2\n", ["error not-krm f.yaml:7:1 is not a mapping, so it is not a Kubernetes object"]],
    ["what is too deep", "[".repeat(1000), ["error input-limit f.yaml:7:201 " + TOO_DEEP]],
  ])("a script that breaks out of its Secret at ---: %s", (_what, rest, findings) => {
    const { value, findings: found } = parseSources([
      testSource(`${secret}stringData:\n  a: |\n    #!/bin/sh\n---\n${rest}`),
    ]);
    expect(value.map((resource) => resource.kind)).toStrictEqual(["Secret"]);
    expect(found.map(printFinding)).toStrictEqual(findings);
  });

  it.each<[what: string, text: string, secret: boolean]>([
    ["a Secret", secret, true],
    ["a Secret in a List", `apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Secret}]\n`, true],
    ["a Secret with escapes", '{"apiVersion":"v1","kind":"\\x53ecret"}', true],
    [
      "a Secret with escapes in a List in a List",
      '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"\\x53ecret"}]}]}',
      true,
    ],
    ["user data", `${X}spec: {userData: a}\n`, true],
    ["imagePullSecrets", `${X}spec: {imagePullSecrets: []}\n`, false],
    ["anything else", X, false],
  ])("every object of the document knows: %s", (_what, text, expected) => {
    const { value } = parseSources([testSource(text)]);
    expect(value.map((resource) => resource.document.secret)).toStrictEqual([expected]);
  });
});
