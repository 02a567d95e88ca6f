/** How many instance types remain after each entry of a pool, and which entry removes each type. */
import { identityOf } from "../../karpenter/catalogue/type-filter.ts";
import { countTypes, includesType, indexesOf, type TypeMask, without } from "../../karpenter/catalogue/type-mask.ts";
import { memoizeByObject } from "../../model/memoize.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import { type InstanceTypes, remainingTypes } from "../explain/remaining-types.ts";

export interface Funnel {
  /** The number of remaining types after each demand, in their order. */
  readonly left: readonly number[];
  /** For each type the demand that removed it, counted from 1; 0 for a remaining type. */
  readonly fate: Uint16Array;
}

/**
 * Karpenter merges all demands at once. A later demand may admit types again, if it contradicts an earlier one on a
 * label that types may lack. Memoized by the list of demands, because thousands of pools may have the same.
 */
export function funnelOf(demands: readonly PoolRequirement[], knownTypes: InstanceTypes): Funnel {
  const known = answers(knownTypes.filter);
  const question = demands.map(({ from, requirement }) => `${from === "class"} ${identityOf(requirement)}`).join("\n");
  const answer = known.get(question) ?? narrowed(demands, knownTypes);
  known.set(question, answer);
  return answer;
}

const answers = memoizeByObject((_filter: InstanceTypes["filter"]) => new Map<string, Funnel>());

function narrowed(demands: readonly PoolRequirement[], knownTypes: InstanceTypes): Funnel {
  const { all, catalogue } = knownTypes.filter;
  const fate = new Uint16Array(catalogue.names.length);
  let before: TypeMask = all;
  const left = demands.map((_demand, index) => {
    const { types } = remainingTypes(demands.slice(0, index + 1), knownTypes);
    for (const type of indexesOf(without(before, types))) fate[type] = index + 1;
    before = types;
    return countTypes(types);
  });
  for (const type of fate.keys()) if (includesType(before, type)) fate[type] = 0;
  return { left, fate };
}
