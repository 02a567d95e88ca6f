/** Amounts of resources as numbers, which are compared far more often than they are read. */
import type { Amounts } from "../scheduling/resources.ts";

/** By the place of the resource. Integers, so that sums are exact. */
export type Vector = Float64Array;

export interface Units {
  readonly resources: readonly string[];
  /** Amounts of resources that are not listed are left out. */
  readonly vectorOf: (amounts: Amounts) => Vector;
  /** The nano amount of one. */
  readonly scaleOf: (place: number) => bigint;
  /** Resources with amounts so fine and so large that sums may be rounded. */
  readonly inexact: readonly string[];
}

const SCALES: readonly bigint[] = [10n ** 9n, 10n ** 6n, 10n ** 3n];
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** For each resource the coarsest unit that every amount is a multiple of. @param count how many amounts may be added */
export function unitsOf(all: readonly Amounts[], largest: ReadonlyMap<string, bigint>): Units {
  const scales = new Map<string, bigint>();
  for (const amounts of all)
    for (const [resource, amount] of amounts) {
      const known = scales.get(resource) ?? SCALES[0]!;
      scales.set(resource, amount % known === 0n ? known : (SCALES.find((scale) => amount % scale === 0n) ?? 1n));
    }
  const resources = [...scales.keys()];
  const places = new Map(resources.map((resource, place) => [resource, place]));
  const scale = [...scales.values()];
  return {
    resources,
    vectorOf: (amounts) => {
      const vector = new Float64Array(resources.length);
      for (const [resource, amount] of amounts) {
        const place = places.get(resource);
        if (place !== undefined) vector[place] = Number(amount / scale[place]!);
      }
      return vector;
    },
    scaleOf: (place) => scale[place]!,
    inexact: resources.filter((resource, place) => (largest.get(resource) ?? 0n) / scale[place]! > SAFE),
  };
}

export function plus(a: Vector, b: Vector): Vector {
  const sum = new Float64Array(a.length);
  for (let at = 0; at < sum.length; at++) sum[at] = a[at]! + b[at]!;
  return sum;
}
