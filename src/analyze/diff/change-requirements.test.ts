/** The effect of changed requirements on nodes, key by key; no replaced node is missed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compatible, labelRequirements, requirementsOf } from "../../karpenter/requirements/requirements.ts";
import type { NodeSelectorRequirement, Operator } from "../../model/requirements/requirement.ts";
import { type Effect, worstEffect } from "./change-effect.ts";
import { requirementEffects } from "./change-requirements.ts";

const ARCH = "kubernetes.io/arch";
const CPU = "karpenter.k8s.aws/instance-cpu";
const GPU = "karpenter.k8s.aws/instance-gpu-count";
const OS = "kubernetes.io/os";
const TEAM = "example.com/team";

/** `In a,b`, more than one with ` & `; nothing for no entry. */
function entries(key: string, text: string): NodeSelectorRequirement[] {
  return text
    .split(" & ")
    .filter((one) => one !== "")
    .map((one) => {
      const [operator = "", values, minValues] = one.split(" ");
      const min = minValues === undefined ? {} : { minValues: Number(minValues) };
      return { key, operator: operator as Operator, ...(values ? { values: values.split(",") } : {}), ...min };
    });
}

const asked = (list: readonly NodeSelectorRequirement[], labels: Readonly<Record<string, string>> = {}) => ({
  labels: new Map(Object.entries(labels)),
  requirements: requirementsOf(list),
});

const effectOf = (key: string, from: string, to: string, labels = {}): Effect | undefined =>
  [...requirementEffects(asked(entries(key, from), labels), asked(entries(key, to), labels)).byKey.values()][0];

describe("a change of requirements", () => {
  it.each([
    [ARCH, "In amd64,arm64", "In arm64,amd64", "none"],
    [ARCH, "In amd64", "In amd64 & Exists", "none"],
    [ARCH, "In amd64", "In amd64,arm64", "new-nodes"],
    [ARCH, "In amd64,arm64", "In amd64", "replaces-some"],
    [ARCH, "In amd64", "In arm64", "replaces-all"],
    [ARCH, "In amd64", "", "new-nodes"],
    [ARCH, "", "In amd64", "replaces-some"],
    [ARCH, "", "In amd64 & In arm64", "replaces-all"],
    // Every instance type has the label.
    [ARCH, "", "Exists", "none"],
    [ARCH, "", "NotIn arm64", "replaces-some"],
    // Karpenter knows two values.
    [ARCH, "In amd64", "NotIn arm64", "none"],
    [ARCH, "In amd64 1", "In amd64 2", "new-nodes"],
    [CPU, "Gte 4", "Gte 8", "replaces-some"],
    [CPU, "Gt 3", "Gte 4", "none"],
    [CPU, "Gte 8", "Gte 4", "new-nodes"],
    [CPU, "Gte 8 & Lte 16", "Gte 4", "new-nodes"],
    [CPU, "Gte 8 & Lte 10", "In 8,9,10", "new-nodes"],
    [CPU, "Gte 8 & Lte 10", "In 8,9", "replaces-some"],
    [CPU, "Gte 8", "Lte 4", "replaces-all"],
    [CPU, "In 4,8", "Gte 4", "new-nodes"],
    [CPU, "NotIn 4", "NotIn 4,8", "replaces-some"],
    [CPU, "NotIn 4,8", "NotIn 4", "new-nodes"],
    // A node may lack these labels, which only NotIn and DoesNotExist admit.
    [GPU, "", "Exists", "replaces-some"],
    [GPU, "", "DoesNotExist", "replaces-some"],
    [GPU, "Exists", "DoesNotExist", "replaces-all"],
    [GPU, "DoesNotExist", "Exists", "replaces-all"],
    [GPU, "DoesNotExist", "NotIn 1", "new-nodes"],
    // A custom label is only on nodes of pools that ask for it.
    [TEAM, "", "In a", "replaces-all"],
    [TEAM, "", "Exists", "replaces-all"],
    [TEAM, "", "DoesNotExist", "none"],
    // Karpenter invents a number for it.
    [TEAM, "", "NotIn a", "new-nodes"],
    [TEAM, "Exists", "In x", "replaces-some"],
    // A pod that asks for the label's absence gets a node without it.
    [TEAM, "NotIn a", "Exists", "replaces-some"],
    [OS, "", "In linux", "none"],
    [OS, "", "In windows", "replaces-all"],
    [TEAM, "In a", "In a,b", "new-nodes"],
    [TEAM, "In a", "NotIn a", "replaces-all"],
    [TEAM, "NotIn a", "In b", "replaces-some"],
  ] as const)("%s: from `%s` to `%s` is %s", (key, from, to, effect) => {
    expect(effectOf(key, from, to)).toBe(effect);
  });

  it.each([
    ["", "In a", "none"],
    ["", "In a,b", "none"],
    ["", "Exists", "none"],
    ["", "NotIn b", "none"],
    ["", "NotIn a", "replaces-all"],
    ["", "DoesNotExist", "replaces-all"],
    ["In a", "", "none"],
    ["In a", "In b", "replaces-all"],
    // Such nodes are being replaced already.
    ["In b", "In c", "none"],
  ] as const)("with the label `a`: from `%s` to `%s` is %s", (from, to, effect) => {
    expect(effectOf(TEAM, from, to, { [TEAM]: "a" })).toBe(effect);
  });

  it("knows an old name of a label", () => {
    const effects = requirementEffects(
      asked(entries("beta.kubernetes.io/arch", "In amd64")),
      asked(entries(ARCH, "In amd64")),
    );
    expect([...effects.byKey]).toStrictEqual([[ARCH, "none"]]);
  });
});

