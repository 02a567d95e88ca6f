/**
 * Compares our validation with Karpenter's run time (docs/upstream/karpenter.md#validation-at-run-time); ours combines
 * CRDs and run time.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { type NodeSelectorRequirement, requirementsSchema } from "../../../src/model/requirements/requirement.ts";
import { askOracle, type Reply } from "../../support/oracle/ask.ts";

const CAPACITY_TYPE = "karpenter.sh/capacity-type";
const TENANCY = "karpenter.k8s.aws/instance-tenancy";

const restricted = (key: string): string =>
  `using label ${key} is not allowed as it might interfere with the internal provisioning logic`;
const oneNumber = (operator: string): string =>
  `key k with operator ${operator} must have a single positive integer value`;

const of = (key: string): NodeSelectorRequirement[] => [{ key, operator: "Exists" }];
const k = (operator: NodeSelectorRequirement["operator"], values?: string[], minValues?: number) => [
  { key: "k", operator, ...(values && { values }), ...(minValues && { minValues }) },
];

/**
 * The verdict of the CRDs, which test/suites/e2e compares with an API server; and part of the run time's error, or
 * undefined.
 */
type Row = readonly [entries: readonly NodeSelectorRequirement[], crd: "accepts" | "refuses", runtime?: string];

const ROWS: readonly Row[] = [
  // The CRDs compare the suffix of the domain, the run time its whole labels.
  [of("notkarpenter.sh/x"), "refuses"],
  [of("a.karpenter.sh/x"), "refuses", restricted("a.karpenter.sh/x")],
  [of("karpenter.sh/initialized"), "refuses", restricted("karpenter.sh/initialized")],
  [of("karpenter.sh/nodepool"), "refuses", 'invalid key: "karpenter.sh/nodepool" in requirements, restricted'],
  [of("kubernetes.io/hostname"), "refuses", restricted("kubernetes.io/hostname")],
  [of("kubernetes.io/foo"), "accepts"],
  [of("node-role.kubernetes.io/infra"), "accepts"],
  // In the CRDs' allow-list, but not well-known.
  [of("karpenter.k8s.aws/ec2nodeclass"), "accepts", restricted("karpenter.k8s.aws/ec2nodeclass")],
  [of("karpenter.k8s.aws/instance-pods"), "refuses", restricted("karpenter.k8s.aws/instance-pods")],
  [of("a b"), "refuses", "key a b is not a qualified name"],
  [k("In"), "refuses", "key k with operator In must have a value defined"],
  [k("In", []), "refuses", "key k with operator In must have a value defined"],
  [k("In", ["a"], 2), "refuses", "must have at least minimum number of values defined in 'values' field"],
  [k("In", ["a", "a"], 2), "accepts"],
  [k("NotIn", []), "accepts"],
  [k("Exists", ["a"]), "accepts"],
  [k("DoesNotExist", ["a"]), "accepts"],
  [k("Lt", ["0"]), "accepts"],
  [k("Gte", ["0"]), "accepts"],
  [k("Gt", ["5.0"]), "refuses", oneNumber("Gt")],
  [k("Gt", ["-1"]), "refuses", oneNumber("Gt")],
  [k("Gt", []), "refuses", oneNumber("Gt")],
  [k("Gte", ["1", "2"]), "refuses", oneNumber("Gte")],
  [k("Lte", ["9223372036854775808"]), "refuses", oneNumber("Lte")],
  [k("In", ["-a"]), "accepts", "invalid value -a for key k"],
  [Array.from({ length: 100 }, () => k("Exists")).flat(), "accepts"],
  [Array.from({ length: 101 }, () => k("Exists")).flat(), "refuses"],
  [k("Exists", undefined, 51), "refuses"],
  [[{ key: CAPACITY_TYPE, operator: "In", values: ["spot", "xspot"] }], "accepts"],
  [
    [{ key: CAPACITY_TYPE, operator: "In", values: ["xspot"] }],
    "accepts",
    `no valid values found in [xspot] for ${CAPACITY_TYPE}`,
  ],
  [
    [{ key: CAPACITY_TYPE, operator: "In", values: ["spot", "xspot"], minValues: 2 }],
    "accepts",
    `not enough valid values found in [spot xspot] for ${CAPACITY_TYPE}`,
  ],
  [[{ key: CAPACITY_TYPE, operator: "NotIn", values: ["xspot"] }], "accepts"],
  [[{ key: TENANCY, operator: "In", values: ["host"] }], "accepts", `no valid values found in [host] for ${TENANCY}`],
];

const named = ROWS.map(([entries, crd, runtime]) => {
  const text = JSON.stringify(entries[0]);
  return { what: entries.length > 1 ? `${entries.length} × ${text}` : text, entries, crd, runtime };
});

describe("the model refuses what the CRDs or the run time refuse", () => {
  test.each(named)("$what", ({ entries, crd, runtime }) => {
    const accepted = crd === "accepts" && runtime === undefined;
    expect(requirementsSchema.safeParse(entries).success).toBe(accepted);
  });
});

describe.each(["1.14", "1.15"] as const)("Karpenter %s's run time", (karpenter) => {
  const replies = new Map<unknown, Reply>();

  beforeAll(async () => {
    const answered = await askOracle(
      ROWS.map(([entries]) => ({ op: "validate", entries })),
      karpenter,
    );
    for (const [index, [entries]] of ROWS.entries()) replies.set(entries, answered[index]!);
  }, 600_000);

  test.each(named)("returns for $what: $runtime", ({ entries, runtime }) => {
    const error: unknown = runtime === undefined ? null : expect.stringContaining(runtime);
    expect(replies.get(entries)).toStrictEqual({ answer: { error } });
  });
});
