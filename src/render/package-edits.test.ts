/** Tests how rendered objects change a package: replaced, removed and new items. */
import { expect, it } from "vitest";
import { placeAnnotations } from "../krm/resource-list/package-item.ts";
import { testSource } from "../../test/support/source.ts";
import { readResourceList } from "../krm/resource-list/read-resource-list.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { packageEdits, type PackageOptions } from "./package-edits.ts";

const OURS = {
  labels: { "app.kubernetes.io/managed-by": "anp" },
  from: { "anp.hypershift.openshift.io/rendered-from": "OpenshiftNodePool/x" },
};
const nodePool = (name: string, places: Readonly<Record<string, string>> = {}, marked = true): KubeObject => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name, labels: marked ? OURS.labels : {}, annotations: { ...places, ...OURS.from } },
  spec: {},
});

const place = (path: string, index = 0) => placeAnnotations({ path, index });

function edits(items: readonly KubeObject[], objects: readonly KubeObject[], options: Partial<PackageOptions> = {}) {
  const text = JSON.stringify({ apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items });
  const { resources } = readResourceList(testSource(text)).value!;
  const paths = items.map(({ metadata }) => metadata.annotations?.["config.kubernetes.io/path"]);
  const { replace, remove, append } = packageEdits(resources, objects, {
    dir: "out",
    prune: true,
    items,
    paths,
    keepsFiles: true,
    ...options,
  });
  const pathOf = ({ metadata }: Pick<KubeObject, "metadata">) =>
    metadata.annotations?.["internal.config.kubernetes.io/path"];
  return {
    replace: [...replace].map(([at, object]) => [
      at,
      (object as KubeObject).metadata.name,
      pathOf(object as KubeObject),
    ]),
    remove: [...remove],
    append: append.map((object) => [object.metadata.name, pathOf(object)]),
  };
}

it.each<[string, ReturnType<typeof edits>, Partial<ReturnType<typeof edits>>]>([
  ["is new", edits([], [nodePool("a")]), { append: [["a", "out/nodepool-a.yaml"]] }],
  ["is new at the top", edits([], [nodePool("a")], { dir: "./" }), { append: [["a", "nodepool-a.yaml"]] }],
  [
    "is new in a folder that is written oddly",
    edits([], [nodePool("a")], { dir: "./x//y/" }),
    { append: [["a", "x/y/nodepool-a.yaml"]] },
  ],
  ["is new without files", edits([], [nodePool("a")], { keepsFiles: false }), { append: [["a", undefined]] }],
  [
    "was rendered before, and moved",
    edits([nodePool("a", place("my/a.yaml", 3))], [nodePool("a")]),
    { replace: [[0, "a", "my/a.yaml"]] },
  ],
  [
    "was rendered before, by a host without files",
    edits([nodePool("a")], [nodePool("a")]),
    { replace: [[0, "a", undefined]] },
  ],
  [
    "has a copy",
    edits([nodePool("a", place("1.yaml")), nodePool("a", place("2.yaml"))], [nodePool("a")]),
    { replace: [[0, "a", "1.yaml"]], remove: [1] },
  ],
  ["has lost its wrapper", edits([nodePool("gone", place("1.yaml"))], []), { remove: [0] }],
  ["has lost its wrapper, where nothing may go", edits([nodePool("gone")], [], { prune: false }), {}],
  ["belongs to another tool", edits([nodePool("other", {}, false)], []), {}],
  [
    "would stand in another object's file",
    edits(
      [nodePool("other", place("out/nodepool-a.yaml"), false), nodePool("more", place("out/nodepool-a-2.yaml"), false)],
      [nodePool("a")],
    ),
    { append: [["a", "out/nodepool-a-3.yaml"]] },
  ],
  [
    "is in the file of a removed object",
    edits([nodePool("gone", place("out/nodepool-a.yaml"))], [nodePool("a")]),
    { remove: [0], append: [["a", "out/nodepool-a.yaml"]] },
  ],
])("an object that %s", (_what, actual, expected) => {
  expect(actual).toStrictEqual({ replace: [], remove: [], append: [], ...expected });
});
