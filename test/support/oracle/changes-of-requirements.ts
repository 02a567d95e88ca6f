/** Lists changes of requirements on one key, with the effect on the pool's nodes. */
import type { NodeSelectorRequirement, Operator } from "../../../src/model/requirements/requirement.ts";
import type { Effect } from "../../../src/analyze/diff/change-effect.ts";

export interface RequirementChange {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly effect: Effect;
  /** Template labels of both sides. */
  readonly labels?: Readonly<Record<string, string>>;
}

type Row = readonly [from: string, to: string, effect: Effect];

const AWS = "karpenter.k8s.aws/instance";

/** `In a,b`, several joined by ` & `; empty for no entry; a third word is minValues. */
export function entriesOf(key: string, text: string): NodeSelectorRequirement[] {
  const parts = text.split(" & ").filter((part) => part !== "");
  return parts.map((part) => {
    const [operator = "", values = "", minValues] = part.split(" ");
    return {
      key,
      operator: operator as Operator,
      ...(values === "" ? {} : { values: values.split(",") }),
      ...(minValues === undefined ? {} : { minValues: Number(minValues) }),
    };
  });
}

const ALWAYS: Readonly<Record<string, readonly Row[]>> = {
  "kubernetes.io/arch": [
    ["", "In amd64", "replaces-some"],
    ["", "In amd64,arm64", "none"],
    ["", "Exists", "none"],
    ["", "NotIn arm64", "replaces-some"],
    ["", "NotIn s390x", "none"],
    ["", "In s390x", "replaces-all"],
    ["", "DoesNotExist", "replaces-all"],
    ["In amd64", "In amd64,arm64", "new-nodes"],
    ["In amd64", "", "new-nodes"],
    ["In amd64", "Exists", "new-nodes"],
    ["In amd64,arm64", "In amd64", "replaces-some"],
    ["In amd64", "In arm64", "replaces-all"],
    ["In amd64", "NotIn arm64", "none"],
    ["In amd64", "NotIn amd64", "replaces-all"],
    ["In amd64", "In amd64 & In arm64", "replaces-all"],
  ],
  "beta.kubernetes.io/arch": [["", "In arm64", "replaces-some"]],
  "kubernetes.io/os": [
    ["", "In linux", "none"],
    ["", "In linux,windows", "none"],
    ["", "Exists", "none"],
    ["", "NotIn windows", "none"],
    ["", "In windows", "replaces-all"],
    ["", "NotIn linux", "replaces-all"],
    ["", "DoesNotExist", "replaces-all"],
    ["In linux", "", "none"],
    ["In linux", "In linux,windows", "none"],
  ],
  "karpenter.sh/capacity-type": [
    ["", "In on-demand", "replaces-some"],
    ["", "In on-demand,reserved,spot", "none"],
    ["", "NotIn spot", "replaces-some"],
    ["In spot", "In on-demand,spot", "new-nodes"],
    ["In spot", "In on-demand", "replaces-all"],
  ],
  "topology.kubernetes.io/zone": [
    ["", "In us-east-1a", "replaces-some"],
    ["", "Exists", "none"],
    ["", "NotIn us-east-1a", "replaces-some"],
    ["In us-east-1a,us-east-1b", "In us-east-1a", "replaces-some"],
    ["In us-east-1a", "In us-east-1b", "replaces-all"],
    // Other zones may exist.
    ["In us-east-1a", "NotIn us-east-1b", "new-nodes"],
    ["In us-east-1a", "", "new-nodes"],
  ],
  "node.kubernetes.io/instance-type": [
    ["", "In m5.large", "replaces-some"],
    ["In m5.large,m6g.xlarge", "In m5.large", "replaces-some"],
    ["In m5.large", "In m6g.xlarge", "replaces-all"],
    ["In m5.large", "In m5.large,m6g.xlarge", "new-nodes"],
    ["In m5.large,m6g.xlarge 1", "In m5.large,m6g.xlarge 2", "new-nodes"],
  ],
  [`${AWS}-cpu`]: [
    ["", "Gte 1", "none"],
    ["", "Gt 3", "replaces-some"],
    ["", "Lt 4", "replaces-some"],
    ["", "NotIn 4", "replaces-some"],
    ["", "DoesNotExist", "replaces-all"],
    ["Gt 3", "Gte 4", "none"],
    ["Gte 4", "Gte 8", "replaces-some"],
    ["Gte 8", "Gte 4", "new-nodes"],
    ["Gte 8", "Lte 4", "replaces-all"],
    ["In 4,8", "Gte 4", "new-nodes"],
    ["Gte 4 & Lte 8", "In 4,5,6,7", "replaces-some"],
  ],
  [`${AWS}-memory`]: [
    ["", "Gt 8192", "replaces-some"],
    ["Lt 8193", "Lte 8192", "none"],
  ],
  [`${AWS}-family`]: [
    ["", "In m5,m6g", "replaces-some"],
    ["In m5", "NotIn m5", "replaces-all"],
  ],
  [`${AWS}-category`]: [["", "NotIn g", "replaces-some"]],
  [`${AWS}-size`]: [["In large,xlarge", "In xlarge", "replaces-some"]],
  [`${AWS}-generation`]: [["", "Gt 4", "replaces-some"]],
  [`${AWS}-hypervisor`]: [["", "In nitro", "replaces-some"]],
  [`${AWS}-cpu-manufacturer`]: [["", "In intel", "replaces-some"]],
  [`${AWS}-capability-flex`]: [
    ["", "In false", "replaces-some"],
    ["", "In false,true", "none"],
  ],
  [`${AWS}-encryption-in-transit-supported`]: [["", "In true", "replaces-some"]],
  [`${AWS}-tenancy`]: [["", "In default", "replaces-some"]],
};

