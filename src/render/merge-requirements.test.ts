/** Policy and user on one label: what is rendered, what is said, and where it points. */
import { describe, expect, it } from "vitest";
import { bundleOf, configText, contextOf, policyText, poolText } from "../../test/property/render-context.ts";
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

interface Given {
  readonly policy?: readonly string[];
  readonly user?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly block?: boolean;
}

function merge({ policy, user = [], labels = {}, block = false }: Given) {
  const bundle = bundleOf({
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
  const { value, findings } = mergeRequirements(pool!, spec.template.spec.requirements, labels, contextOf(bundle));
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
    ["requirement-ignored"],
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

  it("neither sorts nor joins entries", () => {
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

  it.each([
    [60, 40, 0, []],
    [60, 41, 0, ["requirements-limit"]],
    [60, 39, 1, []],
    [60, 40, 1, ["requirements-limit"]],
  ])("lets %i policy entries, %i of the user and %i labels come to %j", (policy, user, labels, codes) => {
    const entries = (count: number) => Array.from({ length: count }, () => `${ARCH} In amd64`);
    const given = { policy: entries(policy), user: entries(user), labels: labels === 0 ? {} : { [TEAM]: "a" } };
    expect(merge(given).findings.map(({ code }) => code)).toStrictEqual(codes);
  });
});
