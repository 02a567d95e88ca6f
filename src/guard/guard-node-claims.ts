/** Renders the admission policies that hold NodeClaims to Karpenter, the policy and the bounds. */
import type { Provider } from "../karpenter/provider/provider.ts";
import { type LabelPresence, labelPresence } from "../karpenter/requirements/label-presence.ts";
import {
  admitsAbsence,
  formatRequirement,
  type Requirement,
  requirementOf,
} from "../karpenter/requirements/requirement.ts";
import { mergedByKey } from "../karpenter/requirements/requirements.ts";
import { KARPENTER_GROUP } from "../krm/findings/known-kinds.ts";
import { INSTANCE_TYPE } from "../karpenter/catalogue/catalogue.ts";
import { atoi } from "../model/values/int64.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import type { NodeSelectorRequirement } from "../model/requirements/requirement.ts";
import { isOneOf, OWNED_BY_POOL } from "../render/admission-policies.ts";
import { BEGINS_WITHOUT, keysOfKarpenter } from "../render/reserved-key-rules.ts";
import { celString, celStrings } from "./cel.ts";
import { admitsValue } from "./guarded-key.ts";
import { type GuardMaking, guardName, validating, type Validation } from "./guard-objects.ts";
import { policyMisfit } from "../karpenter/requirements/merged-key.ts";
import { type Bounds, PLAIN_TIME } from "./guard-bounds.ts";

const RULES = [{ group: KARPENTER_GROUP, resources: ["nodeclaims"], operations: ["CREATE"], version: "v1" }];

/**
 * @param users Karpenter's users
 * @param holdsKeys as in `guardNodePools`
 */
export function guardNodeClaims(
  users: readonly string[],
  entries: readonly NodeSelectorRequirement[],
  provider: Provider,
  { form, action, holdsKeys }: GuardMaking & { readonly holdsKeys: boolean },
): KubeObject[] {
  const keys = [...mergedByKey(entries.map(requirementOf)).values()];
  const isCustom = (key: string): boolean => labelPresence(key, provider.labels) === "custom";
  return validating(guardName("nodeclaim", form), action, {
    rules: [
      { group: KARPENTER_GROUP, resources: ["nodeclaims"], operations: holdsKeys ? ["CREATE", "UPDATE"] : ["CREATE"] },
    ],
    validations: [
      {
        expression: `${isOneOf(users)} && ${OWNED_BY_POOL} || request.operation == 'UPDATE'`,
        message: "NodeClaims are Karpenter's alone to make: ask for nodes with a NodePool",
      },
      ...(holdsKeys ? [BEGINS_WITHOUT, keysOfKarpenter(isOneOf(users))] : []),
      ...keys.filter(({ key }) => !isCustom(key)).map((policy) => keepsTo(policy, provider)),
      ...keys.filter(({ key }) => isCustom(key)).flatMap((policy) => labelKeepsTo(policy, provider)),
    ],
  });
}

/**
 * Karpenter copies the pool's requirements, unless another mutation changes them or the pool has an older policy.
 * Custom keys are only labels, which anyone who can edit nodes can set too.
 */
function keepsTo(policy: Requirement, { group, labels }: Provider): Validation {
  const entries = `${REQUIREMENTS}.filter(r, r.key == ${celString(policy.key)})`;
  return {
    expression: `${beyondCreation(group)} || ${isWithin(policy, entries, labelPresence(policy.key, labels))}`,
    message: `a NodeClaim has to keep to the AutoNodePolicy's \`${formatRequirement(policy)}\`: its NodePool does not carry the policy yet, or another mutation changes what Karpenter asks for`,
  };
}

/** CEL: the rules of a provider's nodes have no part in the request. */
function beyondCreation(group: string): string {
  return `request.operation == 'UPDATE' || !(object.spec.nodeClassRef.?group.orValue('') == ${celString(group)})`;
}

const REQUIREMENTS = "object.spec.requirements";

/**
 * Excluded values are lost if there are bounds (`serialize`), and the instance types that Karpenter lists reflect
 * them. A static pool may list its own types, but requests for pods have resources, and a template cannot have those
 * (docs/upstream/karpenter.md#static-pools).
 */
