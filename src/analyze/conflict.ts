/**
 * The smallest set of demands that leaves a pool without nodes: what somebody has to change (docs/design.md#verdicts).
 */
import type { Demand } from "../resolve/demands.ts";
import { isNone } from "../karpenter/type-mask.ts";
import { type Market, type Remaining, remainingTypes } from "./remaining-types.ts";

/** Trying every three of them takes too long beyond this; a set from which nothing can be left out is found then. */
const MAX_FOR_THREE = 24;

/** Empty when the demands leave nodes. No smaller set exists of up to two demands, or three where there are few. */
export function smallestConflict(demands: readonly Demand[], market: Market): Demand[] {
  const all = remainingTypes(demands, market);
  const isObstacle = isNone(all.types) ? leavesNoType : missesMinValues;
  const fails = (some: readonly Demand[]): boolean => isObstacle(remainingTypes(some, market));
  if (!isObstacle(all)) return [];
  const sizes = demands.length <= MAX_FOR_THREE ? [1, 2, 3] : [1, 2];
  for (const size of sizes) {
    for (const some of combinations(demands, size)) if (fails(some)) return some;
  }
  return demands.reduce<Demand[]>(
    (left, demand) => {
      const others = left.filter((other) => other !== demand);
      return fails(others) ? others : left;
    },
    [...demands],
  );
}

function leavesNoType({ types }: Remaining): boolean {
  return isNone(types);
}

/** Of minValues by itself nothing is to be said where no type is left. */
function missesMinValues({ types, shortfall }: Remaining): boolean {
  return !isNone(types) && shortfall.size > 0;
}

/** Every choice of `size` of the items, in their order. */
function* combinations<T>(items: readonly T[], size: number, from = 0): Generator<T[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let index = from; index <= items.length - size; index++) {
    for (const rest of combinations(items, size - 1, index + 1)) yield [items[index]!, ...rest];
  }
}
