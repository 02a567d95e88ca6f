/** The place of a field, line and column, for every way to write a field. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EntryPart, FieldPath } from "./field-path.ts";
import { locateField } from "./locate.ts";
import { locationOf } from "./location.ts";
import { parseSources } from "../parse/parse.ts";
import type { Resource } from "./resource.ts";
import { lineText, positionAt } from "./source.ts";
import { testSource } from "../../../test/support/source.ts";
import { toYaml } from "../yaml/write.ts";

function resources(text: string): readonly Resource[] {
  const { value, findings } = parseSources([testSource(text)]);
  expect(findings).toStrictEqual([]);
  return value;
}

/** `line:column` and the rest of the line from there. */
function placeOf(resource: Resource, path: FieldPath, part?: EntryPart): string {
  const { source } = resource.document;
  const { line, column } = positionAt(source, locateField(resource, path, part));
  return `${line}:${column} ${[...lineText(source, line)].slice(column - 1).join("")}`;
}

type Case = [what: string, path: FieldPath, place: string, part?: EntryPart];

describe("a block document", () => {
  const text = `# A comment.
apiVersion: v1
kind: X # another
metadata:
  name: web
spec:

  # About the list.
  requirements:
    - key: a
      operator: In
      values:
      - x
      - y   # the second
    -   key: b
  "quoted key": 1
  'single': {flow: [1, {deep: "é😀", last: 2}], 'q''q': z}
  ? explicit
  : value
  empty:
  anchored: &anchor
    inside: 1
  tagged: !!str 5
  aliased: *anchor
  merged:
    <<: *anchor
    own: 2
  block: |
    text
  folded: >-
    text
  multi: first
    second
  1: number
  null: nothing
  ~: tilde
  annotations:
    example.com/a.b: c
`;
  it.each<Case>([
    ["the object", [], "2:1 apiVersion: v1"],
    ["a scalar", ["kind"], "3:7 X # another"],
    ["a scalar's key", ["kind"], "3:1 kind: X # another", "key"],
    ["a mapping", ["metadata"], "4:1 metadata:"],
    ["a scalar in a mapping", ["metadata", "name"], "5:9 web"],
    ["a list behind a blank line and a comment", ["spec", "requirements"], "9:3 requirements:"],
    ["an item that is a mapping", ["spec", "requirements", 0], "10:7 key: a"],
    ["a field of an item", ["spec", "requirements", 0, "operator"], "11:17 In"],
    ["a list in an item, not indented", ["spec", "requirements", 0, "values"], "12:7 values:"],
    ["an item that is a scalar", ["spec", "requirements", 0, "values", 1], "14:9 y   # the second"],
    ["an item's key is the item", ["spec", "requirements", 0, "values", 1], "14:9 y   # the second", "key"],
    ["an item with more space", ["spec", "requirements", 1], "15:9 key: b"],
    ["a key in double quotes", ["spec", "quoted key"], "16:17 1"],
    ["a key in double quotes, the key", ["spec", "quoted key"], '16:3 "quoted key": 1', "key"],
    ["a flow mapping", ["spec", "single"], "17:3 'single': {flow: [1, {deep: \"é😀\", last: 2}], 'q''q': z}"],
    ["a flow list", ["spec", "single", "flow"], "17:14 flow: [1, {deep: \"é😀\", last: 2}], 'q''q': z}"],
    ["an item of a flow list", ["spec", "single", "flow", 0], "17:21 1, {deep: \"é😀\", last: 2}], 'q''q': z}"],
    ["a mapping in a flow list", ["spec", "single", "flow", 1], "17:24 {deep: \"é😀\", last: 2}], 'q''q': z}"],
    ["behind characters of several bytes", ["spec", "single", "flow", 1, "last"], "17:43 2}], 'q''q': z}"],
    ["a key with an escaped quote", ["spec", "single", "q'q"], "17:56 z}"],
    ["an explicit key", ["spec", "explicit"], "19:5 value"],
    ["an explicit key, the key", ["spec", "explicit"], "18:5 explicit", "key"],
    ["nothing behind a key: the key", ["spec", "empty"], "20:3 empty:"],
    ["a value with an anchor", ["spec", "anchored"], "21:3 anchored: &anchor"],
    ["inside it", ["spec", "anchored", "inside"], "22:13 1"],
    ["a value with a tag", ["spec", "tagged"], "23:17 5"],
    ["an alias", ["spec", "aliased"], "24:12 *anchor"],
    ["what an alias brings: the alias", ["spec", "aliased", "inside"], "24:12 *anchor"],
    ["what a merge brings: the mapping", ["spec", "merged", "inside"], "25:3 merged:"],
    ["beside a merge", ["spec", "merged", "own"], "27:10 2"],
    ["a literal block", ["spec", "block"], "28:10 |"],
    ["a folded block", ["spec", "folded"], "30:11 >-"],
    ["a plain scalar of two lines", ["spec", "multi"], "32:10 first"],
    ["a number as key", ["spec", "1"], "34:6 number"],
    ["a number as key, asked by number", ["spec", 1], "34:6 number"],
    ["null as key", ["spec", "null"], "35:9 nothing"],
    ["a tilde as key", ["spec", "~"], "36:6 tilde"],
    ["a key with dots and a slash", ["spec", "annotations", "example.com/a.b"], "38:22 c"],
    ["a field that is not written: its parent", ["spec", "missing"], "6:1 spec:"],
    ["far below it: the nearest parent", ["spec", "missing", 3, "x"], "6:1 spec:"],
    ["an item beyond the end: the list", ["spec", "requirements", 7], "9:3 requirements:"],
    ["below a scalar: the scalar", ["metadata", "name", "x"], "5:9 web"],
    ["a key in a list: the list", ["spec", "requirements", "key"], "9:3 requirements:"],
    ["what every object inherits: the parent", ["spec", "toString"], "6:1 spec:"],
  ])("%s", (_what, path, place, part) => {
    expect(placeOf(resources(text)[0]!, path, part)).toBe(place);
  });
});