const OPTIONAL: Readonly<Record<string, readonly Row[]>> = {
  [`${AWS}-gpu-count`]: [
    ["", "Exists", "replaces-some"],
    ["", "DoesNotExist", "replaces-some"],
    ["", "NotIn 1", "replaces-some"],
    ["", "Gte 2", "replaces-some"],
    ["Exists", "Gte 1", "none"],
    ["Exists", "DoesNotExist", "replaces-all"],
    ["DoesNotExist", "Exists", "replaces-all"],
    ["DoesNotExist", "NotIn 1", "new-nodes"],
    ["NotIn 1", "DoesNotExist", "replaces-some"],
    ["In 1", "", "new-nodes"],
  ],
  [`${AWS}-local-nvme`]: [["", "Gt 700", "replaces-some"]],
  [`${AWS}-network-bandwidth`]: [["", "Exists", "replaces-some"]],
  "karpenter.k8s.aws/capacity-reservation-id": [["", "Exists", "replaces-some"]],
  "node.kubernetes.io/windows-build": [
    ["", "DoesNotExist", "none"],
    ["", "Exists", "replaces-all"],
  ],
};

const CUSTOM: readonly Row[] = [
  ["", "In a", "replaces-all"],
  ["", "Exists", "replaces-all"],
  ["", "Gt 1", "replaces-all"],
  ["", "DoesNotExist", "none"],
  // Karpenter generates a number, which is new.
  ["", "NotIn a", "new-nodes"],
  ["In a", "In a,b", "new-nodes"],
  ["In a,b", "In a", "replaces-some"],
  ["In a", "In b", "replaces-all"],
  ["In a", "NotIn a", "replaces-all"],
  ["In a", "NotIn b", "new-nodes"],
  ["In a", "Exists", "new-nodes"],
  ["In a", "", "new-nodes"],
  ["In a", "DoesNotExist", "replaces-all"],
  ["In a,b 1", "In a,b 2", "new-nodes"],
  // A generated number, or one that a pod requires.
  ["Exists", "In x", "replaces-some"],
  ["Exists", "NotIn x", "replaces-some"],
  ["Exists", "DoesNotExist", "replaces-all"],
  ["Exists", "", "new-nodes"],
  ["NotIn a", "In b", "replaces-some"],
  ["NotIn a", "Exists", "replaces-some"],
  ["NotIn a", "DoesNotExist", "replaces-some"],
  ["NotIn a", "NotIn a,b", "replaces-some"],
  ["NotIn a,b", "NotIn a", "new-nodes"],
  ["DoesNotExist", "", "none"],
  ["DoesNotExist", "Exists", "replaces-all"],
  ["DoesNotExist", "NotIn a", "new-nodes"],
  ["Gte 5", "Gte 8", "replaces-some"],
  ["Gte 5", "Lt 3", "replaces-all"],
  // Karpenter treats the empty value as absent, so nodes drift repeatedly.
  ["In a", "In ,", "replaces-all"],
  // A pod may require that the label is absent.
  ["In a", "Gte 5 & Lte 5 & NotIn 5", "replaces-all"],
  ["In a", "In a & In b", "replaces-all"],
];

/** With the label of that key in the template; replacement nodes have it too. */
const WITH_LABEL: readonly (readonly [key: string, label: string, rows: readonly Row[]])[] = [
  [
    "example.com/team",
    "a",
    [
      ["", "In a", "none"],
      ["", "In a,b", "none"],
      ["", "Exists", "none"],
      ["", "NotIn b", "none"],
      ["", "NotIn a", "replaces-all"],
      ["", "DoesNotExist", "replaces-all"],
      ["", "In b", "replaces-all"],
      ["", "Gt 1", "replaces-all"],
      ["In a", "", "none"],
      ["In a", "In b", "replaces-all"],
      ["Exists", "NotIn a", "replaces-all"],
    ],
  ],
  [
    "example.com/size",
    "5",
    [
      ["", "Gt 4", "none"],
      ["", "Gt 5", "replaces-all"],
    ],
  ],
  [
    `${AWS}-gpu-name`,
    "a10g",
    [
      ["", "In a10g", "none"],
      ["", "Exists", "none"],
      ["", "NotIn a10g", "replaces-all"],
      ["", "DoesNotExist", "replaces-all"],
    ],
  ],
  [
    "kubernetes.io/arch",
    "amd64",
    [
      ["", "In amd64", "none"],
      ["", "NotIn arm64", "none"],
      // No instance type remains, so drift does not repeat.
      ["", "NotIn amd64", "replaces-all"],
    ],
  ],
];

export const REQUIREMENT_CHANGES: readonly RequirementChange[] = [
  ...Object.entries({ ...ALWAYS, ...OPTIONAL, "example.com/team": CUSTOM }).flatMap(([key, rows]) =>
    rows.map(([from, to, effect]) => ({ key, from, to, effect })),
  ),
  ...WITH_LABEL.flatMap(([key, label, rows]) =>
    rows.map(([from, to, effect]) => ({ key, from, to, effect, labels: { [key]: label } })),
  ),
];
