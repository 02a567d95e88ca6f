/** The requirement entries of a hosted cluster's policy, pools and template labels, each once. */
import type { FieldPath } from "../../krm/places/field-path.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { describeResource } from "../../krm/places/resource.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { type PoolRequirement, poolRequirements } from "../../resolve/pool-requirements.ts";
import type { ExplainedCluster } from "./explain.ts";
import { remainingTypes } from "./remaining-types.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";

/** The policy's entries, which every pool has: empty without a policy. */
export function policyEntries({ inputs: { policy } }: ExplainedCluster): PoolRequirement[] {
  return policy.resource === undefined ? [] : poolRequirements(policy.resource, [], {}, policy);
}

/** The types that the policy alone leaves, which rules about every single pool compare with. */
export const typesOfPolicy = memoizeByObject((cluster: ExplainedCluster) =>
  remainingTypes(policyEntries(cluster), cluster.knownTypes),
);

/** The pool's own entries and template labels. */
export function ownEntries(pool: ResolvedPool): PoolRequirement[] {
  return pool.demands.filter(({ from }) => from === "user" || from === "label");
}

/** The policy's entries once, and each pool's own. */
export function entriesOf(cluster: ExplainedCluster): PoolRequirement[] {
  return [...policyEntries(cluster), ...cluster.pools.flatMap(ownEntries)];
}

/** The subject of a message: the object that has the entry. */
export function subjectOf({ place }: PoolRequirement): string {
  return describeResource(place.resource);
}

/** The place of a value in the list of an entry, or the place of a template label. */
export function placeOfValue({ place }: PoolRequirement, value: string): FieldPath {
  const values = valueAt(place.resource.value, [...place.path, "values"]);
  const index = Array.isArray(values) ? values.indexOf(value) : -1;
  return index === -1 ? place.path : [...place.path, "values", index];
}