const operator = fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte");
const entry = fc
  .tuple(
    fc.constantFrom(CPU, GPU, TEAM),
    operator,
    fc.uniqueArray(fc.constantFrom("1", "2", "3", "4"), { minLength: 1 }),
  )
  .map(([key, operator, values]): NodeSelectorRequirement => {
    if (operator === "Exists" || operator === "DoesNotExist") return { key, operator };
    return { key, operator, values: operator.endsWith("In") ? values : values.slice(0, 1) };
  });
const list = fc.array(entry, { maxLength: 4 });
const value = fc.constantFrom<string[]>("1", "2", "3", "4", "5", "6");
/** Every node has the first of them, and counts begin with one. */
const labels: fc.Arbitrary<Record<string, string>> = fc.record(
  { [CPU]: value, [GPU]: value, [TEAM]: value },
  { requiredKeys: [CPU] },
);

const fits = (node: Readonly<Record<string, string>>, requirements: readonly NodeSelectorRequirement[]): boolean =>
  compatible(labelRequirements(node), requirementsOf(requirements), new Set()) === undefined;

describe("the effect of a change", () => {
  it("covers every node that Karpenter finds drifted, and is replaces-all only if all may drift", () => {
    let drifted = 0;
    fc.assert(
      fc.property(list, list, fc.array(labels, { minLength: 5, maxLength: 5 }), (from, to, nodes) => {
        const effect = worstEffect([...requirementEffects(asked(from), asked(to)).byKey.values()]);
        // A custom label that the pool does not ask for is on no node.
        const possible = (node: Readonly<Record<string, string>>) =>
          fits(node, from) && (node[TEAM] === undefined || from.some(({ key }) => key === TEAM));
        for (const node of nodes.filter(possible)) {
          if (!fits(node, to)) {
            drifted += 1;
            expect(["replaces-some", "replaces-all"]).toContain(effect);
          } else expect(effect).not.toBe("replaces-all");
        }
      }),
      { numRuns: 3000 },
    );
    expect(drifted).toBeGreaterThan(300);
  });

  it("is none for the same requirements in any order", () => {
    fc.assert(
      fc.property(list, (from) => {
        expect(worstEffect([...requirementEffects(asked(from), asked(from.toReversed())).byKey.values()])).toBe("none");
      }),
      { numRuns: 1000 },
    );
  });
});
