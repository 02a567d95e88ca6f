/** What each entry of a pool leaves of the instance types, and which takes each type away. */
import { identityOf } from "../../karpenter/catalogue/type-filter.ts";
import { countTypes, includesType, indexesOf, type TypeMask, without } from "../../karpenter/catalogue/type-mask.ts";
import { oncePerObject } from "../../model/once.ts";
import type { Demand } from "../../resolve/demands.ts";
import { type Market, remainingTypes } from "../explain/remaining-types.ts";

export interface Funnel {
  /** How many types are left after each demand, in their order. */
  readonly left: readonly number[];
  /** By type, which demand took it away: its place and one, 0 for a type that is left. */
  readonly fate: Uint16Array;
}

/**
 * Karpenter merges all of them at once, so that a later one may let types in again: a contradiction that it passes by.
 * Thousands of pools ask for the same, so each list of demands is looked at once.
 */
export function funnelOf(demands: readonly Demand[], market: Market): Funnel {
  const known = answers(market.filter);
  const question = demands.map(({ from, requirement }) => `${from === "class"} ${identityOf(requirement)}`).join("\n");
  const answer = known.get(question) ?? narrowed(demands, market);
  known.set(question, answer);
  return answer;
}

const answers = oncePerObject((_filter: Market["filter"]) => new Map<string, Funnel>());

function narrowed(demands: readonly Demand[], market: Market): Funnel {
  const { all, catalogue } = market.filter;
  const fate = new Uint16Array(catalogue.names.length);
  let before: TypeMask = all;
  const left = demands.map((_demand, index) => {
    const { types } = remainingTypes(demands.slice(0, index + 1), market);
    for (const type of indexesOf(without(before, types))) fate[type] = index + 1;
    before = types;
    return countTypes(types);
  });
  for (const type of fate.keys()) if (includesType(before, type)) fate[type] = 0;
  return { left, fate };
}
