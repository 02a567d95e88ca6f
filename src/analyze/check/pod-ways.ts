/** The ways round a policy that pods have by what they ask for. */
import { excludedNumbers } from "../../karpenter/requirements/node-label.ts";
import type { KeyProof } from "./prove.ts";
import type { Way } from "./open-ways.ts";

/**
 * A pod's own wishes are merged as a pool's entries are, and no wrapper shows them. On a label that no instance type has
 * Karpenter takes the value from what is left (`Any` in pkg/scheduling/requirement.go): a number whatever is excluded,
 * and none for an empty value. Where the values are listed, a pod can only choose among them.
 */
export function podWays(keys: readonly KeyProof[]): Way[] {
  return keys.flatMap(({ key, presence, policy, demands, result }): Way[] => {
    if (presence !== "custom" || !policy.complement || result === "leaks") return [];
    const place = demands.at(-1)?.place;
    const [number] = excludedNumbers(policy);
    const list = "where the policy lists the values with In, a pod chooses among them";
    if (number !== undefined) {
      const what = `a pod whose node affinity has ${key} Gt ${number - 1n} and Lt ${number + 1n}`;
      const why = `Karpenter makes up a number within what the pod asks for and does not look at what the policy excludes: the node gets ${number}; ${list}`;
      return [{ what, who: "open", why, place }];
    }
    const admitsEmpty = policy.values.size === 0 && policy.gte === undefined && policy.lte === undefined;
    if (!admitsEmpty) return [];
    const why = `Karpenter takes an empty value for none: the node comes without the label, which the policy asks for; ${list}`;
    return [{ what: `a pod whose node selector has ${key}: ""`, who: "open", why, place }];
  });
}
