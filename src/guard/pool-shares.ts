/** Renders CEL that limits the entries of a NodePool under a guard, and truncates stored lists. */
import {
  MAX_OWN_VALUES,
  MAX_REQUIREMENTS,
  MAX_VALUE_LENGTH,
  OWN_SHARE,
  POLICY_SHARE,
} from "../model/requirements/requirement.ts";
import { MAX_KEPT } from "../resolve/guarded-list.ts";
import { celString } from "./cel.ts";
import type { Variable } from "./guarded-key.ts";
import type { Validation } from "./guard-objects.ts";

/** Annotation with a pool's own entries from before the guard that no longer fit. */
export const DISPLACED = "anp.hypershift.openshift.io/requirements-displaced";

const KEY = celString(DISPLACED);
const VALUES = "r.?values.orValue([])";

/**
 * Reads `own`, `oldOwn`, `labels` and `oldLabels`.
 *
 * @param entries number of the policy's entries
 * @param unchanged CEL: whether the author's part is unchanged
 */
export function shareVariables(entries: number, unchanged: string): Variable[] {
  const variable = (name: string, expression: string): Variable => ({ name, expression });
  const short = (text: string): string => `type(${text}) == string && ${text}.size() <= ${MAX_VALUE_LENGTH}`;
  return [
    variable("oldKept", keptOf("variables.oldOwn")),
    variable("count", "variables.own.size() + variables.labels.size()"),
    variable("oldCount", "variables.oldOwn.size() + variables.oldLabels.size()"),
    // The cost of CEL grows with the square of the values of a list: they are counted before the first is read.
    variable(
      "small",
      [
        `variables.own.all(r, type(${VALUES}) == list) && variables.labels.size() <= ${MAX_REQUIREMENTS}`,
        `([0] + variables.own.map(r, ${VALUES}.size())).sum() <= ${MAX_OWN_VALUES}`,
        `variables.own.all(r, ${VALUES}.all(v, ${short("v")})) && variables.labels.all(k, ${short("variables.labels[k]")})`,
      ].join(" && "),
    ),
    // Other rules skip a list that is refused for this reason.
    variable("tooLarge", `!variables.small && !(${unchanged})`),
    variable("fits", `variables.own.size() <= ${MAX_KEPT - entries}`),
    variable("kept", keptOf("variables.own")),
    variable("grows", "oldObject == null || variables.own.size() > variables.oldOwn.size()"),
  ];
}

function keptOf(entries: string): string {
  return `${entries}.transformList(i, r, i < ${MAX_KEPT}, r)`;
}

/** @param unless CEL of requests that are exempt */
export function shareValidations(unless: string): Validation[] {
  return [
    {
      expression: `${unless} || variables.count <= ${OWN_SHARE} || oldObject != null && variables.count <= variables.oldCount`,
      message: `a NodePool has at most ${OWN_SHARE} requirements and template labels of its own: ${POLICY_SHARE} of the ${MAX_REQUIREMENTS} that a NodeClaim holds are for the AutoNodePolicy, and the rest for Karpenter; a pool that had more before may keep as many`,
    },
    {
      expression: `${unless} || !variables.tooLarge`,
      message: `a NodePool asks for at most ${MAX_OWN_VALUES} values in all, each of at most ${MAX_VALUE_LENGTH} characters`,
    },
  ];
}

/**
 * Patches that annotate entries that do not fit. If the annotations have no room, the note is omitted: the list
 * matters more.
 */
export function displacedPatches(may: string): string {
  const text = `${VALUES}.all(v, type(v) == string) ? ' ' + ${VALUES}.join(' ') : ''`;
  const entry = `r.?key.orValue('') + ' ' + r.?operator.orValue('') + (${text})`;
  const displaced = `variables.own.transformList(i, r, i >= ${MAX_KEPT}, ${entry}).map(t, t.size() > 200 ? t.substring(0, 200) : t).join('; ')`;
  const annotations = "object.metadata.?annotations.orValue({})";
  const hasRoom = `([0] + ${annotations}.map(k, ${annotations}[k].size() + k.size())).sum() <= 60000`;
  const add = `(has(object.metadata.annotations) ? [] : [JSONPatch{op: "add", path: "/metadata/annotations", value: {}}]) + [JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey(${KEY}), value: ${displaced}}]`;
  return `(${may} && variables.own.size() > ${MAX_KEPT} && ${hasRoom} ? ${add} : [])`;
}
