/** The order in which Karpenter tries pools for a pod: the heaviest first, equal ones by name from the end (karpenter.md 1.6). */
import type { Pool } from "./pool.ts";

export function poolOrder(pools: readonly Pool[]): Pool[] {
  return pools.toSorted((a, b) => weightOf(b) - weightOf(a) || (a.name < b.name ? 1 : -1));
}

export function weightOf(pool: Pool): number {
  return pool.spec.weight ?? 0;
}
