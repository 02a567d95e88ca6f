/** Renders the admission policies that prepend a policy's requirements to every NodePool. */
import type { Provider } from "../karpenter/provider/provider.ts";
import { formatRequirement } from "../karpenter/requirements/requirement.ts";
import { KARPENTER_GROUP } from "../krm/findings/known-kinds.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { POLICY_END } from "../model/requirements/policy-end.ts";
import type { NodeSelectorRequirement } from "../model/requirements/requirement.ts";
import { MAX_KEPT } from "../resolve/guarded-list.ts";
import { celString } from "./cel.ts";
import { type GuardedKey, guardedKeys, type Variable } from "./guarded-key.ts";
import {
  type GuardMaking,
  guardName,
  mutating,
  UNLESS_RELEASED,
  validating,
  type Validation,
} from "./guard-objects.ts";
import { displacedPatches, shareValidations } from "./pool-shares.ts";
import { poolVariables, UNCHANGED } from "./pool-variables.ts";
import { isReserved, RESERVED_MESSAGE, TEMPLATE_MAPS } from "../render/reserved-key-rules.ts";

const FIELDS = Object.entries(TEMPLATE_MAPS).map(([field, allowed]) => ({
  field,
  allowed,
  reserved: `reserved${field[0]!.toUpperCase()}${field.slice(1)}`,
  kept: `kept${field[0]!.toUpperCase()}${field.slice(1)}`,
}));

/** The reserved keys, and those of them that are stored with the same value. */
const RESERVED_VARIABLES: readonly Variable[] = FIELDS.flatMap(({ field, allowed, reserved, kept }) => [
  { name: reserved, expression: `(${mapOf("object", field)}).filter(k, ${isReserved("k", allowed)})` },
  {
    name: kept,
    expression: `variables.${reserved}.filter(k, request.operation == 'UPDATE' && (${mapOf("oldObject", field)})[?k] == optional.of(object.spec.template.metadata.${field}[k]))`,
  },
]);

/** The next write of a stored object removes its reserved keys, as it lowers values beyond a bound. */
const RESERVED_PATCH = FIELDS.map(
  ({ field, kept }) =>
    `variables.${kept}.map(k, JSONPatch{op: "remove", path: "/spec/template/metadata/${field}/" + jsonpatch.escapeKey(k)})`,
).join("\n+ ");

const RESERVED_VALIDATION: Validation = {
  expression: FIELDS.map(({ reserved, kept }) => `variables.${reserved}.all(k, k in variables.${kept})`).join(" && "),
  message: RESERVED_MESSAGE,
};

const RULES = [{ group: KARPENTER_GROUP, resources: ["nodepools"], operations: ["CREATE", "UPDATE"] }];

const PATH = "/spec/template/spec/requirements";

/**
 * See docs/design.md#policy-by-admission.
 *
 * @param holdsKeys whether templates must not have Karpenter's own keys; false for a policy without restrictions
 */
export function guardNodePools(
  entries: readonly NodeSelectorRequirement[],
  provider: Provider,
  { form, action, holdsKeys }: GuardMaking & { readonly holdsKeys: boolean },
): KubeObject[] {
  const keys = guardedKeys(entries, provider.labels);
  const held = holdsKeys ? RESERVED : NO_KEYS;
  const variables = [...poolVariables(entries, keys, provider), ...held.variables];
  const name = guardName("nodepool", form);
  // A policy without requirements needs no room.
  const hasFront = entries.length > 0;
  return [
    ...mutating(name, {
      rules: RULES,
      matchConditions: UNLESS_RELEASED,
      variables,
      patches: [patch(hasFront, action), ...held.patches],
    }),
    ...validating(name, action, {
      rules: RULES,
      matchConditions: UNLESS_RELEASED,
      variables,
      validations: [...validations(keys, provider, hasFront), ...held.validations],
    }),
  ];
}

const NO_KEYS = { variables: [], patches: [], validations: [] };
const RESERVED = { variables: RESERVED_VARIABLES, patches: [RESERVED_PATCH], validations: [RESERVED_VALIDATION] };

/**
 * Removes known policy entries above the mark; the validation handles lists with others there. A stored list with a
 * forged mark gets the policy too, or it would never have it.
 */
function patch(hasFront: boolean, action: GuardMaking["action"]): string {
  const known = "(variables.marked ? variables.known : variables.asBefore)";
  // The validation also handles a list that exceeds its room.
  const room = hasFront ? ` && (variables.own.size() <= ${MAX_KEPT} || !variables.grows)` : "";
  const refused = hasFront && action === "Deny" ? " && !variables.tooLarge" : "";
  const may = `variables.shapes && variables.ours${refused} && ${known}${room}`;
  return [
    `(${may} && (!has(object.spec.template.spec.requirements) || object.spec.template.spec.requirements != variables.wanted)`,
    `? [JSONPatch{op: "add", path: "${PATH}", value: variables.wanted}]`,
    ": [])",
    ...(hasFront ? [`+ ${displacedPatches(may)}`] : []),
  ].join("\n");
}

function validations(keys: readonly GuardedKey[], { title, group }: Provider, hasFront: boolean): Validation[] {
  const unlessOurs = "!variables.ours || variables.asBefore";
  const exempt = hasFront ? `${unlessOurs} || variables.tooLarge` : unlessOurs;
  return [
    {
      // `anp check --live` reports stored pools of other groups; the group of a reference cannot be changed.
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
    ...(hasFront ? shareValidations(unlessOurs) : []),
    {
      expression: `${exempt} || variables.list == variables.wanted`,
      message: `the requirements must begin with those of the AutoNodePolicy: the mutating policy is not in force, or another mutation changes its work`,
    },
    ...keys.map(({ key, policy, holds }): Validation => ({
      expression: `${exempt} || ${holds} || ${UNCHANGED}`,
      message: `requirements and template labels on ${key} together with the AutoNodePolicy's \`${formatRequirement(policy)}\` would admit nodes that the policy does not; ask for what it allows`,
    })),
  ];
}

/** The CRD refuses anything but a map. */
function mapOf(object: string, field: string): string {
  const map = `${object}.?spec.?template.?metadata.?${field}.orValue({})`;
  return `type(${map}) == map ? ${map} : {}`;
}
