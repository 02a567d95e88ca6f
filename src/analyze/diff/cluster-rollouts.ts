/** What a change does in each of several hosted clusters: nodes, when, money, which budgets. */
import type { Budget } from "../../karpenter/disruption/disruption-budget.ts";
import { DEFAULT_BUDGET_NODES, DEFAULT_BUDGETS } from "../../model/pools/disruption-reasons.ts";
import { REPLACING } from "./change-effect.ts";
import type { Change, ClustersDiff } from "./compare-clusters.ts";
import { summarize } from "./describe-diff.ts";
import type { DescribedRollout } from "./diff-answer.ts";
import type { FleetNodes } from "./money/fleet-nodes.ts";

/** One for each cluster that changes, by its name; none if one cluster is compared. */
export function clusterRollouts(clusters: ClustersDiff["clusters"]): DescribedRollout[] {
  return clusters.map(({ hostedCluster, changes, fleet }) => ({ hostedCluster, ...rolloutOf(changes, fleet) }));
}

/** The same for the changes of one cluster. @param fleet undefined if the nodes are unknown */
export function rolloutOf(
  changes: readonly Change[],
  fleet: FleetNodes | undefined,
): Omit<DescribedRollout, "hostedCluster"> {
  return { ...sumOfChanges(changes, fleet), budgets: budgetsOf(changes) };
}

/** The sum of the changes of any clusters. @param fleet undefined if the nodes are unknown */
export function sumOfChanges(
  changes: readonly Change[],
  fleet: FleetNodes | undefined,
): Omit<DescribedRollout, "hostedCluster" | "budgets"> {
  const { pools, others, nodes, settles, cost } = summarize(changes, fleet);
  return { pools, others, nodes, settles, cost };
}

/** The budgets for drift of the pools whose nodes are replaced. */
function budgetsOf(changes: readonly Change[]): DescribedRollout["budgets"] {
  const replacing = changes.filter(({ effect, nodes }) => REPLACING.has(effect) && nodes.affected !== 0);
  // Budgets do not apply to the deletion of a pool.
  const drifting = replacing.filter(({ effect }) => effect !== "removes-nodes");
  const pools = new Map(drifting.flatMap((change) => change.pools.map((pool) => [pool.name, pool] as const)));
  return [...pools.values()].flatMap(({ name, old, nodes, running }) => {
    if (old === undefined || nodes?.affected.length === 0) return [];
    const budgets: readonly Budget[] = running.budgets ?? DEFAULT_BUDGETS;
    return budgets
      .filter(({ reasons }) => reasons?.includes("Drifted") ?? true)
      .map((budget) => ({ pool: name, ...described(budget) }));
  });
}

function described({ nodes = DEFAULT_BUDGET_NODES, schedule, duration }: Budget) {
  return {
    nodes,
    ...(schedule === undefined ? {} : { schedule }),
    ...(duration === undefined ? {} : { duration }),
  };
}
