/** A policy that no instance type satisfies: its entries are in order one by one, and together leave nothing. */
import { type Finding, findingAt } from "../../krm/finding.ts";
import { locationOf } from "../../krm/location.ts";
import { formatRequirement } from "../../karpenter/requirement.ts";
import { isNone } from "../../karpenter/type-mask.ts";
import { smallestConflict } from "../conflict.ts";
import { policyEntries, subjectOf } from "../entries.ts";
import type { ExplainedCluster } from "../explain.ts";
import { getsNodes, remainingTypes } from "../remaining-types.ts";

export function policyUnsatisfiable(cluster: ExplainedCluster): Finding[] {
  const { market, explanations } = cluster;
  const entries = policyEntries(cluster);
  const remaining = remainingTypes(entries, market);
  if (getsNodes(remaining)) return [];
  const conflict = smallestConflict(entries, market);
  const last = conflict.at(-1);
  if (last === undefined || (conflict.length === 1 && isNone(remaining.types))) return [];
  // Rendering says so at the same place for each pool where one label is enough.
  const keys = new Set(conflict.map(({ requirement: { key } }) => key));
  const said = explanations.some(({ requirements }) =>
    requirements.some(({ key, outcome }) => keys.size === 1 && keys.has(key) && outcome === "empty-blocking"),
  );
  if (said) return [];
  const list = conflict.map(
    ({ requirement, place }) =>
      `\`${formatRequirement(requirement)}\` on ${requirement.key} (${locationOf(place.resource, place.path)})`,
  );
  const message = `${subjectOf(last)}: no set of instance types satisfies ${list.join(" and ")}; no pool of the hosted cluster gets nodes`;
  const { date } = market.filter.catalogue;
  const hint = `allow more in one of them (the catalogue is of ${date})`;
  return [findingAt("policy-unsatisfiable", last.place.resource, last.place.path, { message, hint })];
}
