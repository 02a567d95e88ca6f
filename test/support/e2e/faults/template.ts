/** `spec.template` of a pool, beside its requirements: the same for wrapper and NodePool. */
import { many, no, ok, type Row, type Table, table } from "./table.ts";

const label = (key: string, value: unknown = "x") => ({ [key]: value });
const manyLabels = (count: number) => Object.fromEntries(many(count, (index) => [`example.com/label-${index}`, "x"]));

const LABELS: readonly Row[] = [
  ["none", ok, {}],
  ["100 labels", ok, manyLabels(100)],
  ["101 labels", no, manyLabels(101)],
  ["a value of 63 characters", ok, label("a", "x".repeat(63))],
  ["a value of 64 characters", no, label("a", "x".repeat(64))],
  ["an empty value", ok, label("a", "")],
  ["a blank in the value", no, label("a", "x y")],
  ["a slash in the value", no, label("a", "x/y")],
  ["a number as value", no, label("a", 1)],
  ["true as value", no, label("a", true)],
  ["a list", no, ["a"]],
  ["a key of one's own domain", ok, label("example.com/team")],
  ["a blank in the key", no, label("my team")],
  ["a key that ends with a slash", no, label("example.com/")],
  ["63 characters after the slash", ok, label(`example.com/${"b".repeat(63)}`)],
  ["64 characters after the slash", no, label(`example.com/${"b".repeat(64)}`)],
  ["254 characters before the slash", no, label(`${"a".repeat(254)}/b`)],
  ["an empty key", no, label("")],
  ["karpenter.sh/capacity-type", ok, label("karpenter.sh/capacity-type", "spot")],
  ["karpenter.sh/nodepool", no, label("karpenter.sh/nodepool")],
  ["another key of karpenter.sh", no, label("karpenter.sh/registered", "true")],
  ["a subdomain of karpenter.sh", no, label("a.karpenter.sh/x")],
  ["kubernetes.io/hostname", no, label("kubernetes.io/hostname")],
  ["a node role", ok, label("node-role.kubernetes.io/infra", "")],
  ["a well-known key of karpenter.k8s.aws", ok, label("karpenter.k8s.aws/instance-family", "m5")],
  ["an unknown key of karpenter.k8s.aws", no, label("karpenter.k8s.aws/instance-pods")],
  ["the node class's own key", no, label("karpenter.k8s.aws/ec2nodeclass")],
];

const taint = { key: "example.com/dedicated", effect: "NoSchedule" };
const time = (timeAdded: unknown) => [{ ...taint, timeAdded }];

const TAINTS: readonly Row[] = [
  ["none", ok, []],
  ["key and effect", ok, [taint]],
  ["PreferNoSchedule", ok, [{ ...taint, effect: "PreferNoSchedule" }]],
  ["NoExecute", ok, [{ ...taint, effect: "NoExecute" }]],
  ["an unknown effect", no, [{ ...taint, effect: "Never" }]],
  ["an empty effect", no, [{ ...taint, effect: "" }]],
  ["no effect", no, [{ key: "a" }]],
  ["no key", no, [{ effect: "NoSchedule" }]],
  ["an empty key", no, [{ ...taint, key: "" }]],
  ["a blank in the key", no, [{ ...taint, key: "a b" }]],
  ["a key of 317 characters", no, [{ ...taint, key: `${"a".repeat(253)}/${"b".repeat(63)}` }]],
  ["64 characters after the slash", no, [{ ...taint, key: `example.com/${"b".repeat(64)}` }]],
  ["254 characters before the slash", no, [{ ...taint, key: `${"a".repeat(254)}/b` }]],
  ["a value", ok, [{ ...taint, value: "x" }]],
  ["a value of the form of a key", ok, [{ ...taint, value: "example.com/x" }]],
  ["an empty value", no, [{ ...taint, value: "" }]],
  ["a value of 64 characters", no, [{ ...taint, value: "x".repeat(64) }]],
  ["a blank in the value", no, [{ ...taint, value: "x y" }]],
  ["a number as value", no, [{ ...taint, value: 1 }]],
  ["a field that is none", no, [{ ...taint, operator: "Exists" }]],
  ["a time", ok, time("2026-01-05T09:00:00Z")],
  ["a time with a zone", ok, time("2026-01-05T09:00:00.5+02:00")],
  ["a time without zone", no, time("2026-01-05T09:00:00")],
  ["a time in small letters", no, time("2026-01-05t09:00:00z")],
  ["a list instead of a time", no, time([])],
  ["a day instead of a time", no, time("2026-01-05")],
  ["a day that there is not", no, time("2026-02-30T09:00:00Z")],
  ["one key with two effects", ok, [taint, { ...taint, effect: "NoExecute" }]],
  ["two keys with one effect", ok, [taint, { ...taint, key: "example.com/other" }]],
  ["a taint twice", no, [taint, taint]],
  ["a taint twice with different values", no, [{ ...taint, value: "x" }, taint]],
  ["100 taints", ok, many(100, (index) => ({ ...taint, key: `example.com/taint-${index}` }))],
  ["101 taints", no, many(101, (index) => ({ ...taint, key: `example.com/taint-${index}` }))],
  ["a mapping", no, taint],
];

