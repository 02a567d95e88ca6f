/** Raw objects: user data, labels of classes, other providers, fewer replicas. */
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { testSource } from "../../../test/support/source.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { readNodeData } from "../nodes/node-data.ts";
import { changedNodes, countNodes } from "./change-nodes.ts";
import { compareObjects, type ObjectChange } from "./compare-objects.ts";
import type { SideObject } from "./sides.ts";

function objectOf(kind: string, name: string, spec: string, apiVersion = "karpenter.k8s.aws/v1"): SideObject {
  const object: KubeObject = { apiVersion, kind, metadata: { name }, spec: parse(spec) as KubeObject["spec"] };
  return { object, asItStands: true, placeOf: () => undefined };
}

const nodeClass = (spec: string) => objectOf("EC2NodeClass", "default", spec);
const AKS = { apiVersion: "karpenter.azure.com/v1beta1", kind: "AKSNodeClass", group: "karpenter.azure.com" };
const aks = (spec: string) => objectOf(AKS.kind, "default", spec, AKS.apiVersion);

function pool(requirements: string, { group, kind } = { group: "karpenter.k8s.aws", kind: "EC2NodeClass" }, more = "") {
  const ref = `{group: ${group}, kind: ${kind}, name: default}`;
  const spec = `{template: {spec: {nodeClassRef: ${ref}, requirements: [${requirements}]}}${more}}`;
  return objectOf("NodePool", "web", spec, "karpenter.sh/v1");
}

const effects = (changes: readonly ObjectChange[]) =>
  changes.map(({ resource, action, effect }) => `${action} ${resource.kind} ${effect}`);

describe("user data", () => {
  const [secret, other] = ["{userData: hunter2}", "{userData: hunter3}"];

  it("is reported as different, and never shown", () => {
    const changes = [
      ...compareObjects([nodeClass(secret)], [nodeClass(other)]),
      ...compareObjects([nodeClass("{}")], [nodeClass(secret)]),
      ...compareObjects([nodeClass(secret)], [nodeClass("{}")]),
      ...compareObjects([], [nodeClass(secret)]),
      ...compareObjects([nodeClass(secret)], []),
    ];
    expect(JSON.stringify(changes)).not.toContain("hunter");
    expect(changes.flatMap(({ fields }) => fields.map(({ from, to, effect }) => [from, to, effect]))).toStrictEqual([
      ["(not shown)", "(not shown, and another)", "replaces-all"],
      [undefined, "(not shown)", "replaces-all"],
      ["(not shown)", undefined, "replaces-all"],
      [undefined, { userData: "(not shown)" }, "none"],
      [{ userData: "(not shown)" }, undefined, "none"],
    ]);
  });

  it("is no change if it is the same, or if no raw objects are compared", () => {
    expect(compareObjects([nodeClass(secret)], [nodeClass(secret)])).toStrictEqual([]);
    const rendered = ({ object }: SideObject): SideObject => ({ object, placeOf: () => undefined });
    expect(compareObjects([rendered(nodeClass(secret))], [rendered(nodeClass(other))])).toStrictEqual([]);
  });
});

describe("the CA bundle, which two dumps tell by hashes", () => {
  const dumped = (name: string, hash: string, { version = "v6", spec = "{role: a}" } = {}): SideObject => {
    const side = objectOf("EC2NodeClass", name, spec);
    const own = "karpenter.k8s.aws/ec2nodeclass-hash";
    const annotations = { [own]: hash, [`${own}-version`]: version };
    const text = stringify({ ...side.object, metadata: { name, annotations } });
    const [resource] = parseSources([testSource(text)]).value;
    return { ...side, placeOf: (path) => ({ resource: resource!, path }) };
  };

  it.each([
    ["of the same spec differ", [dumped("a", "1")], [dumped("a", "2")], ["changed EC2NodeClass replaces-all"]],
    ["are equal", [dumped("a", "1")], [dumped("a", "1")], []],
    ["are of another version", [dumped("a", "1", { version: "v5" })], [dumped("a", "2")], []],
    ["differ in one class only", [dumped("a", "1"), dumped("b", "3")], [dumped("a", "2"), dumped("b", "3")], []],
    ["are on one side", [nodeClass("{role: a}")], [dumped("default", "1", { spec: "{role: a}" })], []],
    ["of another spec differ", [dumped("a", "1")], [dumped("a", "2", { spec: "{role: b}" })], []],
  ])("%s", (_, from, to, changes) => {
    const told = compareObjects(from, to).filter(({ fields }) => fields.some(({ path }) => path === "clusterCABundle"));
    expect(effects(told)).toStrictEqual(changes);
  });
});

