/** The policy that lets Karpenter alone make NodeClaims, and none outside the AutoNodePolicy. */
import type { Provider } from "../karpenter/provider/provider.ts";
import { labelPresence } from "../karpenter/requirements/label-presence.ts";
import {
  admitsAbsence,
  formatRequirement,
  type Requirement,
  requirementOf,
} from "../karpenter/requirements/requirement.ts";
import { mergedByKey } from "../karpenter/requirements/requirements.ts";
import { KARPENTER_GROUP } from "../krm/known-kinds.ts";
import type { KubeObject } from "../model/kube-object.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { isOneOf, OWNED_BY_POOL } from "../render/admission-policies.ts";
import { celString, celStrings } from "./cel.ts";
import { admitsValue } from "./guarded-key.ts";
import { type GuardMaking, guardName, type Validation, validating } from "./guard-objects.ts";

/** @param users Karpenter's */
export function guardNodeClaims(
  users: readonly string[],
  entries: readonly NodeSelectorRequirement[],
  provider: Provider,
  { form, action }: GuardMaking,
): KubeObject[] {
  const keys = [...mergedByKey(entries.map(requirementOf)).values()];
  return validating(guardName("nodeclaim", form), action, {
    rules: [{ group: KARPENTER_GROUP, resources: ["nodeclaims"], operations: ["CREATE"] }],
    validations: [
      {
        expression: `${isOneOf(users)} && ${OWNED_BY_POOL}`,
        message: "NodeClaims are Karpenter's alone to make: ask for nodes with a NodePool",
      },
      ...keys
        .filter(({ key }) => labelPresence(key, provider.labels) !== "custom")
        .map((policy) => keepsTo(policy, provider)),
    ],
  });
}

/**
 * Karpenter asks for what its pool does, unless somebody's mutation changes that on the way, or the pool carries an
 * older policy. What no instance type decides is only a label, which whoever edits nodes can set there as well.
 */
function keepsTo(policy: Requirement, { group }: Provider): Validation {
  const ours = `object.spec.nodeClassRef.?group.orValue('') == ${celString(group)}`;
  const entries = `object.spec.requirements.filter(r, r.key == ${celString(policy.key)})`;
  return {
    expression: `!(${ours}) || ${isWithin(policy, entries)}`,
    message: `a NodeClaim has to keep to the AutoNodePolicy's \`${formatRequirement(policy)}\`: its NodePool does not carry the policy yet, or another mutation changes what Karpenter asks for`,
  };
}

/** Of the entries that Karpenter writes for a merged requirement (`serialize`): excluded values are lost beside bounds. */
function isWithin(policy: Requirement, entries: string): string {
  const has = (condition: string): string => `${entries}.exists(r, ${condition})`;
  const lists = has(`r.operator == 'In' && r.values.all(v, ${admitsValue(policy, "v")})`);
  const lacks = has("r.operator == 'DoesNotExist'");
  if (!policy.complement) return policy.values.size === 0 ? lacks : lists;
  const { values, gte, lte } = policy;
  const bounds = [
    ...(gte === undefined ? [] : [has(`r.operator == 'Gte' && int(r.values[0]) >= ${gte}`)]),
    ...(lte === undefined ? [] : [has(`r.operator == 'Lte' && int(r.values[0]) <= ${lte}`)]),
  ];
  const excludes = has(`r.operator == 'NotIn' && ${celStrings(values)}.all(v, v in r.values)`);
  const others = [
    `${entries}.size() > 0 && !${has("r.operator in ['In', 'DoesNotExist']")}`,
    ...bounds,
    ...(values.size === 0 || bounds.length > 0 ? [] : [`(${excludes} || ${has("r.operator in ['Gte', 'Lte']")})`]),
  ];
  return [lists, ...(admitsAbsence(policy) ? [lacks] : []), others.join(" && ")].join(" || ");
}
