/** Editing a ResourceList: unedited parts keep every byte, in each style. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { editResourceList, type ResourceListEdits } from "./edit-resource-list.ts";
import { readResourceList } from "./read-resource-list.ts";
import { itemLines, textOf, writtenList } from "../../../test/support/written-list.ts";
import { testSource } from "../../../test/support/source.ts";
import { toYaml } from "../yaml/write.ts";

const NONE: ResourceListEdits = {
  replace: new Map(),
  remove: new Set(),
  annotate: new Set(),
  annotation: { name: "config.kubernetes.io/local-config", value: "true" },
  append: [],
  results: [],
};

function edited(text: string, edits: Partial<ResourceListEdits>): string {
  const { value } = readResourceList(testSource(text));
  return editResourceList(value!, { ...NONE, ...edits })!;
}

const POOL = { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "new" }, spec: [1, "a\nb\n"] };
const RESULTS = [{ message: "made up", severity: "warning" }];

const written = (object: unknown, indent: string): string[] =>
  toYaml([object])
    .trimEnd()
    .split("\n")
    .map((line) => indent + line);

const WHATS = fc.array(fc.constantFrom("keep", "remove", "replace"), { minLength: 4, maxLength: 4 });

describe("a list in block style", () => {
  it("keeps every byte without edits, except for earlier results", () => {
    fc.assert(
      fc.property(writtenList, (list) => {
        const text = textOf(list);
        if (list.results.length === 0) expect(edited(text, {})).toBe(text);
        const items = list.items.flatMap((item) => itemLines(item, list.indent).flat());
        expect(edited(text, {}).trimEnd()).toBe(textOf(list, { items, results: [] }).trimEnd());
      }),
    );
  });

  it("changes only where the edits say", () => {
    fc.assert(
      fc.property(writtenList, WHATS, fc.integer({ min: 0, max: 2 }), fc.boolean(), (list, whats, more, says) => {
        const { indent } = list;
        const places = (what: string) => list.items.flatMap((_item, place) => (whats[place] === what ? [place] : []));
        const append = Array.from({ length: more }, () => POOL);
        const edits = {
          remove: new Set(places("remove")),
          replace: new Map(places("replace").map((place) => [place, POOL])),
          append,
          results: says ? RESULTS : [],
        };
        const items = list.items.flatMap((item, place) => {
          const [above, own] = itemLines(item, indent);
          // What is below the key belongs to the list.
          if (whats[place] === "remove") return place === 0 ? above : [];
          return [...above, ...(whats[place] === "replace" ? written(POOL, indent) : own)];
        });
        const nothingLeft = edits.remove.size === list.items.length && more === 0;
        const all = nothingLeft ? [] : [...items, ...append.flatMap((object) => written(object, indent))];
        const results = says ? toYaml({ results: RESULTS }).trimEnd().split("\n") : [];
        expect(edited(textOf(list), edits).trimEnd()).toBe(textOf(list, { items: all, results }).trimEnd());
      }),
    );
  });

  it("gets an annotation without losing a word", () => {
    fc.assert(
      fc.property(writtenList, WHATS, (list, whats) => {
        const text = textOf(list);
        const annotate = new Set(list.items.flatMap((_item, place) => (whats[place] === "keep" ? [place] : [])));
        const result = edited(text, { annotate });
        const before = (parse(text) as { items: Item[] }).items;
        const expected = before.map((item, place) =>
          annotate.has(place)
            ? { ...item, metadata: { ...item.metadata, annotations: { [NONE.annotation.name]: "true" } } }
            : item,
        );
        expect((parse(result) as { items: Item[] }).items).toStrictEqual(expected);
        // An item with an anchor is written anew, because an alias may refer to a part of it.
        if (text.includes("&version") || list.results.length > 0) return;
        const block = /^ *(?:annotations:|config\.kubernetes\.io\/local-config: "true")\r?\n/gm;
        const flow = 'annotations: {config.kubernetes.io/local-config: "true"}, ';
        expect(result.replaceAll(block, "").replaceAll(flow, "")).toBe(text);
      }),
    );
  });
});

const PLAIN_ITEMS = [
  ["apiVersion: v1", "kind: ConfigMap", "metadata:", "  name: a", "data: {}"],
  [
    "kind: A # behind",
    "metadata: # here",
    "  # below",
    "  annotations:",
    "    \"a/b\": 'c'",
    "spec:",
    "- x",
    "-",
    "  - y",
  ],
  ["metadata: {}", "items: [a, b]", "results:", "  - items:", "      - 1"],
  ["metadata:", "  annotations:", "    config.kubernetes.io/local-config: maybe", "  name: d", "", "spec:"],
];

describe("a list in plain style", () => {
  it("is edited in the same way as with its tree, without building it", () => {
    let plain = 0;
    fc.assert(
      fc.property(writtenList, WHATS, fc.boolean(), (list, whats, says) => {
        const places = (what: string) => new Set(whats.flatMap((own, place) => (own === what ? [place] : [])));
        const edits = {
          remove: places("remove"),
          annotate: places("keep"),
          replace: new Map([...places("replace")].map((place) => [place, POOL])),
          append: says ? [POOL] : [],
          results: says ? RESULTS : [],
        };
        const head = ["apiVersion: config.kubernetes.io/v1", "kind: ResourceList"];
        const items = list.items.map((item, place) => ({ ...item, lines: PLAIN_ITEMS[place]! }));
        const text = textOf({ ...list, head, items, tail: [], eol: "\n" }).replace("{dir: out}", "");
        if (readResourceList(testSource(text)).value!.document !== undefined) return;
        plain += 1;
        const directive = "%YAML 1.2\n---\n";
        const byTree = edited(directive + text, edits);
        expect(directive + edited(text, edits)).toBe(byTree);
      }),
    );
    expect(plain).toBeGreaterThan(50);
  });
});

interface Item {
  readonly metadata: object;
}

const LIST = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
const a = "apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n";

describe("a list", () => {
  it.each<[string, string, Partial<ResourceListEdits>, string]>([
    ["that is empty", `${LIST}items: [] # none\n`, { append: [{ kind: "A" }] }, `${LIST}items:\n- kind: A\n`],
    ["that stays empty", `${LIST}items: [] # none\n`, {}, `${LIST}items: [] # none\n`],
    [
      "that is null",
      `${LIST}items:\nfunctionConfig: {}\n`,
      { append: [{ kind: "A" }] },
      `${LIST}items:\n- kind: A\nfunctionConfig: {}\n`,
    ],
    ["that stays null", `${LIST}items: null\n`, {}, `${LIST}items: null\n`],
    ["that is missing", LIST, {}, `${LIST}items: []\n`],
    ["that is missing at the end of a line", LIST.trimEnd(), { append: [{ kind: "A" }] }, `${LIST}items:\n- kind: A\n`],
    ["whose last item goes", `${LIST}items:\n- ${a}`, { remove: new Set([0]) }, `${LIST}items: []\n`],
    [
      "with an alias of what goes",
      `${LIST}items:\n- &a\n  kind: A\n- also: *a # gone\n`,
      { remove: new Set([0]) },
      `${LIST}items:\n- also:\n    kind: A\n`,
    ],
    [
      "with an alias of what gets an annotation",
      `${LIST}items:\n- kind: A\n  metadata: &m {name: a}\n- kind: B\n  metadata: *m\n`,
      { annotate: new Set([0]) },
      `${LIST}items:\n- kind: A\n  metadata:\n    name: a\n    annotations:\n      config.kubernetes.io/local-config: "true"\n- kind: B\n  metadata:\n    name: a\n`,
    ],
    [
      "with an alias of what stays",
      `${LIST}items:\n- &a\n  kind: A\n- also: *a # here\n- kind: B\n`,
      { remove: new Set([2]) },
      `${LIST}items:\n- &a\n  kind: A\n- also: *a # here\n`,
    ],
    ["in flow style", `${LIST}items: [{kind: A}, {kind: B}]\n`, { remove: new Set([0]) }, `${LIST}items:\n- kind: B\n`],
    [
      "in JSON",
      '{"kind":"ResourceList","apiVersion":"config.kubernetes.io/v1beta1","items":[{"kind":"A","m":1e3}],"results":[]}',
      { results: RESULTS },
      "kind: ResourceList\napiVersion: config.kubernetes.io/v1beta1\nitems:\n- kind: A\n  m: 1000\nresults:\n- message: made up\n  severity: warning\n",
    ],
  ])("%s", (_what, text, edits, expected) => {
    expect(edited(text, edits)).toBe(expected);
  });
});

describe("an annotation", () => {
  const mark = (item: string): string => {
    const list = `${LIST}items:\n- ${item.replaceAll("\n", "\n  ")}\n`;
    const start = `${LIST}items:\n- `.length;
    return edited(list, { annotate: new Set([0]) })
      .slice(start, -1)
      .replaceAll("\n  ", "\n");
  };

  it.each([
    [
      "kind: A\nmetadata:\n  name: a # b",
      'kind: A\nmetadata:\n  annotations:\n    config.kubernetes.io/local-config: "true"\n  name: a # b',
    ],
    [
      "kind: A\nmetadata: {name: a} # b",
      'kind: A\nmetadata: {annotations: {config.kubernetes.io/local-config: "true"}, name: a} # b',
    ],
    [
      "kind: A\nmetadata:\n  annotations: {}",
      'kind: A\nmetadata:\n  annotations: {config.kubernetes.io/local-config: "true"}',
    ],
    [
      "kind: A\nmetadata:\n  annotations:\n      b: c # d",
      'kind: A\nmetadata:\n  annotations:\n      config.kubernetes.io/local-config: "true"\n      b: c # d',
    ],
    [
      "kind: A\nmetadata:\n  annotations:\n    config.kubernetes.io/local-config: 'false' # d",
      'kind: A\nmetadata:\n  annotations:\n    config.kubernetes.io/local-config: "true" # d',
    ],
    ["kind: A # gone", 'kind: A\nmetadata:\n  annotations:\n    config.kubernetes.io/local-config: "true"'],
    ["kind: A # gone\nmetadata:", 'kind: A\nmetadata:\n  annotations:\n    config.kubernetes.io/local-config: "true"'],
    [
      "kind: A\nmetadata:\n  annotations:",
      'kind: A\nmetadata:\n  annotations:\n    config.kubernetes.io/local-config: "true"',
    ],
  ])("%j", (item, expected) => {
    expect(mark(item)).toBe(expected);
  });
});
