/** An explanation as plain data for reports. */
import type { DescribedBound, DescribedPool } from "./pool-answer.ts";
import { formatRequirement } from "../../karpenter/requirements/requirement.ts";
import type { PoolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import { formatFieldPath } from "../../krm/field-path.ts";
import { fileLineOf } from "../../krm/location.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import { describeDemand } from "./describe-demand.ts";
import { describePrices } from "./describe-prices.ts";
import type { PoolExplanation } from "./explanation.ts";
import { summarizePool } from "./summarize-pool.ts";

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
