/** The fields of a pool beside its template, and what only one of both kinds has. */
import { after, BUDGETS, DISRUPTION } from "./disruption.ts";
import { REQUIREMENT, REQUIREMENTS } from "./requirement.ts";
import { inside, no, ok, rawNumber, type Row, type Table, table } from "./table.ts";
import { TEMPLATE, TEMPLATE_SPEC } from "./template.ts";

const LIMITS: readonly Row[] = [
  ["none", ok, {}],
  ["a number", ok, { cpu: 100 }],
  ["a quantity", ok, { memory: "64Gi" }],
  ["a decimal in quotes", ok, { cpu: "1.5" }],
  ["an exponent", ok, { cpu: "1e3" }],
  ["nodes", ok, { nodes: "10" }],
  ["an extended resource", ok, { "nvidia.com/gpu": 2 }],
  ["a number beyond 2^53", ok, { memory: rawNumber("9007199254740993") }],
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
    ["a field that is none and null", no, { ...after, expireAfter: null }],
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
    [
      "replicas with a limit on nodes",
      ok,
      { template: { spec: MINIMAL_TEMPLATE_SPEC }, replicas: 1, limits: { nodes: 5 } },
    ],
    [
      "replicas with a limit on CPUs",
      no,
      { template: { spec: MINIMAL_TEMPLATE_SPEC }, replicas: 1, limits: { cpu: 5 } },
    ],
    [
      "replicas with two limits",
      no,
      { template: { spec: MINIMAL_TEMPLATE_SPEC }, replicas: 1, limits: { cpu: 5, nodes: 5 } },
    ],
    ["replicas with no limit", ok, { template: { spec: MINIMAL_TEMPLATE_SPEC }, replicas: 1, limits: {} }],
  ]),
  table("spec.disruption", [["nodeLimitMode, which only the wrapper has", no, { ...after, nodeLimitMode: "Soft" }]]),
];
