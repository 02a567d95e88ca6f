/** Tests the merge of policy and user on one label: entries, findings and their places. */
import { describe, expect, it } from "vitest";
import { makeBundle, configText, inputsOf, policyText, poolText, poolWith } from "../../test/support/bundle.ts";
import { mergeRequirements } from "./merge-requirements.ts";

const CPU = "karpenter.k8s.aws/instance-gpu-count";
const ARCH = "kubernetes.io/arch";
const TEAM = "example.com/team";

/** `key Operator a,b` as an entry in flow style. */
function entry(text: string): string {
  const [key, operator, values] = text.split(" ");
  const list =
    values === undefined
      ? ""
      : `, values: [${values
          .split(",")
          .map((value) => `"${value}"`)
          .join(", ")}]`;
  return `{key: ${key}, operator: ${operator}${list}}`;
}

function repeat(count: number, entryAt: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => entryAt(index));
}

function labelsOf(count: number): Record<string, string> {
  return Object.fromEntries(repeat(count, (index) => `k${index}`).map((key) => [key, "a"]));
}

interface Given {
  readonly policy?: readonly string[];
  readonly user?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly block?: boolean;
}

function merge({ policy, user = [], labels = {}, block = false }: Given) {
  const bundle = makeBundle({
    "policy.yaml": policyText(
      policy === undefined ? "{}" : `{nodePoolDefaults: {requirements: [\n  ${policy.map(entry).join(",\n  ")}]}}`,
    ),
    "pool.yaml": poolText(
      `{template: {metadata: {labels: ${JSON.stringify(labels)}}, spec: {requirements: [\n  ${user.map(entry).join(",\n  ")}]}}}`,
    ),
    "config.yaml": configText(`{nodeLabels: {}, onBypass: ${block ? "Block" : "Fail"}}`),
  });
  const [pool] = bundle.nodePools;
  const { spec } = pool!.value as { spec: { template: { spec: { requirements: [] } } } };
  const { value, findings } = mergeRequirements(
    poolWith(bundle, spec.template.spec.requirements, labels),
    inputsOf(bundle).policy,
  );
  const entries = value.entries.map(({ key, operator, values }) =>
    [key, operator, ...(values === undefined ? [] : [values.join(",")])].join(" "),
  );
  return { entries, findings };
}

const BLOCKER = "node.kubernetes.io/instance-type In blocked-by-autonodepolicy";

