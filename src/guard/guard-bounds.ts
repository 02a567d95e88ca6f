/** Renders the admission policies that enforce the bounds of a RenderConfig on every NodePool. */
import { KARPENTER_GROUP } from "../krm/findings/known-kinds.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { DEFAULT_BUDGETS, disruptionReasons } from "../model/pools/disruption-reasons.ts";
import { DEFAULT_EXPIRY } from "../model/values/durations.ts";
import type { Profile } from "../model/crds/profile.ts";
import type { RenderConfigSpec } from "../model/settings/render-config.ts";
import { budgetVariables } from "./budget-variables.ts";
import { celMap, celString } from "./cel.ts";
import type { Variable } from "./guarded-key.ts";
import {
  type GuardMaking,
  guardName,
  mutating,
  UNLESS_RELEASED,
  validating,
  type Validation,
} from "./guard-objects.ts";

export type Bounds = Pick<RenderConfigSpec, "maxExpireAfter" | "maxTerminationGracePeriod" | "minDriftedBudget">;

/** Annotation with the fields that the bounds have set, and their former values. */
export const BOUNDED = "anp.hypershift.openshift.io/bounded";

/** Only v1 has both fields at these paths: the API server converts requests in other versions. */
const RULES = [{ group: KARPENTER_GROUP, resources: ["nodepools"], operations: ["CREATE", "UPDATE"], version: "v1" }];

/** Durations that CEL parses without an error. */
export const PLAIN_TIME = /^([0-9]{1,6}h|([0-9]{1,5}h|[0-9]{1,7}m|[0-9]{1,9}s){1,3})$/;

/** One bound in the policies; all fields are CEL. */
interface BoundedField {
  /** Used in names of variables and in the annotation. */
  readonly name: string;
  /** The value, or Karpenter's default if it is absent. */
  readonly value: string;
  readonly old: string;
  readonly within: string;
  /** Whether the value is Karpenter's default, which the API server sets before admission. */
  readonly unsaid: string;
  readonly said: string;
  readonly isPut: string;
  readonly wanted: string;
  readonly path: string;
  /** Used if the parent is missing. */
  readonly withParent?: { readonly missing: string; readonly path: string; readonly value: string };
  readonly variables?: readonly Variable[];
  readonly message: string;
}

/** Whether any bound is set. */
export function hasBounds({ maxExpireAfter, maxTerminationGracePeriod, minDriftedBudget }: Bounds): boolean {
  return (maxExpireAfter ?? maxTerminationGracePeriod ?? minDriftedBudget) !== undefined;
}

/** See docs/decisions/0024-bounds-by-admission.md. */
export function guardBounds(bounds: Bounds, profile: Profile, { form, action }: GuardMaking): KubeObject[] {
  if (!hasBounds(bounds)) return [];
  const fields = fieldsOf(bounds, profile);
  const name = guardName("nodepool-bounds", form);
  const variables = boundVariables(fields);
  return [
    ...mutating(name, { rules: RULES, matchConditions: UNLESS_RELEASED, variables, patches: [patch(fields)] }),
    ...validating(name, action, {
      rules: RULES,
      matchConditions: UNLESS_RELEASED,
      variables,
      validations: fields.map(({ name: of, value, old, message }): Validation => ({
        // The mutation has bounded stored values; if it is missing, Karpenter's writes must still pass.
        expression: `variables.${of}Within || request.operation == 'UPDATE' && ${value} == ${old}`,
        message,
      })),
    }),
  ];
}

function fieldsOf({ maxExpireAfter, maxTerminationGracePeriod, minDriftedBudget }: Bounds, profile: Profile) {
  const fields: BoundedField[] = [];
  if (maxExpireAfter !== undefined)
    fields.push({
      ...timeOf("expireAfter", maxExpireAfter, DEFAULT_EXPIRY),
      message: `nodes expire after ${maxExpireAfter} at the latest (maxExpireAfter): write spec.template.spec.expireAfter: ${maxExpireAfter}, or less`,
    });
  if (maxTerminationGracePeriod !== undefined)
    fields.push({
      ...timeOf("terminationGracePeriod", maxTerminationGracePeriod, ""),
      message: `nodes that go are gone after ${maxTerminationGracePeriod} at the latest (maxTerminationGracePeriod): write spec.template.spec.terminationGracePeriod: ${maxTerminationGracePeriod}, or less`,
    });
  if (minDriftedBudget !== undefined) fields.push(budgetsOf(minDriftedBudget, profile));
  return fields;
}

function timeOf(name: string, most: string, standard: string): Omit<BoundedField, "message"> {
  const of = (object: string): string => `${object}.?spec.?template.?spec.?${name}.orValue(${celString(standard)})`;
  const value = `variables.${name}`;
  return {
    name,
    value,
    old: `variables.${name}Old`,
    variables: [
      { name, expression: of("object") },
      { name: `${name}Old`, expression: `oldObject == null ? ${celString(standard)} : ${of("oldObject")}` },
    ],
    within: `type(${value}) == string && ${value}.matches('${PLAIN_TIME.source}') && duration(${value}) <= duration('${most}')`,
    unsaid: `${value} == ${celString(standard)}`,
    said: value,
    isPut: `${value} == ${celString(most)}`,
    wanted: celString(most),
    path: `/spec/template/spec/${name}`,
  };
}

