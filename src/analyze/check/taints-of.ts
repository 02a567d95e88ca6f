/** The taints of a pool that pods have to tolerate, as one text. */
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";

/** Only pools with the same taints compete for pods. */
export function taintsOf({ spec }: ResolvedPool): string {
  const { taints = [] } = spec.template.spec;
  return taints
    .filter(({ effect }) => effect !== "PreferNoSchedule")
    .map(({ key, value = "", effect }) => `${key}=${value}:${effect}`)
    .toSorted()
    .join(",");
}
