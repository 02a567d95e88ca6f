/** Renders the CEL variables of the policies on NodePools: the list and its parts. */
import type { Provider } from "../karpenter/provider/provider.ts";
import { POLICY_END, POLICY_END_ENTRY } from "../model/requirements/policy-end.ts";
import { MAX_REQUIREMENTS, type NodeSelectorRequirement } from "../model/requirements/requirement.ts";
import { BLOCKER } from "../resolve/guarded-list.ts";
import { celMap, celString } from "./cel.ts";
import type { GuardedKey, Variable } from "./guarded-key.ts";
import { shareVariables } from "./pool-shares.ts";

const END = celString(POLICY_END);

/** Such a pool violates only a changed policy: the mutation has blocked it, and Karpenter's writes must pass. */
export const UNCHANGED =
  "request.operation == 'UPDATE' && (variables.own == variables.oldOwn || variables.own == variables.oldKept) && variables.labels == variables.oldLabels";

/**
 * One variable for each entry: an expression is limited to 100,000 code points
 * (docs/upstream/hosts.md#admission-policies-in-cel).
 */
function entryVariables(entries: readonly NodeSelectorRequirement[]): Variable[] {
  return entries.map((entry, index) => ({ name: `entry${index}`, expression: entryLiteral(entry) }));
}

export function entryLiteral({ key, operator, values, minValues }: NodeSelectorRequirement): string {
  return celMap({ key, operator, values, minValues });
}

/** @param keys the tested keys of the policy */
export function poolVariables(
  entries: readonly NodeSelectorRequirement[],
  keys: readonly GuardedKey[],
  { group }: Provider,
): Variable[] {
  const ofEntries = entryVariables(entries);
  const blocker = entryLiteral(BLOCKER);
  const end = `[${entryLiteral(POLICY_END_ENTRY)}]`;
  const variable = (name: string, expression: string): Variable => ({ name, expression });
  return [
    ...ofEntries,
    variable("policy", `[${ofEntries.map(({ name }) => `variables.${name}`).join(", ")}]`),
    variable("list", listOf("object")),
    // Lists are not validated before mutations: lists that the CRD refuses are not evaluated.
    variable(
      "shapes",
      `${isListOrNothing("object")} && variables.list.size() <= ${MAX_REQUIREMENTS} && variables.list.all(r, type(r) == map)`,
    ),
    variable("labels", labelsOf("object")),
    variable("ends", endsOf("variables.list")),
    variable("above", aboveEnd("variables.list", "variables.ends")),
    variable("marked", markedIn("variables.list", "variables.ends")),
    variable("own", ownIn("variables.list", "variables.ends", "variables.marked")),
    variable("oldList", `oldObject == null ? [] : (${listOf("oldObject")})`),
    variable("oldLabels", `oldObject == null ? {} : (${labelsOf("oldObject")})`),
    variable("oldEnds", endsOf("variables.oldList")),
    variable("oldAbove", aboveEnd("variables.oldList", "variables.oldEnds")),
    variable("oldMarked", markedIn("variables.oldList", "variables.oldEnds")),
    variable("oldOwn", ownIn("variables.oldList", "variables.oldEnds", "variables.oldMarked")),
    // If only half of the guard is updated, writes that do not change the list must pass.
    variable(
      "asBefore",
      "request.operation == 'UPDATE' && variables.list == variables.oldList && variables.labels == variables.oldLabels",
    ),
    variable("ours", `object.?spec.?template.?spec.?nodeClassRef.?group.orValue('') == ${celString(group)}`),
    variable("static", "object.?spec.?replicas.orValue(null) != null"),
    ...shareVariables(entries.length, UNCHANGED),
    // The blocker alone is above the mark if the list has no room for the policy.
    variable(
      "present",
      `variables.above == variables.policy || variables.above == variables.policy + [${blocker}] || variables.above == [${blocker}]`,
    ),
    variable(
      "known",
      "variables.ends.size() == 0 || variables.present || variables.oldMarked && variables.oldEnds.size() == 1 && variables.above == variables.oldAbove",
    ),
    ...keys.flatMap(({ variables }) => variables),
    variable(
      "holds",
      [
        ...(entries.length === 0 ? [] : ["variables.small"]),
        `!(${END} in variables.labels)`,
        ...keys.map(({ holds }) => holds),
      ].join(" && "),
    ),
    variable(
      "wanted",
      // A policy without requirements removes the mark too.
      entries.length === 0
        ? "variables.own"
        : [
            `!variables.fits ? [${blocker}] + ${end} + variables.kept`,
            ` : variables.policy + (variables.holds ? [] : [${blocker}]) + ${end} + variables.own`,
          ].join(""),
    ),
  ];
}

/** Absent and null are an empty list; the CRD refuses anything but a list. */
function listOf(object: string): string {
  const list = `${object}.?spec.?template.?spec.?requirements.orValue([])`;
  return `type(${list}) == list ? ${list} : []`;
}

function isListOrNothing(object: string): string {
  const list = `${object}.?spec.?template.?spec.?requirements.orValue([])`;
  return `(${list} == null || type(${list}) == list)`;
}

function labelsOf(object: string): string {
  const labels = `${object}.?spec.?template.?metadata.?labels.orValue({})`;
  return `type(${labels}) == map ? ${labels} : {}`;
}

function endsOf(list: string): string {
  return `${list}.transformList(i, r, type(r) == map && r.?key.orValue('') == ${END}, i)`;
}

function aboveEnd(list: string, ends: string): string {
  return `${ends}.size() == 0 ? [] : ${list}.transformList(i, r, i < ${ends}[0], r)`;
}

function markedIn(list: string, ends: string): string {
  return `${ends}.size() == 0 || ${ends}.size() == 1 && ${list}[${ends}[0]] == ${entryLiteral(POLICY_END_ENTRY)}`;
}

/** In a list with a forged mark from before the guard, all other entries are the author's. */
function ownIn(list: string, ends: string, marked: string): string {
  const below = `${list}.transformList(i, r, ${ends}.size() == 0 || i > ${ends}[0], r)`;
  return `${marked} ? ${below} : ${list}.filter(r, type(r) != map || r.?key.orValue('') != ${END})`;
}