describe("other forms of a text", () => {
  const name: FieldPath = ["metadata", "name"];
  it.each<[what: string, text: string, places: string[]]>([
    ["JSON", '{\n\t"apiVersion": "v1", "kind": "X",\n\t"metadata": {"name": "web"}\n}', ['3:23 "web"}']],
    ["CRLF", "apiVersion: v1\r\nkind: X\r\nmetadata:\r\n  name: web\r\n", ["4:9 web"]],
    [
      "documents with starts, ends, comments and directives",
      "%YAML 1.2\n---\napiVersion: v1\nkind: X\nmetadata: {name: a}\n...\n# c\n---\n# d\napiVersion: v1\nkind: X\nmetadata:\n  name: b\n--- {apiVersion: v1, kind: X, metadata: {name: c}}\n",
      ["5:18 a}", "13:9 b", "14:48 c}}"],
    ],
    [
      "a List, and a List in it",
      "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: X\n  metadata: {name: a}\n- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: X\n    metadata:\n      name: b\n",
      ["6:20 a}", "13:13 b"],
    ],
    [
      "a ResourceList",
      "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: {metadata: {name: f}}\nitems:\n- {apiVersion: v1, kind: X, metadata: {name: a}}\n- {apiVersion: v1, kind: X, metadata: {name: b}}\n",
      ["5:46 a}}", "6:46 b}}"],
    ],
    [
      "the items of a typed list",
      "apiVersion: v1\nkind: PodList\nitems: [{metadata: {name: a}}, {metadata: {name: b}}]\n",
      ["3:27 a}}, {metadata: {name: b}}]", "3:50 b}}]"],
    ],
    ["multi-byte characters before it", "{apiVersion: v1, kind: 😀é, metadata: {name: a}}\n", ["1:45 a}}"]],
    ["indented as a whole", "  apiVersion: v1\n  kind: X\n  metadata:\n   name: a\n", ["4:10 a"]],
  ])("%s", (_what, text, places) => {
    expect(resources(text).map((resource) => placeOf(resource, name))).toStrictEqual(places);
  });

  it("starts an item of a List at the item", () => {
    const [first, second] = resources(
      "kind: List\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: X\n-   {apiVersion: v1, kind: X}\n",
    );
    expect([placeOf(first!, []), placeOf(second!, [])]).toStrictEqual([
      "4:3 apiVersion: v1",
      "6:5 {apiVersion: v1, kind: X}",
    ]);
  });

  it("finds places in many documents, whatever the order of the questions", () => {
    const all = resources(
      Array.from({ length: 20 }, (_, at) => `apiVersion: v1\nkind: X\nmetadata: {name: n${at}}\n`).join("---\n"),
    );
    const ask = [...all, ...all.toReversed(), ...all];
    expect(ask.map((resource) => placeOf(resource, name))).toStrictEqual(
      ask.map((resource) => `${4 * Number(resource.name.slice(1)) + 3}:18 ${resource.name}}`),
    );
  });

  it("names file and line in messages", () => {
    const [resource] = resources("apiVersion: v1\nkind: X\nmetadata:\n  name: web\n");
    expect(locationOf(resource!, name)).toBe("f.yaml:4");
  });
});

describe("any document", () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const text = fc.oneof(word, fc.string({ maxLength: 12 }), fc.string({ unit: "grapheme", maxLength: 6 }));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      text,
      fc.integer(),
      fc.boolean(),
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(text, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));

  /** Every scalar of a value with its path. */
  function leaves(value: unknown, path: FieldPath = []): [FieldPath, unknown][] {
    if (typeof value !== "object" || value === null) return [[path, value]];
    const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    return entries.flatMap(([key, item]) => leaves(item, [...path, key]));
  }

  it.each<[what: string, write: (value: unknown) => string]>([
    ["JSON on one line", (value) => JSON.stringify(value)],
    ["JSON over lines", (value) => JSON.stringify(value, undefined, 3)],
    ["JSON with tabs and CRLF", (value) => JSON.stringify(value, undefined, "\t").replaceAll("\n", "\r\n")],
  ])("gives each scalar its place: %s", (_what, write) => {
    fc.assert(
      fc.property(tree, (spec) => {
        const written = write({ apiVersion: "v1", kind: "X", spec });
        const { value } = parseSources([testSource(`# c\n---\n${written}\n`)]);
        const [resource] = value;
        for (const [path, leaf] of leaves({ spec })) {
          const { text: all } = resource!.document.source;
          expect(all.slice(locateField(resource!, path))).toSatisfy((rest: string) =>
            rest.startsWith(JSON.stringify(leaf)),
          );
        }
      }),
    );
  });

  it("gives each scalar its place: YAML blocks", () => {
    fc.assert(
      fc.property(tree, (spec) => {
        const [resource] = resources(`---\n${toYaml({ apiVersion: "v1", kind: "X", spec })}`);
        for (const [path, leaf] of leaves({ spec })) {
          const written = toYaml(leaf).trimEnd().split("\n")[0]!;
          expect(placeOf(resource!, path)).toSatisfy((place: string) => place.includes(` ${written}`));
        }
      }),
    );
  });
});
