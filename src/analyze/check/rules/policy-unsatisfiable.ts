/** Rule: policies that no instance type satisfies, although each entry alone is valid. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { locationOf } from "../../../krm/places/location.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { formatRequirement, isEmpty } from "../../../karpenter/requirements/requirement.ts";
import { mergedByKey } from "../../../karpenter/requirements/requirements.ts";
import { isNone } from "../../../karpenter/catalogue/type-mask.ts";
import { smallestConflict } from "../../explain/conflict.ts";
import { policyEntries, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { knownValues, isHopeless } from "../../explain/lone-entries.ts";
import { remainingTypes } from "../../explain/remaining-types.ts";

export function policyUnsatisfiable(cluster: ExplainedCluster): Finding[] {
  const { knownTypes, pools } = cluster;
  const entries = policyEntries(cluster);
  const remaining = remainingTypes(entries, knownTypes);
  const conflict = smallestConflict(entries, knownTypes);
  const last = conflict.at(-1);
  if (last === undefined) return [];
  const known = knownValues(knownTypes.filter.catalogue);
  // An entry that alone leaves nothing has a finding of its own.
  if (conflict.length === 1 && isNone(remaining.types) && isHopeless(last.requirement, knownTypes.filter, known))
    return [];
  // If a single label causes the conflict, rendering reports it for each pool at the same place.
  const [merged, ...others] = mergedByKey(conflict.map(({ requirement }) => requirement)).values();
  const blocks = isEmpty(merged!) && labelPresence(merged!.key, knownTypes.filter.catalogue) === "always";
  if (pools.length > 0 && others.length === 0 && blocks) return [];
  const list = conflict.map(
    ({ requirement, place }) =>
      `\`${formatRequirement(requirement)}\` on ${requirement.key} (${locationOf(place.resource, place.path)})`,
  );
  const message = `${subjectOf(last)}: no set of instance types satisfies ${list.join(" and ")}; no pool of the hosted cluster gets nodes`;
  const { date } = knownTypes.filter.catalogue;
  const hint = `allow more in one of them (the catalogue is of ${date})`;
  return [findingAt("policy-unsatisfiable", last.place.resource, last.place.path, { message, hint })];
}
