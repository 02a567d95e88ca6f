/** What policy and user together come to, by the kind of the label (karpenter.md 1.4, DESIGN.md 3.2). */
import { describe, expect, it } from "vitest";
import type { Operator } from "../model/requirement.ts";
import { mergeKey } from "./merged-key.ts";
import { formatRequirement, requirementOf } from "./requirement.ts";

const ALWAYS = "kubernetes.io/arch";
const OPTIONAL = "karpenter.k8s.aws/instance-gpu-count";
const CUSTOM = "example.com/tier";

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
    const side = (entries: string[]) =>
      entries.map((text) => {
        const [operator, values] = text.split(" ");
        return requirementOf({ key, operator: operator as Operator, values: values?.split(",") ?? [] });
      });
    const merged = mergeKey(key, side(policy), side(user));
    expect([formatRequirement(merged.effective), merged.outcome]).toStrictEqual([printed, outcome]);
  });
});
