/** Tests the merge of policy and user for each kind of label (docs/design.md#bypass). */
import { describe, expect, it } from "vitest";
import type { Operator } from "../../model/requirements/requirement.ts";
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
    // Alone, the policy gives a 0 to one node in a trillion; with the wrapper, to every second node.
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
    // Template labels are set regardless of the requirements.
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
    // Types without the label match although the policy requires it.
    [OPTIONAL, ["In 1"], ["In 2"], "1", "bypassed", undefined, undefined],
    ["karpenter.k8s.aws/placement-group-id", ["In pg-1"], [], "pg-1", "bypassed"],
    ["karpenter.k8s.aws/placement-group-id", ["NotIn pg-1"], [], "pg-1", "bypassed", "pg-1", true],
    [ALWAYS, ["NotIn arm64"], [], "arm64", "blocking"],
    // Generated numbers ignore excluded values.
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
    // An empty value counts as absent.
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

  const CPU = "karpenter.k8s.aws/instance-cpu";
  it.each<[string, string[], string[], string, (string | undefined)?, (boolean | undefined)?]>([
    // With bounds, the NodeClaim of a static pool has no exclusions.
    [CPU, ["NotIn 96,192"], ["Gte 96", "Lte 96"], "bypassed", "96", true],
    [CPU, ["NotIn 96,192"], ["Gt 64"], "bypassed", "96", false],
    [CPU, ["NotIn 96,192", "Gte 64"], [], "bypassed", "96", false],
    [CPU, ["NotIn 96,192"], ["Lt 64"], "holds"],
    [CPU, ["NotIn 96,192"], ["NotIn 48"], "holds"],
    [CPU, ["NotIn 96"], ["In 64,96", "Gte 64"], "holds"],
    [CPU, ["NotIn 96"], ["In 96"], "blocking"],
    [CPU, ["Gte 4"], ["NotIn 96"], "drifts", "96", false],
    [CPU, [], ["NotIn 5", "Gte 5", "Lte 5"], "drifts", "5", true],
    [OPTIONAL, ["NotIn 8"], ["Gte 8"], "bypassed", "8", false],
    [OPTIONAL, ["NotIn 8"], ["In 8"], "ignored"],
    [OPTIONAL, ["Exists"], ["NotIn 99"], "bypassed"],
    [OPTIONAL, ["Lt 4"], ["NotIn 1"], "drifts", "1", false],
    [CUSTOM, ["NotIn 5"], ["Gt 4", "Lt 6"], "bypassed", "5", true],
  ])("of a static pool: %s, policy %j, user %j: %s", (key, policy, user, outcome, value, always) => {
    const sides = { policy: policy.map(entry(key)), user: user.map(entry(key)), isStatic: true };
    const { misfit, ...merged } = mergeKey(key, sides);
    expect([merged.outcome, misfit?.value, misfit?.always]).toStrictEqual([outcome, value, always]);
  });

  const GROUP = "karpenter.k8s.aws/placement-group-id";
  const PARTITION = "karpenter.k8s.aws/placement-group-partition";
  it.each<[string, string[], string[], string | undefined, string, (string | undefined)?, (boolean | undefined)?]>([
    // Without a placement group nodes lack the label, regardless of requirements.
    [GROUP, ["In pg-1"], [], "DoesNotExist", "bypassed", undefined, true],
    [GROUP, ["In pg-1"], ["In pg-1"], "DoesNotExist", "bypassed", undefined, true],
    [GROUP, ["Exists"], [], "DoesNotExist", "bypassed", undefined, true],
    [GROUP, ["NotIn pg-1"], [], "DoesNotExist", "holds"],
    [GROUP, ["DoesNotExist"], [], "DoesNotExist", "holds"],
    [GROUP, [], ["In pg-1"], "DoesNotExist", "drifts", undefined, true],
    [GROUP, [], ["NotIn pg-1"], "DoesNotExist", "holds"],
    [GROUP, ["In pg-1"], [], "In pg-1", "holds"],
    [GROUP, [], ["In pg-1"], "In pg-1", "holds"],
    [GROUP, ["In pg-1"], [], "Exists", "holds"],
    // If the class is unknown, the policy assumes the worst case, and the pool's own entries count.
    [GROUP, ["In pg-1"], [], undefined, "bypassed"],
    [GROUP, ["NotIn pg-1"], [], undefined, "holds"],
    [GROUP, [], ["In pg-1"], undefined, "holds"],
    // The class does not define partitions. The provider takes one from the values of the NodeClaim's entry,
    // regardless of its operator.
    [PARTITION, ["In 1"], [], undefined, "bypassed"],
    [PARTITION, ["NotIn 2"], [], undefined, "bypassed", "2", false],
    [PARTITION, ["NotIn 2"], ["NotIn 3"], undefined, "bypassed", "2", false],
    [PARTITION, ["NotIn 2"], ["In 1"], undefined, "holds"],
    [PARTITION, ["Gt 2"], [], undefined, "bypassed", "1", false],
    [PARTITION, ["NotIn 2"], [], "DoesNotExist", "holds"],
    [PARTITION, [], ["NotIn 2"], undefined, "drifts", "2", false],
    [PARTITION, [], ["In 1"], undefined, "holds"],
  ])("of a class: %s, policy %j, user %j, class %s: %s", (key, policy, user, ofClass, outcome, value, always) => {
    const sides = { policy: policy.map(entry(key)), user: user.map(entry(key)) };
    const { misfit, ...merged } = mergeKey(key, {
      ...sides,
      ofClass: ofClass === undefined ? undefined : entry(key)(ofClass),
    });
    expect([merged.outcome, misfit?.value, misfit?.always]).toStrictEqual([outcome, value, always]);
  });

  const RESERVED = "karpenter.k8s.aws/capacity-reservation-type";
  it.each<[string, string[], string[], string]>([
    [RESERVED, ["In default"], [], "holds"],
    [RESERVED, ["Exists"], [], "holds"],
    [RESERVED, ["Exists"], ["NotIn capacity-block"], "bypassed"],
    [RESERVED, ["In default"], ["In capacity-block"], "bypassed"],
    [RESERVED, ["NotIn capacity-block"], ["Exists"], "ignored"],
    [RESERVED, ["NotIn capacity-block"], ["In default"], "holds"],
  ])("of an offering: %s, policy %j, user %j: %s", (key, policy, user, outcome) => {
    expect(mergeKey(key, { policy: policy.map(entry(key)), user: user.map(entry(key)) }).outcome).toBe(outcome);
  });
});