const outcomes: readonly (readonly [what: string, given: Given, codes: readonly string[]])[] = [
  ["no policy and no wish", {}, []],
  ["no policy", { user: [`${ARCH} In arm64`] }, []],
  ["no wish", { policy: [`${ARCH} In arm64`] }, []],
  ["a wish within the policy", { policy: [`${ARCH} In arm64,amd64`], user: [`${ARCH} In arm64`] }, []],
  [
    "an empty merge on a label that all have",
    { policy: [`${ARCH} In arm64`], user: [`${ARCH} In amd64`] },
    ["requirements-conflict"],
  ],
  [
    "the same through an old name of it",
    { policy: [`${ARCH} In arm64`], user: ["beta.kubernetes.io/arch In amd64"] },
    ["requirements-conflict"],
  ],
  [
    "the same through the name of the storage driver",
    { policy: ["topology.kubernetes.io/zone In a"], user: ["topology.ebs.csi.aws.com/zone In b"] },
    ["requirements-conflict"],
  ],
  ["the user's own contradiction on it", { user: [`${ARCH} In arm64`, `${ARCH} In amd64`] }, ["requirements-conflict"]],
  ["DoesNotExist on it", { user: [`${ARCH} DoesNotExist`] }, ["requirements-conflict"]],
  ["an empty merge on a label that some have", { policy: [`${CPU} In 1`], user: [`${CPU} In 2`] }, ["policy-bypassed"]],
  ["NotIn on it", { policy: [`${CPU} Exists`], user: [`${CPU} NotIn 99`] }, ["policy-bypassed"]],
  ["NotIn that the policy says as well", { policy: [`${CPU} NotIn 1`], user: [`${CPU} NotIn 99`] }, []],
  ["NotIn of what is out of bounds anyway", { policy: [`${CPU} Gt 1`], user: [`${CPU} NotIn 1`] }, []],
  ["NotIn of what is within bounds", { policy: [`${CPU} Gt 1`], user: [`${CPU} NotIn 2`] }, ["policy-bypassed"]],
  ["bounds that leave nothing", { policy: [`${CPU} Gte 4`], user: [`${CPU} Lt 4`] }, ["policy-bypassed"]],
  ["bounds that leave one value", { policy: [`${CPU} Gte 4`], user: [`${CPU} Lte 4`] }, []],
  [
    "a bound above all integers",
    { policy: [`${CPU} Exists`], user: [`${CPU} Gt 9223372036854775807`] },
    ["policy-bypassed"],
  ],
  [
    "a policy that wants nodes without the label",
    { policy: [`${CPU} DoesNotExist`], user: [`${CPU} In 1`] },
    ["requirement-ignored"],
  ],
  ["an empty merge on a custom label", { policy: [`${TEAM} In a`], user: [`${TEAM} In b`] }, ["policy-bypassed"]],
  ["a template label against the policy", { policy: [`${TEAM} In a`], labels: { [TEAM]: "b" } }, ["policy-bypassed"]],
  ["a template label within the policy", { policy: [`${TEAM} In a`], labels: { [TEAM]: "a" } }, []],
  [
    "a template label against the user's own entry",
    { user: [`${TEAM} In a`], labels: { [TEAM]: "b" } },
    ["drifts-forever"],
  ],
  [
    "a template label that the policy excludes",
    { policy: [`${TEAM} NotIn a`], labels: { [TEAM]: "a" } },
    ["policy-bypassed"],
  ],
  [
    "a template label that the policy excludes, with an equal entry",
    { policy: [`${TEAM} NotIn a`], user: [`${TEAM} In a`], labels: { [TEAM]: "a" } },
    ["policy-bypassed"],
  ],
  [
    "an empty template label where the policy wants none",
    { policy: ["node-role.kubernetes.io/infra DoesNotExist"], labels: { "node-role.kubernetes.io/infra": "" } },
    ["policy-bypassed"],
  ],
  [
    "a template label that the policy excludes on a label that some have",
    { policy: [`${CPU} DoesNotExist`], labels: { [CPU]: "1" } },
    ["policy-bypassed"],
  ],
  [
    "a template label that the policy excludes on a label that all have",
    { policy: [`${ARCH} NotIn arm64`], labels: { "beta.kubernetes.io/arch": "arm64" } },
    ["requirements-conflict"],
  ],
  [
    "a template label that the policy admits and an entry that it does not",
    { policy: [`${TEAM} In a`], user: [`${TEAM} In b`], labels: { [TEAM]: "a" } },
    ["drifts-forever"],
  ],
  [
    "bounds around what the policy excludes",
    { policy: [`${TEAM} NotIn 5`], user: [`${TEAM} Gt 4`, `${TEAM} Lt 6`] },
    ["policy-bypassed"],
  ],
  [
    "bounds around what the pool excludes",
    { user: [`${TEAM} NotIn 5`, `${TEAM} Gt 4`, `${TEAM} Lt 6`] },
    ["drifts-forever"],
  ],
  [
    "bounds of the policy around what it excludes itself",
    { policy: [`${TEAM} NotIn 5`, `${TEAM} Gt 4`, `${TEAM} Lt 6`] },
    ["drifts-forever"],
  ],
  ["the policy's own contradiction", { policy: [`${TEAM} In a`, `${TEAM} In b`] }, ["requirement-ignored"]],
  [
    "two labels passed by",
    { policy: [`${TEAM} In a`, `${CPU} In 1`], user: [`${TEAM} In b`, `${CPU} In 2`] },
    ["policy-bypassed", "policy-bypassed"],
  ],
];

