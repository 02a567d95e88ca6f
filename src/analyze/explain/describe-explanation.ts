/** An explanation as plain data for reports. */
import { formatRequirement } from "../../karpenter/requirements/requirement.ts";
import type { PoolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import { formatFieldPath } from "../../krm/field-path.ts";
import { type FileLine, fileLineOf } from "../../krm/location.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import { type DescribedDemand, describeDemand } from "./describe-demand.ts";
import { type DescribedPrices, describePrices } from "./describe-prices.ts";
import type { PoolExplanation, KeyOutcome } from "./explanation.ts";
import { type KeySummary, type PoolSummary, summarizePool } from "./summarize-pool.ts";

/** One pool of `anp explain -o json`, schemaVersion 1. */
export interface DescribedPool extends PoolSummary, FileLine {
  /** Whose Karpenter makes its nodes. */
  readonly provider: { readonly name: string; readonly title: string };
  /** Null where no policy was read: then none is enforced. */
  readonly policy: FileLine | null;
  readonly requirements: readonly DescribedKey[];
  readonly eliminated: readonly (DescribedDemand & { readonly types: number; readonly only: number })[];
  readonly otherConflicts: readonly (readonly DescribedDemand[])[];
  readonly prices: DescribedPrices | null;
  /** What a RenderConfig bounds of how long nodes may stay; left out where nothing is. */
  readonly bounds?: readonly DescribedBound[];
  readonly taints: readonly string[];
  readonly nodeClass: string;
  readonly weight: number;
  /** Karpenter tries pools in this order: the first that takes a pod gets it. */
  readonly order: { readonly place: number; readonly of: number };
}

/** The place is the user's, where it is written. */
export interface DescribedBound extends FileLine {
  readonly field: string;
  /** Null where the wrapper leaves it to Karpenter. */
  readonly given: string | null;
  readonly value: string;
  /** Of a budget: the reasons that it is for as before, */
  readonly keeps?: readonly string[];
  /** and why Karpenter cannot read it. */
  readonly unreadable?: string;
  /** In the RenderConfig. */
  readonly by: FileLine;
}

export interface DescribedKey extends KeySummary {
  readonly policy: readonly string[];
  readonly user: readonly string[];
  readonly outcome: KeyOutcome;
  /** Both sides with their places, in the order Karpenter gets them. */
  readonly entries: readonly DescribedDemand[];
}

/**
 * Requirements are in Karpenter's print form, places are file and line.
 *
 * @param places of the hosted cluster's pools, as Karpenter tries them
 */
export function describeExplanation(explanation: PoolExplanation, { places, of }: PoolPlaces): DescribedPool {
  const { pool, prices } = explanation;
  const summary = summarizePool(explanation);
  const { name, hostedCluster, verdict, instanceTypes, conflict, noNodes, zones } = summary;
  return {
    name,
    hostedCluster,
    verdict,
    provider: { name: pool.provider.name, title: pool.provider.title },
    ...fileLineOf(pool.wrapper, ["metadata", "name"]),
    policy: pool.policy === undefined ? null : fileLineOf(pool.policy, []),
    requirements: explanation.requirements.map(({ policy, user, outcome }, index) => {
      const { key, effective, set } = summary.requirements[index]!;
      return {
        key,
        policy: policy.map(({ requirement }) => formatRequirement(requirement)),
        user: user.map(({ requirement }) => formatRequirement(requirement)),
        effective,
        set,
        outcome,
        entries: [...policy, ...user].map(describeDemand),
      };
    }),
    instanceTypes,
    eliminated: explanation.eliminated().map(({ demand, types, only }) => ({ ...describeDemand(demand), types, only })),
    conflict,
    otherConflicts: explanation.otherConflicts().map((demands) => demands.map(describeDemand)),
    minValuesMissed: summary.minValuesMissed,
    noNodes,
    zones,
    prices: prices === undefined ? null : describePrices(prices),
    ...(pool.bounds.length === 0 ? {} : { bounds: describeBounds(pool) }),
    taints: (pool.spec.template.spec.taints ?? []).map(({ key, value, effect }) =>
      value === undefined || value === "" ? `${key}:${effect}` : `${key}=${value}:${effect}`,
    ),
    nodeClass: pool.nodeClassRef.name,
    weight: pool.spec.weight ?? 0,
    order: { place: places.get(pool.name) ?? 0, of },
  };
}

function describeBounds({ wrapper, bounds }: ResolvedPool): DescribedBound[] {
  return bounds.map(({ field, given = null, value, keeps, unreadable, by }) => ({
    field: formatFieldPath(field),
    given,
    value,
    ...(keeps === undefined ? {} : { keeps }),
    ...(unreadable === undefined ? {} : { unreadable }),
    ...fileLineOf(wrapper, field),
    by: fileLineOf(by.resource, by.path),
  }));
}
