/** The fields of a pool beside its template (hypershift.md 1.3, karpenter.md 2.1), and what only one of both kinds has. */
import type { Profile } from "../../../src/model/profile.ts";
import { REQUIREMENT, REQUIREMENTS } from "./requirement.ts";
import { inside, many, no, ok, rawNumber, type Row, type Table, table } from "./table.ts";
import { TEMPLATE, TEMPLATE_SPEC } from "./template.ts";

const FROM_1_14: readonly Profile[] = ["karpenter-1.14", "karpenter-1.15"];
const FROM_1_15: readonly Profile[] = ["karpenter-1.15"];

const after = { consolidateAfter: "0s" };
const budgets = (...list: unknown[]) => ({ ...after, budgets: list });
const nodes = (value: unknown) => budgets({ nodes: value });
const reasons = (...list: unknown[]) => budgets({ nodes: "1", reasons: list });
const window = (schedule: unknown, duration: unknown) => budgets({ nodes: "1", schedule, duration });
const DAILY = "0 9 * * mon-fri";

const BUDGETS: readonly Row[] = [
  ["no budget", ok, budgets()],
  ["50 budgets", ok, budgets(...many(50, () => ({ nodes: "1" })))],
  ["51 budgets", no, budgets(...many(51, () => ({ nodes: "1" })))],
  ["nodes left out", ok, budgets({ reasons: ["Empty"] })],
  ["no node", ok, nodes("0")],
  ["many nodes", ok, nodes("4294967296")],
  ["leading zeros", ok, nodes("007")],
  ["100%", ok, nodes("100%")],
  ["101%", no, nodes("101%")],
  ["0%", ok, nodes("0%")],
  ["half a percent", no, nodes("0.5%")],
  ["a blank before the percent sign", no, nodes("10 %")],
  ["a percent sign alone", no, nodes("%")],
  ["a minus sign", no, nodes("-1")],
  ["a number without quotes", no, nodes(5)],
  ["no reason", ok, reasons()],
  ["three reasons", ok, reasons("Underutilized", "Empty", "Drifted")],
  ["the reason Unhealthy", FROM_1_15, reasons("Unhealthy")],
  ["an unknown reason", no, reasons("Expired")],
  ["a reason in small letters", no, reasons("empty")],
  ["a reason twice", no, reasons("Empty", "Empty")],
  ["schedule and duration", ok, window(DAILY, "8h")],
  ["a schedule alone", no, budgets({ nodes: "1", schedule: DAILY })],
  ["a duration alone", no, budgets({ nodes: "1", duration: "8h" })],
  ["@daily", ok, window("@daily", "8h")],
  ["@dailyfoo, which fails at run time only", ok, window("@dailyfoo", "8h")],
  ["@never", no, window("@never", "8h")],
  ["four fields", no, window("0 9 * *", "8h")],
  ["six fields, which fail at run time only", ok, window("0 0 9 * * *", "8h")],
  ["tabs between the fields", ok, window("0\t9\t*\t*\tmon", "8h")],
  ["hard blanks between the fields", no, window("0\u00a09\u00a0*\u00a0*\u00a0mon", "8h")],
  ["an empty schedule", no, window("", "8h")],
  ["hours and minutes", ok, window(DAILY, "1h30m")],
  ["minutes", ok, window(DAILY, "30m")],
  ["no time at all", ok, window(DAILY, "0m")],
  ["seconds that are none", ok, window(DAILY, "8h0s")],
  ["seconds", no, window(DAILY, "30s")],
  ["days", no, window(DAILY, "1d")],
  ["minutes before hours", no, window(DAILY, "30m1h")],
  ["a field that is none", no, budgets({ nodes: "1", timeZone: "Europe/Berlin" })],
];

const DISRUPTION: readonly Row[] = [
  ["consolidateAfter alone", ok, after],
  ["consolidateAfter left out", FROM_1_15, { consolidationPolicy: "WhenEmpty" }],
  ["empty", FROM_1_15, {}],
  ["consolidateAfter Never", ok, { consolidateAfter: "Never" }],
  ["consolidateAfter in days", no, { consolidateAfter: "1d" }],
  ["WhenEmpty", ok, { ...after, consolidationPolicy: "WhenEmpty" }],
  ["WhenEmptyOrUnderutilized", ok, { ...after, consolidationPolicy: "WhenEmptyOrUnderutilized" }],
  ["Balanced", FROM_1_14, { ...after, consolidationPolicy: "Balanced" }],
  ["the WhenUnderutilized of v1beta1", no, { ...after, consolidationPolicy: "WhenUnderutilized" }],
  ["the expireAfter of v1beta1", no, { ...after, expireAfter: "720h" }],
  ["budgets that are no list", no, { ...after, budgets: { nodes: "1" } }],
];

const LIMITS: readonly Row[] = [
  ["none", ok, {}],
  ["a number", ok, { cpu: 100 }],
  ["a quantity", ok, { memory: "64Gi" }],
  ["a decimal in quotes", ok, { cpu: "1.5" }],
  ["an exponent", ok, { cpu: "1e3" }],
  ["nodes", ok, { nodes: "10" }],
  ["an extended resource", ok, { "nvidia.com/gpu": 2 }],
  ["a decimal without quotes", no, { cpu: 1.5 }],
  ["a unit that is none", no, { memory: "64GiB" }],
  ["an empty text", no, { cpu: "" }],
  ["true", no, { cpu: true }],
  ["a list", no, ["cpu"]],
];