describe("mergeRequirements", () => {
  it.each(outcomes)("%s", (_what, given, codes) => {
    const { entries, findings } = merge(given);
    expect(findings.map(({ code }) => code)).toStrictEqual(codes);
    expect(entries).toStrictEqual([...(given.policy ?? []), ...(given.user ?? [])]);
  });

  it.each(outcomes)("%s, with onBypass: Block", (_what, given, codes) => {
    const { entries, findings } = merge({ ...given, block: true });
    expect(findings.map(({ code }) => code)).toStrictEqual(
      codes.map((code) => (code === "policy-bypassed" ? "policy-bypass-blocked" : code)),
    );
    const blocked = codes.includes("policy-bypassed") ? [BLOCKER] : [];
    expect(entries).toStrictEqual([...(given.policy ?? []), ...(given.user ?? []), ...blocked]);
  });

  it("neither sorts nor merges entries", () => {
    const policy = [`${TEAM} In b,a,b`, `${ARCH} In amd64`, `${TEAM} Exists`];
    const user = [`${TEAM} In b`, `${ARCH} In amd64`, `${TEAM} In b`];
    expect(merge({ policy, user }).entries).toStrictEqual([...policy, ...user]);
  });

  it.each<[string, Given, string, number, string]>([
    [
      "the user's entry",
      { policy: [`${TEAM} In a`], user: [`${ARCH} In arm64`, `${TEAM} In b`] },
      "pool.yaml",
      6,
      "spec.template.spec.requirements[1]",
    ],
    [
      "the template label",
      { policy: [`${TEAM} In a`], labels: { [TEAM]: "b" } },
      "pool.yaml",
      4,
      'spec.template.metadata.labels["example.com/team"]',
    ],
    [
      "the policy's entry where the user has none",
      { policy: [`${TEAM} In a`, `${TEAM} In b`] },
      "policy.yaml",
      6,
      "spec.nodePoolDefaults.requirements[1]",
    ],
  ])("points at %s", (_what, given, file, line, field) => {
    expect(merge(given).findings).toMatchObject([{ file, line, field }]);
  });

  it("names both sides, and the policy's lines", () => {
    const [found] = merge({ policy: [`${CPU} Gte 4`, `${CPU} Lte 8`], user: [`${CPU} NotIn 5`] }).findings;
    expect(found?.message).toContain("`NotIn [5]` on karpenter.k8s.aws/instance-gpu-count");
    expect(found?.message).toContain("`Exists >=4 <=8` (policy.yaml:5, policy.yaml:6)");
  });

  // A NodePool can hold 100 entries; a NodeClaim 100 keys, including four of Karpenter's own, and both bounds of a key
  // count twice.
  it.each<[string, Given, boolean]>([
    [
      "entries of one key",
      { policy: repeat(60, () => `${ARCH} In amd64`), user: repeat(40, () => `${ARCH} Exists`) },
      true,
    ],
    [
      "one entry more",
      { policy: repeat(60, () => `${ARCH} In amd64`), user: repeat(41, () => `${ARCH} Exists`) },
      false,
    ],
    ["keys", { user: repeat(96, (index) => `k${index} In a`) }, true],
    ["one key more", { user: repeat(97, (index) => `k${index} In a`) }, false],
    ["labels of those keys", { user: repeat(60, (index) => `k${index} In a`), labels: labelsOf(60) }, true],
    ["one label more", { user: repeat(96, (index) => `k${index} In a`), labels: { other: "a" } }, false],
    ["labels", { labels: labelsOf(96) }, true],
    ["one more of them", { labels: labelsOf(97) }, false],
    [
      "keys that Karpenter adds itself",
      {
        user: [
          ...repeat(96, (index) => `k${index} In a`),
          "karpenter.sh/capacity-type In spot",
          "node.kubernetes.io/instance-type In m5.large",
        ],
      },
      true,
    ],
    ["both bounds", { user: [...repeat(94, (index) => `k${index} In a`), "b Gte 1", "b Lte 2"] }, true],
    ["a key beside them", { user: [...repeat(95, (index) => `k${index} In a`), "b Gte 1", "b Lte 2"] }, false],
    [
      "bounds that a label narrows",
      { user: [...repeat(95, (index) => `k${index} In a`), "b Gte 1", "b Lte 2"], labels: { b: "1" } },
      true,
    ],
  ])("counts %s", (_what, given, fits) => {
    const codes = merge(given).findings.map(({ code }) => code);
    expect(codes).toStrictEqual(fits ? [] : ["requirements-limit"]);
  });

  it("names the RenderConfig with the node label that violates the policy", () => {
    const files = {
      "policy.yaml": policyText(`{nodePoolDefaults: {requirements: [${entry(`${TEAM} NotIn a`)}]}}`),
      "pool.yaml": poolText("{template: {spec: {requirements: []}}}"),
      "config.yaml": configText(`{nodeLabels: {${TEAM}: a}}`),
    };
    const bundle = makeBundle(files);
    const { findings } = mergeRequirements(poolWith(bundle, [], { [TEAM]: "a" }), inputsOf(bundle).policy);
    expect(findings).toMatchObject([
      { code: "policy-bypassed", file: "config.yaml", line: 4, field: 'spec.nodeLabels["example.com/team"]' },
    ]);
    expect(findings[0]?.message).toContain('the node label example.com/team: "a", which RenderConfig config sets,');
  });
});
