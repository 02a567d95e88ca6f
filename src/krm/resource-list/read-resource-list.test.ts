/** Reading a ResourceList: what counts as one, its items, and which of them are unreadable. */
import { describe, expect, it } from "vitest";
import { looksLikeResourceList } from "./looks-like-resource-list.ts";
import { readResourceList } from "./read-resource-list.ts";
import { printFinding, testSource } from "../../../test/support/source.ts";

const LIST = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
const source = (text: string) => testSource(text, { file: "<stdin>", folder: "" });
const at = (path: string): string => `annotations: {config.kubernetes.io/path: ${path}}`;

function read(text: string): unknown {
  const { value, findings } = readResourceList(source(text));
  return {
    resources: value?.resources.map(
      ({ kind, name, base, folder, document }) =>
        `${kind} ${name} ${base.join(".")} ${document.source.file} in ${JSON.stringify(folder)}`,
    ),
    config: value?.functionConfig?.kind,
    findings: findings.map(printFinding),
  };
}

describe("a ResourceList", () => {
  it.each<[string, string, readonly string[]]>([
    [
      "of today",
      `${LIST}items:\n- {apiVersion: v1, kind: A, metadata: {name: a, ${at("x/a.yaml")}}}\n`,
      ['A a items.0 x/a.yaml in "x"'],
    ],
    [
      "of v1beta1",
      `${LIST.replace("/v1", "/v1beta1")}items:\n- {apiVersion: v1, kind: A}\n`,
      ['A  items.0 <stdin> in ""'],
    ],
    [
      "in JSON",
      `{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "items": [{"apiVersion": "v1", "kind": "A"}]}`,
      ['A  items.0 <stdin> in ""'],
    ],
    ["between markers and empty documents", `---\n${LIST}items: []\n...\n---\n# nothing\n`, []],
    ["without items", LIST, []],
    ["with null for items", `${LIST}items:\n`, []],
    ["with null for functionConfig", `${LIST}items: []\nfunctionConfig:\n`, []],
    [
      "with a List among the items, whose own items cannot say where they stand",
      `${LIST}items:\n- apiVersion: v1\n  kind: List\n  metadata: {${at("users/l.yaml")}}\n  items:\n  - {apiVersion: v1, kind: A, metadata: {name: a, ${at("provider/a.yaml")}}}\n`,
      ['A a items.0.items.0 users/l.yaml in "users"'],
    ],
  ])("%s is read", (_what, text, resources) => {
    expect(read(text)).toStrictEqual({ resources, config: undefined, findings: [] });
  });

  it.each(["a/", "/", "../", "./"])("has no path that is longer than a system takes: %s again and again", (part) => {
    const path = `${part.repeat(400_000 / part.length)}x.yaml`;
    const list = (name: string) =>
      `${LIST}items:\n- {apiVersion: v1, kind: A, metadata: {name: a, annotations: {${name}: ${path}}}}\n`;
    const finding = (file: string) =>
      `error input-limit ${file} items[0] has a path of more than 4096 bytes, which no file system takes → correct the annotation of its path`;
    for (const name of ["config.kubernetes.io/path", "internal.config.kubernetes.io/path"])
      expect(read(list(name))).toStrictEqual({ resources: [], config: undefined, findings: [finding("<stdin>")] });
    const longest = `${"a/".repeat(2045)}x.yaml`;
    expect(
      (read(list("config.kubernetes.io/path").replace(path, longest)) as { findings: string[] }).findings,
    ).toStrictEqual([]);
  });

  it("has items that are not objects: a host reads files of other tools too", () => {
    const text = `${LIST}items:\n- {version: 1, metadata: {${at("package.json")}}}\n- 1\n- {tag: !Ref x}\n- {apiVersion: v1, kind: A}\n`;
    expect(read(text)).toStrictEqual({
      resources: ['A  items.3 <stdin> in ""'],
      config: undefined,
      findings: [
        "info file-skipped package.json has no apiVersion and kind, so it is not a Kubernetes object",
        "info file-skipped <stdin> is not a mapping, so it is not a Kubernetes object",
        "info file-skipped <stdin> has no apiVersion and kind, so it is not a Kubernetes object",
      ],
    });
  });

  it.each([
    [
      "a key twice",
      "{apiVersion: v1, kind: A, kind: B, META}",
      "error yaml-duplicate-key x.yaml the key `kind` is given twice in one mapping → keep one of the two",
    ],
    [
      "an unknown tag",
      "{apiVersion: v1, kind: A, META, spec: !Ref x}",
      "error yaml-syntax x.yaml the tag `!Ref` means nothing in a Kubernetes object → remove the tag",
    ],
    ["an AutoNodePolicy without apiVersion", "{kind: AutoNodePolicy, META}", "error unknown-kind x.yaml "],
    [
      "a List without items",
      "{apiVersion: v1, kind: List, META}",
      "error not-krm x.yaml items is not a list, and a List has one",
    ],
  ])("with %s is an error at the item's file", (_what, item, finding) => {
    const text = `${LIST}items:\n- ${item.replace("META", `metadata: {${at("x.yaml")}}`)}\n`;
    const { value, findings } = readResourceList(source(text));
    expect(findings.map(printFinding)).toStrictEqual([expect.stringContaining(finding)]);
    expect([value?.text, value?.functionConfig]).toStrictEqual([text, undefined]);
  });

  it.each([
    [
      "items that are no list",
      `${LIST}items: {a: b}\n`,
      "error not-krm <stdin> `items` of the ResourceList is not a list",
    ],
    [
      "a functionConfig that is no object",
      `${LIST}items: []\nfunctionConfig: [a]\n`,
      "error function-config-invalid the functionConfig is not a Kubernetes object",
    ],
  ])("with %s is answered with an error", (_what, text, finding) => {
    const { value, findings } = readResourceList(source(text));
    expect(findings.map(printFinding)).toStrictEqual([finding]);
    expect(value).toMatchObject({ text, items: [], resources: [], functionConfig: undefined });
  });

  it.each([
    ["nothing", "", "error not-krm <stdin> is not a ResourceList"],
    ["a manifest", "apiVersion: v1\nkind: ConfigMap\n", "error not-krm <stdin> is not a ResourceList"],
    ["a ResourceList of another group", "apiVersion: example.com/v1\nkind: ResourceList\nitems: []\n", "error not-krm"],
    ["two of them", `${LIST}items: []\n---\n${LIST}items: []\n`, "error not-krm <stdin> is not a ResourceList"],
    ["broken YAML", `${LIST}items: [\n`, "error yaml-syntax <stdin>:4:1"],
    ["a control character", `${LIST}items: ["\u0001"]\n`, "error yaml-syntax <stdin>:3:"],
    ["deep nesting", `${LIST}items: ${"[".repeat(500)}`, "error input-limit <stdin>:3:"],
  ])("%s is not a ResourceList", (_what, text, finding) => {
    const { value, findings } = readResourceList(source(text));
    expect(findings.map(printFinding)).toStrictEqual([expect.stringContaining(finding)]);
    expect(value).toBeUndefined();
  });

  it("has a functionConfig", () => {
    const config = "functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: n}, data: {}}\n";
    const { value } = readResourceList(source(`${LIST}items: []\n${config}`));
    expect(value?.functionConfig).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", name: "c", namespace: "n" });
    expect(value?.functionConfig?.document.source.file).toBe("functionConfig");
  });
});

it.each([
  [true, `# comment\n${LIST}`],
  [true, 'kind: "ResourceList"\n'],
  [true, '{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList"}'],
  [false, ""],
  [false, "kind: ResourceListing\n"],
  [false, "data:\n  kind: ResourceList\n"],
])("looks like a ResourceList: %j for %j", (expected, text) => {
  expect(looksLikeResourceList(text)).toBe(expected);
});
