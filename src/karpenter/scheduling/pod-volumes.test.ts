/** Tests what volumes of a pod ask of its node. */
import { expect, it } from "vitest";
import { podSpecSchema } from "../../model/objects/pod.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { testSource } from "../../../test/support/source.ts";
import { podVolumes, storageOf } from "./pod-volumes.ts";

function volumesOf(volumes: readonly unknown[], ...objects: readonly object[]) {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { containers: [{}], volumes } };
  const all = [pod, ...objects].map((one) => JSON.stringify(one)).join("\n---\n");
  const [resource, ...others] = parseSources([testSource(all)]).value;
  const spec = podSpecSchema.parse(pod.spec);
  return podVolumes({ resource: resource!, path: ["spec"], spec }, storageOf(others));
}

const claim = (name: string) => [
  { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name }, spec: { volumeName: `pv-${name}` } },
];

const volume = (name: string, spec: object) => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: `pv-${name}` },
  spec,
});

const affinity = (...terms: readonly object[]) => ({ nodeAffinity: { required: { nodeSelectorTerms: terms } } });
const of = (name: string) => ({ name, persistentVolumeClaim: { claimName: name } });
const expression = (key: string, ...values: string[]) => ({ key, operator: "In", values });
const zones = (many: number) =>
  Array.from({ length: many }, (_none, index) => ({ matchExpressions: [expression("zone", `z${String(index)}`)] }));

it("asks for nothing without a claim", () => {
  expect(volumesOf([{ name: "a", emptyDir: {} }])).toStrictEqual({
    alternatives: [[]],
    attached: [],
    refusal: undefined,
    missing: [],
  });
});

it("counts volumes by the driver of the volume, or else of its class, also one that was part of Kubernetes", () => {
  const unbound = [
    { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "c" }, spec: { storageClassName: "old" } },
    {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "old" },
      provisioner: "kubernetes.io/gce-pd",
    },
  ];
  const bound = [...claim("a"), volume("a", { csi: { driver: "efs.csi.aws.com" } })];
  const inTree = [...claim("b"), volume("b", { awsElasticBlockStore: {} })];
  const other = [...claim("d"), volume("d", { nfs: {} })];
  const names = ["a", "b", "c", "d", "missing"];
  const { attached } = volumesOf(names.map(of), ...bound, ...inTree, ...unbound, ...other);
  expect(attached).toStrictEqual([
    { driver: "efs.csi.aws.com", claim: "a", isOfPod: false },
    { driver: "ebs.csi.aws.com", claim: "b", isOfPod: false },
    { driver: "pd.csi.storage.gke.io", claim: "c", isOfPod: false },
  ]);
});

it("does not ask for the host of a local volume, nor for fields", () => {
  const host = { matchExpressions: [expression("kubernetes.io/hostname", "a")] };
  const fields = { matchFields: [expression("metadata.name", "a")] };
  const asked = volumesOf([of("a")], ...claim("a"), volume("a", { local: {}, ...affinity(host, fields) }));
  expect(asked.alternatives).toStrictEqual([[]]);
});

it("combines the terms of several volumes, without those that contradict each other", () => {
  const objects = ["a", "b"].flatMap((name) => [...claim(name), volume(name, affinity(...zones(2)))]);
  const { alternatives } = volumesOf([of("a"), of("b")], ...objects);
  expect(alternatives.map((entries) => entries.map(({ requirement }) => [...requirement.values]))).toStrictEqual([
    [["z0"], ["z0"]],
    [["z1"], ["z1"]],
  ]);
});

it("gives up on too many combinations, and says so", () => {
  const names = Array.from({ length: 40 }, (_none, index) => `v${String(index)}`);
  const term = (name: string) => (index: number) => ({ matchExpressions: [expression(name, String(index))] });
  const objects = names.flatMap((name) => [...claim(name), volume(name, affinity(...[0, 1, 2].map(term(name))))]);
  const { alternatives, missing } = volumesOf(names.map(of), ...objects);
  expect(alternatives).toHaveLength(729);
  expect(missing).toStrictEqual(["volumes: they can be combined in more than 1000 ways"]);
});

it.each([
  [{ nodeAffinity: { required: { nodeSelectorTerms: 1 } } }],
  [affinity({ matchExpressions: [{ key: "", operator: "In", values: [] }] })],
])("names a volume that cannot be read: %j", (spec) => {
  expect(volumesOf([of("a")], ...claim("a"), volume("a", spec)).missing).toStrictEqual([
    "volume a: the node affinity of PersistentVolume pv-a cannot be read",
  ]);
});
