/** Renders CEL rules on custom labels of NodeClaims. */
import {
  admitsAbsence,
  formatRequirement,
  type Requirement,
  requirementOf,
} from "../karpenter/requirements/requirement.ts";
import { labelPresence } from "../karpenter/requirements/label-presence.ts";
import { policyMisfit } from "../karpenter/requirements/merged-key.ts";
import { mergedByKey } from "../karpenter/requirements/requirements.ts";
import type { Provider } from "../karpenter/provider/provider.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { celString } from "./cel.ts";
import { admitsValue } from "./guarded-key.ts";
import type { Validation } from "./guard-objects.ts";

/**
 * Karpenter merges requirements of a pod with the pool's and takes a value of the result, even an excluded one
 * (docs/upstream/karpenter.md#generated-values). Only the NodeClaim shows that value.
 */
export function claimLabels(entries: readonly NodeSelectorRequirement[], { labels, group }: Provider): Validation[] {
  const ours = `object.spec.nodeClassRef.?group.orValue('') == ${celString(group)}`;
  return (
    [...mergedByKey(entries.map(requirementOf)).values()]
      // Skips misfits that the policy itself causes: pods have no part in them, and the pool would get no nodes.
      .filter(
        (policy) => labelPresence(policy.key, labels) === "custom" && policyMisfit(policy, labels)?.always !== true,
      )
      .map((policy) => ({
        expression: `request.operation == 'UPDATE' || !(${ours}) || ${carriesAdmitted(policy)}`,
        message: `the label ${policy.key} of a NodeClaim has to keep to the AutoNodePolicy's \`${formatRequirement(policy)}\`: its NodePool does not carry the policy yet, or a pod asks for a value that the policy excludes`,
      }))
  );
}

function carriesAdmitted(policy: Requirement): string {
  const carried = "object.metadata.?labels.orValue({})";
  const key = celString(policy.key);
  return `(${key} in ${carried} ? ${admitsValue(policy, `${carried}[${key}]`)} : ${admitsAbsence(policy)})`;
}
