/** The policies that keep an AutoNodePolicy's requirements before those of every NodePool. */
import type { Provider } from "../karpenter/provider/provider.ts";
import { formatRequirement } from "../karpenter/requirements/requirement.ts";
import { KARPENTER_GROUP } from "../krm/known-kinds.ts";
import type { KubeObject } from "../model/kube-object.ts";
import { POLICY_END } from "../model/policy-end.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { celString } from "./cel.ts";
import { type GuardedKey, guardedKeys, MAX_VALUES } from "./guarded-key.ts";
import { type GuardMaking, guardName, mutating, type Validation, validating } from "./guard-objects.ts";
import { poolVariables } from "./pool-variables.ts";

const RULES = [{ group: KARPENTER_GROUP, resources: ["nodepools"], operations: ["CREATE", "UPDATE"] }];

const PATH = "/spec/template/spec/requirements";

/** See docs/design.md#policy-by-admission. */
export function guardNodePools(
  entries: readonly NodeSelectorRequirement[],
  provider: Provider,
  { form, action }: GuardMaking,
): KubeObject[] {
  const keys = guardedKeys(entries, provider.labels);
  const variables = poolVariables(entries, keys, provider);
  const name = guardName("nodepool", form);
  return [
    ...mutating(name, { rules: RULES, variables, patches: [patch()] }),
    ...validating(name, action, { rules: RULES, variables, validations: validations(keys, provider) }),
  ];
}

/**
 * What is known to be a front goes; where something else stands above the mark, the list is left for the validation. A
 * forged list that is stored already takes the policy as well, or it would never carry one.
 */
function patch(): string {
  const known = "(variables.marked ? variables.known : variables.asBefore)";
  const may = `variables.shapes && variables.ours && !variables.deleting && ${known}`;
  return [
    `${may} && (!has(object.spec.template.spec.requirements) || object.spec.template.spec.requirements != variables.wanted)`,
    `? [JSONPatch{op: "add", path: "${PATH}", value: variables.wanted}]`,
    ": []",
  ].join("\n");
}

function validations(keys: readonly GuardedKey[], { title, group }: Provider): Validation[] {
  const exempt = "variables.deleting || !variables.ours || variables.asBefore";
  return [
    {
      expression:
        "!variables.deleting || variables.list == variables.oldList && variables.labels == variables.oldLabels",
      message: "the requirements and template labels of a NodePool that is being deleted cannot be changed",
    },
    {
      // Whoever made it before is told by `anp check --live`; a reference's group cannot be changed.
      expression: "variables.ours || variables.asBefore",
      message: `the AutoNodePolicy is for ${title}: a NodePool needs a nodeClassRef of the group ${group}`,
    },
    {
      expression: `${exempt} || variables.marked && (!(${celString(POLICY_END)} in variables.labels) || ${UNCHANGED})`,
      message: `${POLICY_END} marks where the AutoNodePolicy's entries end: a NodePool has no entry or label of its own with this key`,
    },
    {
      expression: `${exempt} || variables.ends.size() != 1 || variables.present`,
      message: `what stands above the entry ${POLICY_END} is not what the AutoNodePolicy puts there now, as in an older copy of a NodePool: take out everything up to and including that entry, and apply what is left; the policy's entries are put before it`,
    },
    {
      expression: `${exempt} || variables.list == variables.wanted`,
      message: `the requirements must begin with those of the AutoNodePolicy: the mutating policy is not in force, or another mutation changes its work`,
    },
    {
      expression: `${exempt} || ${["true", ...keys.map((one) => one.few)].join(" && ")} || ${UNCHANGED}`,
      message: `on a label that the AutoNodePolicy governs and a node may lack, a NodePool asks for ${MAX_VALUES} values at most`,
    },
    ...keys.map(({ key, policy, holds }): Validation => ({
      expression: `${exempt} || ${holds} || ${UNCHANGED}`,
      message: `requirements and template labels on ${key} together with the AutoNodePolicy's \`${formatRequirement(policy)}\` would admit nodes that the policy does not; ask for what it allows`,
    })),
  ];
}

/** A change of the policy made it so: the mutation has blocked it, and Karpenter has to go on writing. */
const UNCHANGED =
  "request.operation == 'UPDATE' && variables.own == variables.oldOwn && variables.labels == variables.oldLabels";