function budgetsOf(floor: string, profile: Profile): BoundedField {
  const standard = `[${DEFAULT_BUDGETS.map(celMap).join(", ")}]`;
  const of = (object: string): string => `${object}.?spec.?disruption.?budgets.orValue(${standard})`;
  const texts = "(!has(b.schedule) || type(b.schedule) == string) && (!has(b.duration) || type(b.duration) == string)";
  const nodes = "type(b.?nodes.orValue('')) == string && b.?nodes.orValue('1').matches('^((100|[0-9]{1,2})%|[0-9]+)$')";
  const reasons = "(!has(b.reasons) || type(b.reasons) == list)";
  const shaped = `type(${of("object")}) == list && ${of("object")}.all(b, type(b) == map && ${nodes} && ${reasons} && ${texts})`;
  const others = disruptionReasons(profile).filter((reason) => reason !== "Drifted");
  return {
    name: "budgets",
    value: "variables.budgets",
    old: "variables.budgetsOld",
    variables: [
      { name: "budgetsShaped", expression: shaped },
      // The CRD refuses other shapes after the mutation.
      { name: "budgets", expression: `variables.budgetsShaped ? ${of("object")} : []` },
      { name: "budgetsOld", expression: `oldObject == null ? [] : ${of("oldObject")}` },
      ...budgetVariables(floor, profile),
    ],
    within: "!variables.raised.exists(r, r)",
    unsaid: `variables.budgets == ${standard}`,
    said: `variables.budgets.transformList(i, b, variables.raised[i], b.?nodes.orValue('10%')).join('; ')`,
    isPut: `variables.budgets.exists(b, b.?nodes.orValue('') == ${celString(floor)} && has(b.reasons) && b.reasons == ['Drifted'])`,
    wanted: "variables.wantedBudgets",
    path: "/spec/disruption/budgets",
    withParent: {
      missing: "!has(object.spec.disruption)",
      path: "/spec/disruption",
      value: `{"consolidateAfter": dyn('0s'), "budgets": dyn(variables.wantedBudgets)}`,
    },
    message: `budgets let at least ${floor} of the drifted nodes go (minDriftedBudget), at times that Karpenter can read: let ${floor} or more go, or write reasons: [${others.join(", ")}]`,
  };
}

function boundVariables(fields: readonly BoundedField[]): Variable[] {
  const variable = (name: string, expression: string): Variable => ({ name, expression });
  const itemsOf = (object: string): string =>
    `${object}.?metadata.?annotations[?${celString(BOUNDED)}].orValue('').split(', ').filter(t, t != '')`;
  return [
    variable("items", itemsOf("object")),
    variable("oldItems", `oldObject == null ? [] : ${itemsOf("oldObject")}`),
    ...fields.flatMap(({ name, value, old, within, unsaid, said, isPut, variables = [] }) => {
      const own = `variables.${name}`;
      const items = (of: string): string => `${of}.filter(t, t == '${name}' || t.startsWith('${name} '))`;
      return [
        ...variables,
        ...(name === "budgets" ? [] : [variable(`${name}Within`, within)]),
        // Lowers defaults, and values from before the bound.
        variable(
          `${name}Lowered`,
          `!${own}Within && (${unsaid} || request.operation == 'UPDATE' && ${value} == ${old})`,
        ),
        variable(
          `${name}Item`,
          [
            `${items("variables.items")}.size() > 0 && (${own}Lowered || ${items("variables.oldItems")}.size() == 0 || ${value} == ${old} || ${isPut})`,
            `? ${items("variables.items")}`,
            `: ${own}Lowered ? [${unsaid} ? '${name}' : [${celString(`${name} `)} + ${said}].map(t, t.size() > 200 ? t.substring(0, 200) : t)[0]]`,
            ": []",
          ].join(" "),
        ),
      ];
    }),
    variable("bounded", `(${fields.map(({ name }) => `variables.${name}Item`).join(" + ")}).join(', ')`),
  ];
}

function patch(fields: readonly BoundedField[]): string {
  const set = fields.map(({ name, path, wanted, withParent }) => {
    const add = `JSONPatch{op: "add", path: "${path}", value: ${wanted}}`;
    const either =
      withParent === undefined
        ? add
        : `(${withParent.missing} ? JSONPatch{op: "add", path: "${withParent.path}", value: ${withParent.value}} : ${add})`;
    return `(variables.${name}Lowered ? [${either}] : [])`;
  });
  const key = celString(BOUNDED);
  const path = `"/metadata/annotations/" + jsonpatch.escapeKey(${key})`;
  const now = `object.metadata.?annotations[?${key}].orValue('')`;
  return [
    "!has(object.spec) || !has(object.spec.template) || !has(object.spec.template.spec) ? [] :",
    set.join("\n+ "),
    `+ (variables.bounded != '' && !has(object.metadata.annotations) ? [JSONPatch{op: "add", path: "/metadata/annotations", value: {}}] : [])`,
    `+ (variables.bounded != '' && ${now} != variables.bounded ? [JSONPatch{op: "add", path: ${path}, value: variables.bounded}] : [])`,
    `+ (variables.bounded == '' && ${now} != '' ? [JSONPatch{op: "remove", path: ${path}}] : [])`,
  ].join("\n");
}
