/** The data for pictures of explained pools: types that each entry removes, and overlaps. */
import type { DescribedDemand } from "../explain/pool-answer.ts";
import { has } from "../../karpenter/requirements/requirement.ts";
import { describeDemand } from "../explain/describe-explanation.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import type { PoolExplanation } from "../explain/explanation.ts";
import { type TypeTable, TypeTables } from "./type-table.ts";
import { identityOf } from "../../karpenter/catalogue/type-filter.ts";
import {
  countTypes,
  includesType,
  indexesOf,
  type TypeMask,
  without,
  both,
} from "../../karpenter/catalogue/type-mask.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import { type InstanceTypes, remainingTypes } from "../explain/remaining-types.ts";
import { weightOf } from "../../karpenter/scheduling/pool-order.ts";
import { firstOverlaps, overlap, triedPools } from "../check/overlapping.ts";

export interface FunnelStep extends DescribedDemand {
  /** How many types are left after it. */
  readonly left: number;
}

export interface PoolPicture {
  readonly name: string;
  readonly hostedCluster: string | undefined;
  /** Its index in `tables`; undefined if the types of the provider are unknown. */
  readonly table: number | undefined;
  readonly steps: readonly FunnelStep[];
  /**
   * For each type of the table the step that removed it, from 1; 0 for a remaining type. Shared by pools with the same
   * result.
   */
  readonly fate: Uint16Array;
  /** Whether it uses Spot capacity only. */
  readonly isSpot: boolean;
}

export interface ExplainedPictures {
  readonly tables: readonly TypeTable[];
  readonly pools: readonly PoolPicture[];
  readonly overlaps: readonly PictureOverlap[];
}

/** @param isAsked selects the pools to draw; their overlaps with other pools are included */
export function explainedPictures(
  clusters: readonly ExplainedCluster[],
  isAsked: (pool: { readonly name: string }) => boolean = () => true,
): ExplainedPictures {
  const tables = new TypeTables();
  const pools = clusters.flatMap(({ explanations, knownTypes }) =>
    explanations
      .filter(({ pool }) => isAsked(pool))
      .map((explanation): PoolPicture => {
        const { pool, demands } = explanation;
        const { left, fate } = withinLimits(funnelOf(demands, knownTypes), explanation);
        return {
          name: pool.name,
          hostedCluster: pool.hostedCluster,
          table: knownTypes.typesUnknown === true ? undefined : tables.placeOf(knownTypes),
          steps:
            knownTypes.typesUnknown === true
              ? []
              : [...demands.map(describeDemand), ...limitSteps(explanation)].map((step, at) => ({
                  ...step,
                  left: left[at]!,
                })),
          fate,
          isSpot: isSpot(explanation),
        };
      }),
  );
  const overlaps = clusters
    .flatMap(overlapsOf)
    .filter(({ first, second }) => isAsked({ name: first }) || isAsked({ name: second }));
  return { tables: tables.tables, pools, overlaps };
}

function isSpot({ requirements }: PoolExplanation): boolean {
  const asked = requirements.find(({ key }) => key === "karpenter.sh/capacity-type")?.effective;
  return asked !== undefined && has(asked, "spot") && !has(asked, "on-demand");
}

interface Funnel {
  /** The number of remaining types after each demand, in their order. */
  readonly left: readonly number[];
  /** For each type the demand that removed it, counted from 1; 0 for a remaining type. */
  readonly fate: Uint16Array;
}

/**
 * Karpenter merges all demands at once. A later demand may admit types again, if it contradicts an earlier one on a
 * label that types may lack. Memoized by the list of demands, because thousands of pools may have the same.
 */
function funnelOf(demands: readonly PoolRequirement[], knownTypes: InstanceTypes): Funnel {
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

/** The limits of a pool come after its entries, as one step. */
function limitSteps({ limits }: PoolExplanation): DescribedDemand[] {
  const [limit, ...others] = limits().filter(({ types }) => types > 0);
  if (limit === undefined) return [];
  const words = [limit, ...others].map((one) => `${one.resource} ${one.limit}`).join(", ");
  const { file, line } = limit;
  return [{ key: "limits", from: "user", requirement: words, file, line }];
}

function withinLimits(funnel: Funnel, explanation: PoolExplanation): Funnel {
  if (limitSteps(explanation).length === 0) return funnel;
  const { types } = explanation.remaining;
  const step = funnel.left.length + 1;
  const fate = funnel.fate.map((at, type) => (at === 0 && !includesType(types, type) ? step : at));
  return { left: [...funnel.left, countTypes(types)], fate };
}

export interface PictureOverlap {
  readonly hostedCluster: string | undefined;
  /** The pool that Karpenter tries first. */
  readonly first: string;
  readonly second: string;
  /** The number of instance types that both may launch. */
  readonly types: number;
  /** What decides the order. */
  readonly by: "weight" | "name";
}

/** With more pools than this, only the first overlap of each pool is included, because the pairs would fill pages. */
const PAIRS_UP_TO = 50;

/** In the order in which Karpenter tries the second pool of each pair. */
function overlapsOf(cluster: ExplainedCluster): PictureOverlap[] {
  const tried = triedPools(cluster);
  const firsts = tried.length <= PAIRS_UP_TO ? undefined : firstOverlaps(tried);
  return tried.flatMap((second, index) => {
    const winners =
      firsts === undefined ? tried.slice(0, index).filter((one) => overlap(one, second)) : [firsts[index]];
    return winners
      .filter((one) => one !== undefined)
      .map((first) => ({
        hostedCluster: second.pool.hostedCluster,
        first: first.pool.name,
        second: second.pool.name,
        types: countTypes(both(first.remaining.types, second.remaining.types)),
        by: weightOf(first.pool) === weightOf(second.pool) ? ("name" as const) : ("weight" as const),
      }));
  });
}
