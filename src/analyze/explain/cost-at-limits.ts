/** What the nodes of a pool cost at most if they reach its limits. */
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import { capacityOf, nanoOf } from "../../karpenter/scheduling/limits.ts";
import { requirementOf } from "../../karpenter/requirements/requirement.ts";
import { comparableLimits, typesOfNodes } from "./pool-limits.ts";
import type { PoolExplanation } from "./explanation.ts";
import type { InstanceTypes } from "./remaining-types.ts";

export interface CostAtLimits {
  readonly perHour: number;
  /** What bounds it most: a resource of its limits, or replicas of a static pool. */
  readonly resource: string;
  readonly limit: string;
  /** The type that costs most by this resource. */
  readonly type: string;
}

/**
 * An upper bound: the limit that bounds it most, filled with the type that costs most for each unit of it. Spot never costs
 * more than on demand (docs/upstream/karpenter.md#prices). Types without a price are left out.
 *
 * @returns `unbounded` without a limit that each type counts for; undefined if no price is known
 */
export function costAtLimits(
  { pool, remaining }: Pick<PoolExplanation, "pool" | "remaining">,
  knownTypes: InstanceTypes,
): CostAtLimits | "unbounded" | undefined {
  const asked = new Map([...remaining.requirements, [CAPACITY_TYPE, ON_DEMAND] as const]);
  const priced = knownTypes.prices?.prices(remaining.types, asked).perHour ?? [];
  const dearest = priced.at(-1);
  if (dearest === undefined) return undefined;
  const { replicas } = pool;
  if (replicas !== undefined)
    return { perHour: replicas * dearest.perHour, resource: "replicas", limit: String(replicas), type: dearest.type };
  const nodes = typesOfNodes(pool, knownTypes);
  const indexOf = new Map(nodes.names.map((name, index) => [name, index]));
  const bounds = Object.entries(comparableLimits(pool, nodes)).flatMap(([resource, limit]): CostAtLimits[] => {
    const most = nanoOf(limit);
    const costs = priced.map(({ type, perHour }) => {
      const each = resource === "nodes" ? NODE : capacityOf(nodes, resource, indexOf.get(type)!);
      return { type, perHour: each <= 0n ? Infinity : (perHour * Number(most)) / Number(each) };
    });
    const { type, perHour } = costs.reduce((a, b) => (b.perHour > a.perHour ? b : a));
    return perHour === Infinity ? [] : [{ perHour, resource, limit: String(limit), type }];
  });
  return bounds.length === 0 ? "unbounded" : bounds.reduce((a, b) => (b.perHour < a.perHour ? b : a));
}

const ON_DEMAND = requirementOf({ key: CAPACITY_TYPE, operator: "In", values: ["on-demand"] });
const NODE = 10n ** 9n;
