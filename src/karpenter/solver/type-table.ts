/** Which instance types of a pool have enough room, and which its limits still allow. */
import type { Catalogue } from "../catalogue/catalogue.ts";
import { both, maskOf, type TypeMask } from "../catalogue/type-mask.ts";
import { memoizeByKey, memoizeByObject } from "../../model/schema/memoize.ts";
import { capacityOf, typesAtMost } from "../scheduling/limits.ts";
import { allocatableTypes } from "../scheduling/resources.ts";
import type { Units, Vector } from "./amounts.ts";

export interface TypeTable {
  /** The instance types with enough of each resource. */
  readonly fitting: (requests: Vector, types: TypeMask) => TypeMask;
  /** The amount of a resource that a type has for pods, in its unit. */
  readonly of: (place: number, type: number) => number;
  /** The instance types whose capacity is at most what is left of a limit. */
  readonly within: (resource: string, left: bigint) => TypeMask;
  readonly capacity: (resource: string, type: number) => bigint;
}

/** @param compared whether a resource is compared: storage only with a known node class */
export function typeTable(catalogue: Catalogue, units: Units, compared: (resource: string) => boolean): TypeTable {
  const columns = units.resources.map((resource, place) =>
    compared(resource) ? columnsOf(catalogue)(resource)(units.scaleOf(place)) : undefined,
  );
  const sound = allocatableTypes(catalogue).fitting(new Map());
  return {
    fitting: (requests, types) => {
      let left = both(types, sound);
      for (const [place, column] of columns.entries())
        if (column !== undefined && requests[place] !== 0) left = both(left, column.atLeast(requests[place]!));
      return left;
    },
    of: (place, type) => columns[place]?.amounts[type] ?? Infinity,
    within: (resource, left) => typesAtMost(catalogue)(resource)(left),
    capacity: (resource, type) => capacityOf(catalogue, resource, type),
  };
}

interface Column {
  readonly amounts: Float64Array;
  readonly atLeast: (amount: number) => TypeMask;
}

/** Rounds of a world, and pools of a node class, have the same types and units. */
const columnsOf = memoizeByObject((catalogue: Catalogue) =>
  memoizeByKey((resource: string) =>
    memoizeByKey((scale: bigint): Column => {
      const { names } = catalogue;
      const { of } = allocatableTypes(catalogue);
      const amounts = Float64Array.from(names, (_name, type) => Number(floored(of(resource, type), scale)));
      return { amounts, atLeast: thresholds(amounts, names.length) };
    }),
  ),
);

function floored(amount: bigint, scale: bigint): bigint {
  return amount < 0n ? -1n : amount / scale;
}

/** Masks of the types with at least an amount. Few amounts occur, so each mask is made once. */
function thresholds(column: Float64Array, size: number): (amount: number) => TypeMask {
  const levels = [...new Set(column)].toSorted((a, b) => a - b);
  const masks: TypeMask[] = [];
  return (amount) => {
    let [low, high] = [0, levels.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (levels[middle]! >= amount) high = middle;
      else low = middle + 1;
    }
    return (masks[low] ??= maskOf(size, (type) => column[type]! >= (levels[low] ?? Infinity)));
  };
}
