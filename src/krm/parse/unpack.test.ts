/** Unpacking one document: an object, a list of them, or neither. */
import { describe, expect, it } from "vitest";
import { formatFieldPath } from "../places/field-path.ts";
import { parseSources } from "./parse.ts";
import type { Resource } from "../places/resource.ts";
import type { Source } from "../places/source.ts";
import { printFinding, testSource } from "../../../test/support/source.ts";

/** `apiVersion kind namespace/name @base in folder`. */
function printResource({ apiVersion, kind, name, namespace, base, folder }: Resource): string {
  const where = base.length === 0 ? "" : ` @${formatFieldPath(base)}`;
  return `${apiVersion} ${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}${where} in ${JSON.stringify(folder)}`;
}

function unpack(text: string, flags: Partial<Source> = {}): { resources: string[]; findings: string[] } {
  const { value, findings } = parseSources([testSource(text, flags)]);
  return { resources: value.map(printResource), findings: findings.map(printFinding) };
}

const LIST = "apiVersion: v1\nkind: List\n";
const IN_DIRECTORY = { explicit: false };
const GROUP = "karpenter.hypershift.openshift.io";

describe("unpackObjects", () => {
  it.each<[what: string, text: string, resources: string[]]>([
    ["an object", "apiVersion: apps/v1\nkind: X\nmetadata: {name: a, namespace: b}\n", ['apps/v1 X b/a in "/work"']],
    ["an object without metadata", "apiVersion: v1\nkind: X\n", ['v1 X  in "/work"']],
    ["metadata that is a word", "apiVersion: v1\nkind: X\nmetadata: x\n", ['v1 X  in "/work"']],
    ["metadata that is a list", "apiVersion: v1\nkind: X\nmetadata: [name]\n", ['v1 X  in "/work"']],
    [
      "a name and a namespace that are no strings",
      "apiVersion: v1\nkind: X\nmetadata: {name: 1, namespace: {}}\n",
      ['v1 X  in "/work"'],
    ],
    ["an empty namespace", 'apiVersion: v1\nkind: X\nmetadata: {name: a, namespace: ""}\n', ['v1 X a in "/work"']],
    [
      "a List",
      `${LIST}items:\n- {apiVersion: v1, kind: X, metadata: {name: a}}\n- {apiVersion: v1, kind: Y, metadata: {name: b}}\n`,
      ['v1 X a @items[0] in "/work"', 'v1 Y b @items[1] in "/work"'],
    ],
    ["an empty List", `${LIST}items: []\n`, []],
    ["a List that Go wrote without items", `${LIST}items: null\n`, []],
    [
      "Lists in a List",
      `${LIST}items:\n- apiVersion: v1\n  kind: List\n  items:\n  - {apiVersion: v1, kind: X}\n  - {apiVersion: v1, kind: List, items: []}\n- {apiVersion: v1, kind: Y}\n`,
      ['v1 X  @items[0].items[0] in "/work"', 'v1 Y  @items[1] in "/work"'],
    ],
    [
      "a list of one kind",
      `apiVersion: ${GROUP}/v1beta1\nkind: OpenshiftNodePoolList\nitems: [{apiVersion: ${GROUP}/v1beta1, kind: OpenshiftNodePool, metadata: {name: a}}]\n`,
      [`${GROUP}/v1beta1 OpenshiftNodePool a @items[0] in "/work"`],
    ],
    [
      "a list of one kind whose items do not repeat it",
      "apiVersion: v1\nkind: PodList\nitems: [{metadata: {name: a}}, {kind: Y, metadata: {name: b}}]\n",
      ['v1 Pod a @items[0] in "/work"', 'v1 Y b @items[1] in "/work"'],
    ],
    [
      "objects in the items of an object of another kind, beside it",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nitems: [{apiVersion: v1, kind: Y, metadata: {name: b}}, {metadata: {name: c}}, {kind: Z}, {apiVersion: v1}, {apiVersion: '', kind: ''}]\n",
      ['v1 ConfigMap a in "/work"', 'v1 Y b @items[0] in "/work"', 'v1 ConfigMap c @items[1] in "/work"'],
    ],
    [
      "a List in the items of an object, and an object with items in those of another one",
      "apiVersion: v1\nkind: X\nitems: [{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Y}]}, {apiVersion: v1, kind: Z, items: [{}]}]\n",
      [
        'v1 X  in "/work"',
        'v1 Y  @items[0].items[0] in "/work"',
        'v1 Z  @items[1] in "/work"',
        'v1 Z  @items[1].items[0] in "/work"',
      ],
    ],
    [
      "an object with items of which one is none",
      "apiVersion: v1\nkind: X\nitems: [{apiVersion: v1, kind: Y}, soup]\n",
      ['v1 X  in "/work"'],
    ],
    [
      "an object whose kind happens to end in List",
      "apiVersion: e.x/v1\nkind: AllowList\nmetadata: {name: a}\nitems: [10.0.0.0/8]\n",
      ['e.x/v1 AllowList a in "/work"'],
    ],
    [
      "an object whose kind ends in List, without items",
      "apiVersion: e.x/v1\nkind: AllowList\nmetadata: {name: a}\n",
      ['e.x/v1 AllowList a in "/work"'],
    ],
    [
      "a ResourceList with functionConfig and results",
      "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: {apiVersion: v1, kind: ConfigMap}\nresults: [{message: x}]\nitems: [{apiVersion: v1, kind: X, metadata: {name: a}}]\n",
      ['v1 X a @items[0] in "/work"'],
    ],
    [
      "a ResourceList of the older version",
      "apiVersion: config.kubernetes.io/v1beta1\nkind: ResourceList\nitems: []\n",
      [],
    ],
  ])("%s", (_what, text, resources) => {
    expect(unpack(text)).toStrictEqual({ resources, findings: [] });
  });

  it("gives the items of a list of one kind their apiVersion and kind", () => {
    const { value } = parseSources([testSource("apiVersion: e.x/v1\nkind: PodList\nitems: [{metadata: {name: a}}]\n")]);
    expect(value.map((resource) => resource.value)).toStrictEqual([
      { apiVersion: "e.x/v1", kind: "Pod", metadata: { name: "a" } },
    ]);
  });

  it.each<[what: string, text: string, findings: string[], resources?: string[], flags?: Partial<Source>]>([
    [
      "no apiVersion and kind",
      "a: 1\n",
      ["error not-krm f.yaml:1:1 has no apiVersion and kind, so it is not a Kubernetes object | a: 1"],
    ],
    [
      "the same in a directory",
      "# values\n\na: 1\n",
      ["info file-skipped f.yaml:3:1 has no apiVersion and kind, so it is not a Kubernetes object | a: 1"],
      [],
      IN_DIRECTORY,
    ],
    [
      "a kind that is a number",
      "--- # c\napiVersion: v1\nkind: 1\n",
      ["error not-krm f.yaml:2:1 has no apiVersion and kind, so it is not a Kubernetes object | apiVersion: v1"],
    ],
    [
      "a kind that every object inherits",
      "kind: toString\n",
      ["error not-krm f.yaml:1:1 has no apiVersion and kind, so it is not a Kubernetes object | kind: toString"],
    ],
    [
      "an empty kind",
      'apiVersion: v1\nkind: ""\n',
      ["error not-krm f.yaml:1:1 has no apiVersion and kind, so it is not a Kubernetes object | apiVersion: v1"],
    ],
    [
      "our kind with an apiVersion that is a list",
      "apiVersion: []\nkind: AutoNodePolicy\n",
      [
        `error unknown-kind f.yaml:1:1 has no API group, so it would not be read as a rule or wrapper → write apiVersion: ${GROUP}/v1beta1 | apiVersion: []`,
      ],
    ],
    [
      "our group without a kind, in a directory",
      `apiVersion: ${GROUP}/v1beta1\nKind: AutoNodePolicy\n`,
      [
        `error unknown-kind f.yaml:1:1 has the apiVersion \`${GROUP}/v1beta1\` and no kind → kinds of this group: AutoNodePolicy, OpenshiftNodePool, OpenshiftEC2NodeClass | apiVersion: ${GROUP}/v1beta1`,
      ],
      [],
      IN_DIRECTORY,
    ],
    [
      "a List without items",
      LIST,
      ["error not-krm f.yaml:1:1 items is not a list, and a List has one | apiVersion: v1"],
    ],
    [
      "a List with items written wrong, in a directory",
      `${LIST}Items: []\n`,
      ["error not-krm f.yaml:1:1 items is not a list, and a List has one | apiVersion: v1"],
      [],
      IN_DIRECTORY,
    ],
    [
      "a List with a mapping as items",
      `${LIST}items:\n  a: {apiVersion: v1, kind: X}\n`,
      ["error not-krm f.yaml:3:1 items is not a list, and a List has one | items:"],
    ],
    [
      "a ResourceList without items",
      "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n",
      [
        "error not-krm f.yaml:1:1 items is not a list, and a ResourceList has one | apiVersion: config.kubernetes.io/v1",
      ],
    ],
    [
      "broken items beside a good one, in a directory",
      `${LIST}items:\n- x\n- apiVersion: v1\n  kind: X\n-\n- metadata: {}\n- apiVersion: v1\n  kind: List\n`,
      [
        "error not-krm f.yaml:4:3 items[0] is not a mapping, so it is not a Kubernetes object | - x",
        "error not-krm f.yaml:7:2 items[2] is not a mapping, so it is not a Kubernetes object | -",
        "error not-krm f.yaml:8:3 items[3] has no apiVersion and kind, so it is not a Kubernetes object | - metadata: {}",
        "error not-krm f.yaml:9:3 items[4].items is not a list, and a List has one | - apiVersion: v1",
      ],
      ['v1 X  @items[1] in "/work"'],
      IN_DIRECTORY,
    ],
    [
      "our group without a kind in a List",
      `${LIST}items:\n- {apiVersion: v1, kind: X}\n- apiVersion: ${GROUP}/v1beta1\n`,
      [
        `error unknown-kind f.yaml:5:3 has the apiVersion \`${GROUP}/v1beta1\` and no kind → kinds of this group: AutoNodePolicy, OpenshiftNodePool, OpenshiftEC2NodeClass | - apiVersion: ${GROUP}/v1beta1`,
      ],
      ['v1 X  @items[0] in "/work"'],
    ],
  ])("finds %s", (_what, text, findings, resources = [], flags = {}) => {
    expect(unpack(text, flags)).toStrictEqual({ resources, findings });
  });
});