describe("the labels that a pool's class determines", () => {
  const asks = (key: string, value: string) => `{key: ${key}, operator: In, values: [${value}]}`;
  const added = (beside: SideObject, requirement: string, ref?: { group: string; kind: string }) =>
    effects(compareObjects([beside, pool("", ref)], [beside, pool(requirement, ref)]));
  const linux = nodeClass("{amiSelectorTerms: [{alias: al2023@latest}]}");
  const windows = nodeClass("{amiSelectorTerms: [{alias: windows2022@latest}]}");
  const grouped = nodeClass("{amiFamily: AL2023, placementGroupSelector: {name: p}}");

  it.each([
    ["Linux is what Linux nodes run", linux, asks("kubernetes.io/os", "linux"), "none"],
    ["Linux is what no Windows node runs", windows, asks("kubernetes.io/os", "linux"), "replaces-all"],
    ["Windows nodes run a build", windows, asks("node.kubernetes.io/windows-build", "10.0.20348"), "none"],
    ["Linux nodes run no build", linux, asks("node.kubernetes.io/windows-build", "10.0.20348"), "replaces-all"],
    ["nodes are in a group", grouped, asks("karpenter.k8s.aws/placement-group-id", "pg-1"), "replaces-some"],
    ["nodes are in no group", linux, asks("karpenter.k8s.aws/placement-group-id", "pg-1"), "replaces-all"],
  ])("%s", (_what, beside, requirement, effect) => {
    expect(added(beside, requirement)).toStrictEqual([`changed NodePool ${effect}`]);
  });

  it("goes by the labels of its provider", () => {
    const family = asks("karpenter.azure.com/sku-family", "D");
    expect(added(aks("{}"), family, AKS)).toStrictEqual(["changed NodePool replaces-some"]);
    expect(added(linux, family)).toStrictEqual(["changed NodePool replaces-all"]);
  });
});

describe("a class of another provider", () => {
  const uses = pool("", AKS);

  it("is compared field by field, with the order of its lists, and an unknown effect", () => {
    expect(effects(compareObjects([aks("{a: 1}"), uses], [aks("{a: 2}"), uses]))).toStrictEqual([
      "changed AKSNodeClass unknown",
    ]);
    expect(effects(compareObjects([aks("{a: [1, 2]}"), uses], [aks("{a: [2, 1]}"), uses]))).toStrictEqual([
      "changed AKSNodeClass unknown",
    ]);
  });

  it("is added and removed with the effects of Karpenter's core", () => {
    expect(effects(compareObjects([uses], [aks("{}"), uses]))).toStrictEqual(["added AKSNodeClass new-nodes"]);
    expect(effects(compareObjects([aks("{}"), uses], [uses]))).toStrictEqual(["removed AKSNodeClass unknown"]);
    expect(effects(compareObjects([aks("{}")], []))).toStrictEqual(["removed AKSNodeClass none"]);
  });

  it("differs from a class of the same name and kind in another group", () => {
    const foreign = objectOf("EC2NodeClass", "default", "{a: 1}", "karpenter.example.com/v1");
    expect(effects(compareObjects([nodeClass("{}")], [nodeClass("{}"), foreign]))).toStrictEqual([
      "added EC2NodeClass none",
    ]);
    const changed = objectOf("EC2NodeClass", "default", "{a: 2}", "karpenter.example.com/v1");
    expect(effects(compareObjects([foreign], [changed]))).toStrictEqual(["changed EC2NodeClass unknown"]);
  });

  it("has nodes that are not counted as replaced", () => {
    const [change] = compareObjects([aks("{a: 1}"), uses], [aks("{a: 2}"), uses]);
    expect(counted(change!, 3, [uses])).toStrictEqual({ total: 3, affected: null, names: null, minDuration: null });
    const [ofEC2] = compareObjects([nodeClass("{role: a}")], [nodeClass("{role: b}")]);
    expect(counted(ofEC2!, 3, [uses]).total).toBe(0);
  });
});

interface Aged {
  readonly spec: { readonly template: { readonly spec: { expireAfter?: string } } };
}

describe("the number of a static pool", () => {
  const replicas = (number: number, more = "") => pool("", undefined, `, replicas: ${number}${more}`);
  const change = (from: SideObject, to: SideObject) => compareObjects([from], [to])[0]!;

  it("deletes the surplus, and replaces drifted nodes", () => {
    expect(change(replicas(3), replicas(5)).effect).toBe("new-nodes");
    const fewer = change(replicas(5), replicas(3));
    expect(fewer.effect).toBe("removes-nodes");
    expect(counted(fewer, 5).affected).toBe(2);
    const { object } = replicas(3);
    const aged = structuredClone(object) as unknown as Aged;
    aged.spec.template.spec.expireAfter = "24h";
    expect(counted(change(replicas(5), { ...replicas(3), object: aged as never }), 5).affected).toBe(5);
    expect(counted(change(replicas(5), replicas(3)), 2).affected).toBe(0);
  });
});

function counted(change: ObjectChange, nodes: number, pools: readonly SideObject[] = []) {
  const labels = { "karpenter.sh/nodepool": "web", "karpenter.k8s.aws/ec2nodeclass": "default" };
  const claims = Array.from({ length: nodes }, (_, index) => {
    const metadata = { name: `n${index}`, labels };
    return { apiVersion: "karpenter.sh/v1", kind: "NodeClaim", name: metadata.name, value: { metadata } };
  });
  const known = new Map(pools.map(({ object }) => [object.metadata.name, object]));
  const changed = changedNodes(change, { nodes: readNodeData(claims), pools: known });
  return countNodes(change, changed, [], { at: 0, nodeTime: 1 });
}
