/** What planned nodes take of the limits of their pools. */
import { capacityOf, nanoOf } from "../../karpenter/scheduling/limits.ts";
import { quantityText } from "../explain/amounts.ts";
import { usedOf } from "../explain/pool-limits.ts";
import type { PlanAnswer } from "./plan-answer.ts";
import type { PlanWorld } from "./plan-world.ts";

type LimitLeft = PlanAnswer["limits"][number];

/** Of pools that get nodes: each node counts with the capacity of its cheapest type. */
export function limitsLeft(claims: PlanAnswer["nodeClaims"], { world, targets, state }: PlanWorld): LimitLeft[] {
  const claimsOf = Map.groupBy(claims, ({ nodePool }) => nodePool);
  return world.pools.flatMap(({ name, left, nodes }): LimitLeft[] => {
    const types = (claimsOf.get(name) ?? []).map(({ instanceTypes }) => nodes.names.indexOf(instanceTypes[0]!));
    if (types.length === 0) return [];
    const { pool } = targets.find((target) => target.pool.name === name)!;
    const isUsageKnown = state !== undefined || usedOf(pool) !== undefined;
    return [...left].map(([resource, remaining]) => {
      const limit = nanoOf(pool.spec.limits?.[resource] ?? 0);
      const planned = types.reduce(
        (sum, type) => sum + (resource === "nodes" ? ONE : capacityOf(nodes, resource, type)),
        0n,
      );
      return {
        nodePool: name,
        resource,
        limit: quantityText(resource, limit),
        used: isUsageKnown ? quantityText(resource, limit - remaining) : null,
        planned: quantityText(resource, planned),
        left: quantityText(resource, remaining - planned),
      };
    });
  });
}

const ONE = 10n ** 9n;