const WEIGHT: readonly Row[] = [
  ["1", ok, 1],
  ["100", ok, 100],
  ["0", no, 0],
  ["101", no, 101],
  ["1.5", no, 1.5],
  ["10.0", ok, rawNumber("10.0")],
  ["in quotes", no, "10"],
];

/** To the API server a field without a value is a field that is not there; an entry of a list is. */
const NULLS: readonly Table[] = [
  table("spec.weight", [["null", ok, null]]),
  table("spec.limits", [
    ["null", ok, null],
    ["a null in it", ok, { cpu: null }],
  ]),
  table("spec.disruption", [
    ["null", ok, null],
    ["a null as policy", ok, { ...after, consolidationPolicy: null }],
    ["a null as budgets", ok, { ...after, budgets: null }],
    ["a null among the budgets", no, { ...after, budgets: [null] }],
  ]),
  table("spec.template", [["null", no, null]]),
  table("spec.template.metadata", [
    ["null", ok, null],
    ["null labels", ok, { labels: null }],
    ["a label without value", ok, { labels: { team: null } }],
  ]),
  table("spec.template.spec.expireAfter", [["null", ok, null]]),
  table("spec.template.spec.taints", [
    ["null", ok, null],
    ["a null among them", no, [null]],
    ["an effect of null", no, [{ key: "team", effect: null }]],
    ["a value of null", ok, [{ key: "team", value: null, effect: "NoSchedule" }]],
  ]),
  table("spec.template.spec.requirements", [
    ["values of null for Exists", ok, [{ key: "team", operator: "Exists", values: null }]],
    ["values of null for In", no, [{ key: "team", operator: "In", values: null }]],
    ["an operator of null", no, [{ key: "team", operator: null }]],
  ]),
];

/** What wrapper and NodePool have alike; `required` is what their template must hold. */
function both(required: Readonly<Record<string, unknown>>): readonly Table[] {
  const over = (value: unknown) => ({ ...required, ...(value as object) });
  return [
    inside(table("entry", REQUIREMENT), "spec.template.spec.requirements", (entry) => [entry]),
    table("spec.template.spec.requirements", REQUIREMENTS),
    ...TEMPLATE,
    inside(table("lists", TEMPLATE_SPEC), "spec.template.spec", over),
    table("spec.disruption", [...DISRUPTION, ...BUDGETS]),
    table("spec.limits", LIMITS),
    table("spec.weight", WEIGHT),
    table("spec", [
      ["missing", no, undefined],
      ["empty", no, {}],
      ["a field that is none", no, { template: { spec: required }, requirements: [] }],
    ]),
  ];
}

export const MINIMAL_TEMPLATE_SPEC = {
  nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
  requirements: [],
};

export const OPENSHIFT_NODE_POOL: readonly Table[] = [
  ...both({}),
  ...NULLS,
  table("spec.template.spec", [
    ["neither nodeClassRef nor requirements", ok, {}],
    ["both of them null", ok, { nodeClassRef: null, requirements: null }],
  ]),
  table("spec.replicas", [["not of a wrapper", no, 1]]),
  table("spec.disruption", [
    ["nodeLimitMode Hard", ok, { ...after, nodeLimitMode: "Hard" }],
    ["nodeLimitMode Soft", ok, { ...after, nodeLimitMode: "Soft" }],
    ["nodeLimitMode in small letters", no, { ...after, nodeLimitMode: "soft" }],
  ]),
  table("metadata.labels", [
    ["a label", ok, { "example.com/team": "a" }],
    ["a number as value", no, { team: 1 }],
    ["a blank in the key", no, { "my team": "a" }],
  ]),
  table("metadata.lables", [["a field that is none", no, {}]]),
  table("metadata.name", [
    ["letters, digits, dashes and dots", ok, "web-1.example"],
    ["253 characters", ok, "a".repeat(253)],
    ["254 characters", no, "a".repeat(254)],
    ["capitals", no, "Web"],
    ["an underscore", no, "web_1"],
    ["a dash at the end", no, "web-"],
  ]),
];

export const NODE_POOL: readonly Table[] = [
  ...both(MINIMAL_TEMPLATE_SPEC),
  table("spec.template.spec", [
    ["no nodeClassRef", no, { requirements: [] }],
    ["no requirements", no, { nodeClassRef: MINIMAL_TEMPLATE_SPEC.nodeClassRef }],
  ]),
  table("spec", [
    ["replicas 0", ok, { template: { spec: MINIMAL_TEMPLATE_SPEC }, replicas: 0 }],
    ["replicas -1", no, { template: { spec: MINIMAL_TEMPLATE_SPEC }, replicas: -1 }],
    ["replicas with a weight", no, { template: { spec: MINIMAL_TEMPLATE_SPEC }, replicas: 1, weight: 1 }],
    ["replicas with a limit on nodes", ok, { template: { spec: MINIMAL_TEMPLATE_SPEC }, replicas: 1, limits: { nodes: 5 } }],
    ["replicas with a limit on CPUs", no, { template: { spec: MINIMAL_TEMPLATE_SPEC }, replicas: 1, limits: { cpu: 5 } }],
    ["replicas with two limits", no, { template: { spec: MINIMAL_TEMPLATE_SPEC }, replicas: 1, limits: { cpu: 5, nodes: 5 } }],
    ["replicas with no limit", ok, { template: { spec: MINIMAL_TEMPLATE_SPEC }, replicas: 1, limits: {} }],
  ]),
  table("spec.disruption", [["nodeLimitMode, which only the wrapper has", no, { ...after, nodeLimitMode: "Soft" }]]),
];