const LISTS_TYPES = `object.spec.?resources.?requests.orValue({}).size() > 0 && ${REQUIREMENTS}.exists(r, r.key == ${celString(INSTANCE_TYPE)} && r.operator == 'In')`;

/** Other capacity types have no label of a reservation. */
const RESERVED = `${REQUIREMENTS}.exists(r, r.key == 'karpenter.sh/capacity-type' && r.operator == 'In' && r.values.all(v, v == 'reserved'))`;

/** CEL on the entries that Karpenter writes for a merged requirement. */
function isWithin(policy: Requirement, entries: string, presence: LabelPresence): string {
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
  const numbers = [...values].map(atoi).filter(({ valid }) => valid);
  const isOutside = has("r.operator == 'Gte' && int(r.values[0]) > n || r.operator == 'Lte' && int(r.values[0]) < n");
  const outside = `[${numbers.map(({ value }) => value).join(", ")}].all(n, ${isOutside})`;
  const others = [
    `${entries}.size() > 0 && !${has("r.operator in ['In', 'DoesNotExist']")}`,
    ...bounds,
    ...(values.size === 0
      ? []
      : [`(${excludes} || ${has("r.operator in ['Gte', 'Lte']")} && (${LISTS_TYPES} || ${outside}))`]),
    ...(presence === "offering" && !admitsAbsence(policy) ? [`(${RESERVED} || !${has("r.operator == 'NotIn'")})`] : []),
  ];
  return [lists, ...(admitsAbsence(policy) ? [lacks] : []), others.join(" && ")].join(" || ");
}

/**
 * Karpenter merges requirements of a pod with the pool's and takes a value of the result, even an excluded one
 * (docs/upstream/karpenter.md#generated-values). Only the NodeClaim shows that value.
 */
function labelKeepsTo(policy: Requirement, { labels, group }: Provider): Validation[] {
  // The policy itself causes such a misfit: pods have no part in it, and the pool would get no nodes.
  if (policyMisfit(policy, labels)?.always === true) return [];
  const carried = "object.metadata.?labels.orValue({})";
  const key = celString(policy.key);
  return [
    {
      expression: `${beyondCreation(group)} || (${key} in ${carried} ? ${admitsValue(policy, `${carried}[${key}]`)} : ${admitsAbsence(policy)})`,
      message: `the label ${policy.key} of a NodeClaim has to keep to the AutoNodePolicy's \`${formatRequirement(policy)}\`: its NodePool does not carry the policy yet, or a pod asks for a value that the policy excludes`,
    },
  ];
}

/**
 * A NodeClaim copies both times of its pool and keeps them (docs/upstream/karpenter.md#how-long-nodes-stay). It would
 * exceed the bounds if its pool was not written since the bounds apply, or if another mutation changes it.
 */
export function guardClaimBounds(
  { maxExpireAfter, maxTerminationGracePeriod }: Bounds,
  { form, action }: GuardMaking,
): KubeObject[] {
  const validations = [
    ...timeWithin("expireAfter", maxExpireAfter, "maxExpireAfter"),
    ...timeWithin("terminationGracePeriod", maxTerminationGracePeriod, "maxTerminationGracePeriod"),
  ];
  if (validations.length === 0) return [];
  return validating(guardName("nodeclaim-bounds", form), action, { rules: RULES, validations });
}

/**
 * The API server sets Karpenter's default of expireAfter before admission. An absent terminationGracePeriod is
 * unbounded.
 */
function timeWithin(field: string, most: string | undefined, bound: string): Validation[] {
  if (most === undefined) return [];
  const value = `object.spec.?${field}.orValue('')`;
  return [
    {
      expression: `${value}.matches(${celString(PLAIN_TIME.source)}) && duration(${value}) <= duration('${most}')`,
      message: `the ${field} of a NodeClaim is ${most} at most (${bound}): its NodePool was not written since the bound acts, or another mutation changes what Karpenter asks for`,
    },
  ];
}
