/** Sorts pools in the order in which Karpenter tries them for a pod: highest weight first. */

interface Weighed {
  readonly name: string;
  readonly spec: { readonly weight?: number | undefined };
}

/** Pools of equal weight are sorted by name, descending (docs/upstream/karpenter.md#order-of-pools). */
export function poolOrder<P extends Weighed>(pools: readonly P[]): P[] {
  return pools.toSorted((a, b) => weightOf(b) - weightOf(a) || (a.name < b.name ? 1 : -1));
}

/** The rank of each pool in that order. */
export interface PoolPlaces {
  /** By name, from 1. */
  readonly places: ReadonlyMap<string, number>;
  readonly of: number;
}

export function poolPlaces(pools: readonly Weighed[]): PoolPlaces {
  const places = new Map<string, number>();
  for (const [index, { name }] of poolOrder(pools).entries()) if (!places.has(name)) places.set(name, index + 1);
  return { places, of: pools.length };
}

export function weightOf(pool: Weighed): number {
  return pool.spec.weight ?? 0;
}
