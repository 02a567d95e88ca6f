/** The effect of each changed field of NodePools and EC2NodeClasses, and how lists match. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { compareObjects, type ObjectChange } from "./compare-objects.ts";

const POOL = `
template:
  metadata: {labels: {team: a}}
  spec:
    nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
    requirements:
    - {key: kubernetes.io/arch, operator: In, values: [amd64, arm64]}
    - {key: example.com/x, operator: Exists}
    - {key: example.com/x, operator: Exists, minValues: 2}
    taints: [{key: a, effect: NoSchedule, value: x}, {key: b, effect: NoExecute}]
    expireAfter: 720h
disruption: {consolidateAfter: 0s, budgets: [{nodes: 10%}]}
limits: {cpu: "100"}
`;

const NODE_CLASS = `
amiFamily: Custom
amiSelectorTerms: [{id: ami-1}, {id: ami-2}]
subnetSelectorTerms: [{id: subnet-1}, {tags: {a: b}}]
securityGroupSelectorTerms: [{id: sg-1}]
capacityReservationSelectorTerms: [{id: cr-1}, {ownerID: "1", instanceMatchCriteria: open}]
tags: {team: a}
blockDeviceMappings: [{deviceName: /dev/xvda, rootVolume: true, ebs: {volumeSize: 1Ti}}, {deviceName: /dev/xvdb, ebs: {volumeSize: 5Gi}}]
kubelet: {maxPods: 50, evictionSoftGracePeriod: {memory.available: 2m}}
detailedMonitoring: false
userData: secret
`;

const KINDS = { NodePool: POOL, EC2NodeClass: NODE_CLASS };

function compare(kind: keyof typeof KINDS, edit: (spec: never) => unknown): ObjectChange | undefined {
  const side = (spec: Record<string, unknown>) => ({ object: objectOf(kind, spec), placeOf: () => undefined });
  const after = structuredClone(parse(KINDS[kind]) as Record<string, unknown>);
  edit(after as never);
  return compareObjects([side(parse(KINDS[kind]) as Record<string, unknown>)], [side(after)])[0];
}

function objectOf(kind: string, spec: Record<string, unknown>): KubeObject {
  const apiVersion = kind === "NodePool" ? "karpenter.sh/v1" : "karpenter.k8s.aws/v1";
  return { apiVersion, kind, metadata: { name: "web" }, spec };
}

/** Any spec, for edits. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests write any field
type Any = any;
type Edit = (spec: Any) => unknown;

describe("a change of a NodePool", () => {
  it.each<[what: string, edit: Edit, effect: string, paths: string[]]>([
    ["a label", (s) => (s.template.metadata.labels.team = "b"), "replaces-all", ["spec.template.metadata.labels.team"]],
    [
      "an annotation",
      (s) => (s.template.metadata.annotations = { a: "b" }),
      "replaces-all",
      ["spec.template.metadata.annotations"],
    ],
    [
      "the value of a taint",
      (s) => (s.template.spec.taints[0].value = "y"),
      "replaces-all",
      ["spec.template.spec.taints[0].value"],
    ],
    [
      "an empty value of a taint",
      (s) => (s.template.spec.taints[1].value = ""),
      "none",
      ["spec.template.spec.taints[1].value"],
    ],
    [
      "no startup taints",
      (s) => (s.template.spec.startupTaints = []),
      "replaces-all",
      ["spec.template.spec.startupTaints"],
    ],
    [
      "the class",
      (s) => (s.template.spec.nodeClassRef.name = "other"),
      "replaces-all",
      ["spec.template.spec.nodeClassRef.name"],
    ],
    [
      "a grace period",
      (s) => (s.template.spec.terminationGracePeriod = "1h"),
      "replaces-all",
      ["spec.template.spec.terminationGracePeriod"],
    ],
    ["the lifetime", (s) => (s.template.spec.expireAfter = "24h"), "replaces-all", ["spec.template.spec.expireAfter"]],
    [
      "the lifetime, spelled otherwise",
      (s) => (s.template.spec.expireAfter = "719h60m"),
      "none",
      ["spec.template.spec.expireAfter"],
    ],
    [
      "the lifetime, left to the default",
      (s) => delete s.template.spec.expireAfter,
      "none",
      ["spec.template.spec.expireAfter"],
    ],
    [
      "a value more, which no node has",
      (s) => s.template.spec.requirements[0].values.push("x"),
      "none",
      ["spec.template.spec.requirements[0].values"],
    ],
    [
      "a value less",
      (s) => s.template.spec.requirements[0].values.pop(),
      "replaces-some",
      ["spec.template.spec.requirements[0].values"],
    ],
    [
      "other values",
      (s) => (s.template.spec.requirements[0].values = ["x"]),
      "replaces-all",
      ["spec.template.spec.requirements[0].values"],
    ],
    [
      "an entry that repeats",
      (s) => s.template.spec.requirements.push({ key: "example.com/x", operator: "Exists" }),
      "none",
      ["spec.template.spec.requirements[3]"],
    ],
    [
      "an entry more",
      (s) => s.template.spec.requirements.unshift({ key: "example.com/y", operator: "Exists" }),
      "replaces-all",
      ["spec.template.spec.requirements[0]"],
    ],
    // Of both architectures that there are.
    ["an entry less", (s) => s.template.spec.requirements.shift(), "none", ["spec.template.spec.requirements[0]"]],
    [
      "minValues",
      (s) => (s.template.spec.requirements[2].minValues = 3),
      "new-nodes",
      ["spec.template.spec.requirements[2].minValues"],
    ],
    ["a budget", (s) => (s.disruption.budgets[0].nodes = "1"), "behavioural", ["spec.disruption.budgets[0].nodes"]],
    ["no budgets", (s) => delete s.disruption.budgets, "none", ["spec.disruption.budgets"]],
    ["no disruption", (s) => delete s.disruption, "none", ["spec.disruption"]],
    ["a limit", (s) => (s.limits.cpu = "10"), "behavioural", ["spec.limits.cpu"]],
    ["a limit, spelled otherwise", (s) => (s.limits.cpu = "100000m"), "none", ["spec.limits.cpu"]],
    ["a weight", (s) => (s.weight = 10), "behavioural", ["spec.weight"]],
  ])("%s", (_what, edit, effect, paths) => {
    const change = compare("NodePool", edit);
    expect([change?.effect, change?.fields.map(({ path }) => path)]).toStrictEqual([effect, paths]);
  });

  it.each<[what: string, edit: Edit]>([
    ["requirements", (s) => (s.template.spec.requirements = s.template.spec.requirements.toReversed())],
    ["values", (s) => (s.template.spec.requirements[0].values = s.template.spec.requirements[0].values.toReversed())],
    ["taints", (s) => (s.template.spec.taints = s.template.spec.taints.toReversed())],
  ])("the order of %s is no change", (what, edit) => {
    // Two entries of one key and operator are distinguished by their order.
    if (what === "requirements") expect(compare("NodePool", edit)?.effect).toBe("none");
    else expect(compare("NodePool", edit)).toBeUndefined();
  });
});

describe("a change of an EC2NodeClass", () => {
  it.each<[what: string, edit: Edit, effect: string, paths: string[]]>([
    ["a tag", (s) => (s.tags.team = "b"), "replaces-all", ["spec.tags.team"]],
    [
      "a size",
      (s) => (s.blockDeviceMappings[1].ebs.volumeSize = "6Gi"),
      "replaces-all",
      ["spec.blockDeviceMappings[1].ebs.volumeSize"],
    ],
    [
      "a size, spelled otherwise",
      (s) => (s.blockDeviceMappings[0].ebs.volumeSize = "1024Gi"),
      "none",
      ["spec.blockDeviceMappings[0].ebs.volumeSize"],
    ],
    [
      "no root flag",
      (s) => (s.blockDeviceMappings[1].rootVolume = false),
      "none",
      ["spec.blockDeviceMappings[1].rootVolume"],
    ],
    [
      "the order of devices",
      (s) => (s.blockDeviceMappings = s.blockDeviceMappings.toReversed()),
      "new-nodes",
      ["spec.blockDeviceMappings"],
    ],
    ["monitoring off and unset", (s) => delete s.detailedMonitoring, "replaces-all", ["spec.detailedMonitoring"]],
    [
      "metadata options",
      (s) => (s.metadataOptions = { httpTokens: "optional" }),
      "replaces-all",
      ["spec.metadataOptions"],
    ],
    [
      "default metadata options",
      (s) => (s.metadataOptions = { httpTokens: "required" }),
      "none",
      ["spec.metadataOptions"],
    ],
    [
      "a grace period, spelled otherwise",
      (s) => (s.kubelet.evictionSoftGracePeriod["memory.available"] = "2m0s"),
      "none",
      ['spec.kubelet.evictionSoftGracePeriod["memory.available"]'],
    ],
    [
      "a subnet more",
      (s) => s.subnetSelectorTerms.push({ id: "subnet-2" }),
      "new-nodes",
      ["spec.subnetSelectorTerms[2]"],
    ],
    [
      "all subnets",
      (s) => (s.subnetSelectorTerms = [{ id: "subnet-3" }]),
      "replaces-all",
      ["spec.subnetSelectorTerms[0]", "spec.subnetSelectorTerms[1]", "spec.subnetSelectorTerms[0]"],
    ],
    ["a subnet less", (s) => s.subnetSelectorTerms.shift(), "replaces-some", ["spec.subnetSelectorTerms[0]"]],
    [
      "another tag of a subnet",
      (s) => (s.subnetSelectorTerms[1].tags.a = "c"),
      "replaces-some",
      ["spec.subnetSelectorTerms[1].tags.a"],
    ],
    [
      "a security group more",
      (s) => s.securityGroupSelectorTerms.push({ id: "sg-2" }),
      "replaces-all",
      ["spec.securityGroupSelectorTerms[1]"],
    ],
    [
      "no reservations",
      (s) => delete s.capacityReservationSelectorTerms,
      "replaces-some",
      ["spec.capacityReservationSelectorTerms"],
    ],
    [
      "one of the images",
      (s) => (s.amiSelectorTerms[1].id = "ami-3"),
      "replaces-some",
      ["spec.amiSelectorTerms[1]", "spec.amiSelectorTerms[1]"],
    ],
    [
      "all images",
      (s) => (s.amiSelectorTerms = [{ id: "ami-3" }]),
      "replaces-all",
      ["spec.amiSelectorTerms[0]", "spec.amiSelectorTerms[1]", "spec.amiSelectorTerms[0]"],
    ],
    ["prefixes", (s) => (s.ipPrefixCount = 1), "new-nodes", ["spec.ipPrefixCount"]],
  ])("%s", (_what, edit, effect, paths) => {
    const change = compare("EC2NodeClass", edit);
    expect([change?.effect, change?.fields.map(({ path }) => path)]).toStrictEqual([effect, paths]);
  });

  it.each<[what: string, edit: Edit]>([
    ["the order of terms", (s) => (s.subnetSelectorTerms = s.subnetSelectorTerms.toReversed())],
    [
      "the order of a term's keys, which a server sorts",
      (s) => (s.capacityReservationSelectorTerms[1] = { instanceMatchCriteria: "open", ownerID: "1" }),
    ],
    ["user data, which is a secret", (s) => (s.userData = "another")],
    ["no user data", (s) => delete s.userData],
  ])("%s is no change", (_what, edit) => {
    expect(compare("EC2NodeClass", edit)).toBeUndefined();
  });
});

describe("added and removed objects", () => {
  const pool = { object: objectOf("NodePool", parse(POOL) as Record<string, unknown>), placeOf: () => undefined };
  const used = {
    object: { ...objectOf("EC2NodeClass", { userData: "secret" }), metadata: { name: "default" } },
    placeOf: () => undefined,
  };
  const unused = { object: objectOf("EC2NodeClass", { userData: "secret" }), placeOf: () => undefined };

  it.each([
    ["a pool is added", [], [pool], "added", "new-nodes"],
    ["a pool is removed", [pool], [], "removed", "removes-nodes"],
    ["a class is added", [], [used], "added", "none"],
    ["a class is added that a pool named before", [pool], [used, pool], "added", "new-nodes"],
    // Its finalizer waits for its nodes.
    ["a class is removed that a pool names", [used, pool], [pool], "removed", "new-nodes"],
    ["a class is removed that no pool names", [unused, pool], [pool], "removed", "none"],
  ] as const)("%s", (_what, from, to, action, effect) => {
    expect(compareObjects(from, to)).toMatchObject([{ action, effect }]);
  });

  it("shows no secret of them", () => {
    expect(JSON.stringify([compareObjects([], [used]), compareObjects([used], [])])).not.toContain("secret");
  });
});
