/** What policy and user together come to, by the kind of the label (docs/design.md#bypass). */
import { describe, expect, it } from "vitest";
import type { Operator } from "../../model/requirement.ts";
import { mergeKey } from "./merged-key.ts";
import { formatRequirement, type Requirement, requirementOf } from "./requirement.ts";

const ALWAYS = "kubernetes.io/arch";
const OPTIONAL = "karpenter.k8s.aws/instance-gpu-count";
const CUSTOM = "example.com/tier";

/** `Operator a,b` as a requirement; the `,` alone is one empty value. */
function entry(key: string) {
  return (text: string): Requirement => {
    const [operator, values] = text.split(" ");
    return requirementOf({ key, operator: operator as Operator, values: valuesOf(values) });
  };
}

function valuesOf(text: string | undefined): readonly string[] {
  return text === "," ? [""] : (text?.split(",") ?? []);
}

describe("mergeKey", () => {
  it.each([
    ["always", ALWAYS, ["In a,b"], ["In b,c"], "In [b]", "holds"],
    ["always", ALWAYS, ["In a"], ["In b"], "DoesNotExist", "blocking"],
    ["always", ALWAYS, ["In a"], [], "In [a]", "holds"],
    ["always", ALWAYS, [], ["In a", "In b"], "DoesNotExist", "blocking"],
    ["always", ALWAYS, ["Exists"], ["NotIn a"], "NotIn [a]", "holds"],
    ["optional", OPTIONAL, ["In 1"], ["In 2"], "DoesNotExist", "bypassed"],
    ["optional", OPTIONAL, ["Exists"], ["NotIn 99"], "NotIn [99]", "bypassed"],
    ["optional", OPTIONAL, ["Lt 4"], ["NotIn 1"], "NotIn [1] <=3", "bypassed"],
    ["optional", OPTIONAL, ["Exists"], ["Gt 1"], "Exists >=2", "holds"],
    ["optional", OPTIONAL, ["Exists"], ["DoesNotExist"], "DoesNotExist", "bypassed"],
    // By itself the policy gives a 0 to one node of a trillion, with the wrapper to each second one.
    ["custom", CUSTOM, ["Lt 1000000000000", "NotIn 0"], ["Lte 1"], "NotIn [0] <=1", "bypassed"],
    ["optional", OPTIONAL, ["NotIn 1"], ["In 1"], "DoesNotExist", "ignored"],
    ["optional", OPTIONAL, ["NotIn 5"], ["Gt 1"], "NotIn [5] >=2", "ignored"],
    ["optional", OPTIONAL, ["NotIn 1"], ["NotIn 2"], "NotIn [1 2]", "holds"],
    ["optional", OPTIONAL, ["DoesNotExist"], ["In 1"], "DoesNotExist", "ignored"],
    ["optional", OPTIONAL, [], ["In 1", "In 2"], "DoesNotExist", "ignored"],
    ["optional", OPTIONAL, [], ["DoesNotExist"], "DoesNotExist", "holds"],
    ["optional", OPTIONAL, ["In 1", "In 2"], [], "DoesNotExist", "ignored"],
    ["custom", CUSTOM, ["In gold"], ["In silver"], "DoesNotExist", "bypassed"],
    ["custom", CUSTOM, ["In gold"], ["In gold,silver"], "In [gold]", "holds"],
    ["custom", CUSTOM, ["Exists"], ["NotIn bronze"], "NotIn [bronze]", "bypassed"],
    ["custom", CUSTOM, [], ["Gt 5", "Lt 5"], "DoesNotExist", "ignored"],
  ])("on a label that is %s there (%s): policy %j, user %j", (_kind, key, policy, user, printed, outcome) => {
    const merged = mergeKey(key, { policy: policy.map(entry(key)), user: user.map(entry(key)) });
    expect([formatRequirement(merged.effective), merged.outcome]).toStrictEqual([printed, outcome]);
  });

  it.each<[string, string[], string[], string | undefined, string, (string | undefined)?, (boolean | undefined)?]>([
    // Template labels stay, whatever the requirements come to.
    [CUSTOM, ["NotIn gold"], [], "gold", "bypassed", "gold", true],
    [CUSTOM, ["NotIn gold"], ["In gold"], "gold", "bypassed", "gold", true],
    [CUSTOM, ["DoesNotExist"], [], "", "bypassed", "", true],
    [CUSTOM, ["In gold"], [], "silver", "bypassed", "silver", true],
    [CUSTOM, ["In gold", "In silver"], [], "gold", "bypassed", "gold", true],
    [CUSTOM, ["In gold"], ["In silver"], "gold", "drifts", "gold", true],
    [CUSTOM, ["NotIn gold"], [], "silver", "holds"],
    [CUSTOM, ["Exists"], [], "", "holds"],
    [CUSTOM, [], ["In gold"], "silver", "drifts", "silver", true],
    [CUSTOM, [], ["In gold", "In silver"], "gold", "drifts", "gold", true],
    [CUSTOM, [], ["Gt 4"], "gold", "drifts", "gold", true],
    [CUSTOM, [], ["Gt 4"], "5", "holds"],
    [OPTIONAL, ["NotIn 1"], [], "1", "bypassed", "1", true],
    [OPTIONAL, ["DoesNotExist"], [], "1", "bypassed", "1", true],
    [OPTIONAL, ["NotIn 1"], ["In 2"], "3", "drifts", "3", true],
    // Types without the label come where the policy wants types with it.
    [OPTIONAL, ["In 1"], ["In 2"], "1", "bypassed", undefined, undefined],
    [ALWAYS, ["NotIn arm64"], [], "arm64", "blocking"],
    // Made-up numbers do not look at what is excluded.
    [CUSTOM, ["NotIn 5"], ["Gt 4", "Lt 6"], undefined, "bypassed", "5", true],
    [CUSTOM, ["NotIn 5"], ["Gt 3", "Lt 6"], undefined, "bypassed", "5", false],
    [CUSTOM, ["NotIn 05,+5,x"], ["Gt 4", "Lt 6"], undefined, "ignored"],
    [CUSTOM, ["NotIn 5"], ["Lt 1000000000000"], undefined, "bypassed", "5", false],
    [CUSTOM, ["NotIn 5"], ["Gt 4"], undefined, "ignored"],
    [CUSTOM, ["NotIn 5"], [], undefined, "holds"],
    [CUSTOM, ["NotIn 5", "Gt 4"], ["Lt 6"], undefined, "bypassed", "5", true],
    [CUSTOM, ["NotIn 5", "Gt 4", "Lt 6"], [], undefined, "drifts", "5", true],
    [CUSTOM, ["NotIn 5", "Gt 4", "Lt 9"], ["Lt 6"], undefined, "drifts", "5", true],
    [CUSTOM, ["NotIn 5", "Gt 4", "Lt 9"], ["In 6"], undefined, "holds"],
    [CUSTOM, [], ["NotIn 5", "Gt 4", "Lt 6"], undefined, "drifts", "5", true],
    [CUSTOM, [], ["NotIn 5", "Gte 5", "Lte 6"], undefined, "drifts", "5", false],
    [OPTIONAL, ["NotIn 5"], ["NotIn 6"], undefined, "holds"],
    // An empty value is none.
    [CUSTOM, ["Exists"], ["In ,"], undefined, "bypassed", undefined, true],
    [CUSTOM, [], ["In ,"], undefined, "drifts", undefined, true],
    [CUSTOM, [], ["In ,a"], undefined, "drifts", undefined, false],
    [CUSTOM, ["NotIn a"], ["In ,"], undefined, "drifts", undefined, true],
    [CUSTOM, ["In ,a"], [], undefined, "drifts", undefined, false],
    [CUSTOM, ["In ,a"], ["In a"], undefined, "holds"],
  ])("on nodes: %s, policy %j, user %j, template label %j: %s", (key, policy, user, label, outcome, value, always) => {
    const { misfit, ...merged } = mergeKey(key, { policy: policy.map(entry(key)), user: user.map(entry(key)), label });
    expect([merged.outcome, misfit?.value, misfit?.always]).toStrictEqual([outcome, value, always]);
  });
});
