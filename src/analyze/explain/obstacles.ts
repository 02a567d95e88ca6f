/** Why a pool never gets a node. */
import type { FindingCode } from "../../krm/finding-codes.ts";
import type { NoNodes } from "../../karpenter/scheduling/no-nodes.ts";
import { isNone } from "../../karpenter/catalogue/type-mask.ts";
import type { PlacedNoNodes } from "../../resolve/resolve-pool.ts";
import type { Demand } from "../../resolve/demands.ts";
import type { KeyExplanation } from "./explanation.ts";
import type { Remaining } from "./remaining-types.ts";

/** A pool with any of them is unsatisfiable. A finding with this code says it, of `anp check` or of rendering. */
export type Obstacle =
  | Extract<FindingCode, "requirements-conflict" | "pool-unsatisfiable" | "min-values-unreachable">
  | NoNodes["code"];

interface Asked {
  readonly remaining: Remaining;
  readonly requirements: readonly KeyExplanation[];
  /** The smallest set of demands that leaves nothing. */
  readonly conflict: readonly Demand[];
  /** Whatever instance types there are. */
  readonly noNodes: readonly PlacedNoNodes[];
}

/** Both `anp explain` and `anp check` ask here. */
export function obstaclesOf({ remaining: { types, shortfall }, requirements, conflict, noNodes }: Asked): Obstacle[] {
  const blocking = new Set(requirements.filter(({ outcome }) => outcome === "empty-blocking").map(({ key }) => key));
  const isOfBlockedKey = ({ from, requirement: { key } }: Demand): boolean => from !== "class" && blocking.has(key);
  return [
    ...(blocking.size > 0 ? ["requirements-conflict" as const] : []),
    ...(isNone(types) && !(blocking.size > 0 && conflict.every(isOfBlockedKey)) ? ["pool-unsatisfiable" as const] : []),
    ...(!isNone(types) && shortfall.size > 0 ? ["min-values-unreachable" as const] : []),
    ...noNodes.map(({ code }) => code),
  ];
}