const both = (taints: unknown, startupTaints: unknown) => ({ taints, startupTaints });
const hundred = (name: string) => many(100, (index) => ({ ...taint, key: `example.com/${name}-${index}` }));

/** Rows of `spec.template.spec`, to be put over what the kind requires. */
export const TEMPLATE_SPEC: readonly Row[] = [
  ["different taints in both lists", ok, both([taint], [{ ...taint, effect: "NoExecute" }])],
  ["a taint in both lists", no, both([taint], [taint])],
  ["an empty list beside a full one", ok, both([taint], [])],
  ["100 taints in each list", ok, both(hundred("a"), hundred("b"))],
  ["the kubelet of v1beta1", no, { kubelet: { maxPods: 10 } }],
  ["the resources of v1beta1", no, { resources: { requests: { cpu: "1" } } }],
];

const ref = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };

const NODE_CLASS_REF: readonly Row[] = [
  ["an EC2NodeClass", ok, ref],
  ["an empty group", no, { ...ref, group: "" }],
  ["a group with a version", no, { ...ref, group: "karpenter.k8s.aws/v1" }],
  ["no group", no, { kind: ref.kind, name: ref.name }],
  ["an empty kind", no, { ...ref, kind: "" }],
  ["no kind", no, { group: ref.group, name: ref.name }],
  ["an empty name", no, { ...ref, name: "" }],
  ["no name", no, { group: ref.group, kind: ref.kind }],
  ["the apiVersion of v1beta1", no, { ...ref, apiVersion: "karpenter.k8s.aws/v1" }],
  ["a word", no, "default"],
];

const DURATIONS: readonly Row[] = [
  ["hours", ok, "720h"],
  ["hours, minutes and seconds", ok, "1h30m15s"],
  ["units in any order", ok, "15s1h"],
  ["nothing at all", ok, "0s"],
  ["days", no, "1d"],
  ["no unit", no, "30"],
  ["a unit alone", no, "h"],
  ["a fraction", no, "1.5h"],
  ["milliseconds", no, "100ms"],
  ["a minus sign", no, "-1h"],
  ["a blank at the end", no, "1h "],
  ["a line break at the end", no, "1h\n"],
  ["an empty text", no, ""],
  ["a number", no, 30],
  ["never in small letters", no, "never"],
];

export const TEMPLATE: readonly Table[] = [
  table("spec.template.metadata.labels", LABELS),
  table("spec.template.metadata.annotations", [
    ["none", ok, {}],
    ["one", ok, { "example.com/note": "some text, with anything in it" }],
    ["a number as value", no, { "example.com/note": 1 }],
  ]),
  table("spec.template.metadata", [
    ["empty", ok, {}],
    ["a name", no, { name: "web" }],
  ]),
  table("spec.template.spec.taints", TAINTS),
  table("spec.template.spec.startupTaints", TAINTS),
  table("spec.template.spec.nodeClassRef", NODE_CLASS_REF),
  table("spec.template.spec.expireAfter", [...DURATIONS, ["Never", ok, "Never"]]),
  table("spec.template.spec.terminationGracePeriod", [...DURATIONS, ["Never", no, "Never"]]),
  table("spec.template", [
    ["missing", no, undefined],
    ["empty", no, {}],
  ]),
];
