/** The reasons that keep a pool from ever getting a node. */
import { isNone } from "../../karpenter/catalogue/type-mask.ts";
import type { PlacedNoNodes } from "../../resolve/resolve-pool.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import type { KeyExplanation, Obstacle } from "./explanation.ts";
import type { Remaining } from "./remaining-types.ts";

interface Asked {
  readonly remaining: Remaining;
  readonly requirements: readonly KeyExplanation[];
  /** The smallest set of demands that together leave nothing. */
  readonly conflict: readonly PoolRequirement[];
  /** The reasons that do not depend on instance types. */
  readonly noNodes: readonly PlacedNoNodes[];
}

/** Used by `anp explain` and `anp check`, so that both agree. */
export function obstaclesOf({ remaining: { types, shortfall }, requirements, conflict, noNodes }: Asked): Obstacle[] {
  const blocking = new Set(requirements.filter(({ outcome }) => outcome === "empty-blocking").map(({ key }) => key));
  const isOfBlockedKey = ({ from, requirement: { key } }: PoolRequirement): boolean =>
    from !== "class" && blocking.has(key);
  return [
    ...(blocking.size > 0 ? ["requirements-conflict" as const] : []),
    ...(isNone(types) && !(blocking.size > 0 && conflict.every(isOfBlockedKey)) ? ["pool-unsatisfiable" as const] : []),
    ...(!isNone(types) && shortfall.size > 0 ? ["min-values-unreachable" as const] : []),
    ...noNodes.map(({ code }) => code),
  ];
}