describe("the folder of an object", () => {
  const object = (annotations: string) => `apiVersion: v1\nkind: X\nmetadata: {annotations: ${annotations}}\n`;
  const STREAM = { file: "<stdin>", folder: "" };
  it.each<[what: string, annotations: string, folder: string]>([
    ["no annotation", "{}", ""],
    ["a path", "{internal.config.kubernetes.io/path: a/b/c.yaml}", "a/b"],
    ["the older name", "{config.kubernetes.io/path: a/c.yaml}", "a"],
    ["both names", "{config.kubernetes.io/path: old/c.yaml, internal.config.kubernetes.io/path: new/c.yaml}", "new"],
    ["a file at the root", "{config.kubernetes.io/path: c.yaml}", ""],
    ["a file at the root, with its folder", "{config.kubernetes.io/path: ./c.yaml}", ""],
    ["a path from the root, with its folder", "{config.kubernetes.io/path: ././/a/c.yaml}", "a"],
    ["a path from the root of the disk", "{config.kubernetes.io/path: /a/b/c.yaml}", "a/b"],
    ["a path from there, with its folder", "{config.kubernetes.io/path: .//./a/c.yaml}", "a"],
    ["a hidden folder", "{config.kubernetes.io/path: .a/c.yaml}", ".a"],
    ["a path that is a number", "{config.kubernetes.io/path: 1}", ""],
    ["annotations that are a list", "[config.kubernetes.io/path]", ""],
  ])("in a stream: %s", (_what, annotations, folder) => {
    const { value } = parseSources([testSource(object(annotations), STREAM)]);
    expect(value.map((resource) => resource.folder)).toStrictEqual([folder]);
  });

  it("is the file's in a file: an annotation moves no object to another cluster", () => {
    const text = object("{internal.config.kubernetes.io/path: /other/cluster/c.yaml}");
    const { value } = parseSources([testSource(text)]);
    expect(value.map((resource) => resource.folder)).toStrictEqual(["/work"]);
  });
});
