/** The smallest set of demands that leaves a pool without nodes. */
import type { Demand } from "../../resolve/demands.ts";
import { isNone, without } from "../../karpenter/catalogue/type-mask.ts";
import { type Market, type Remaining, remainingTypes } from "./remaining-types.ts";

/** Trying every three of them takes too long beyond this; a set from which nothing can be left out is found then. */
const MAX_FOR_THREE = 24;

/**
 * This is what somebody has to change (docs/design.md#verdicts). Empty when the demands leave nodes. No smaller set
 * exists of up to two demands, or three where there are few; of a pool that has more and longer entries than anybody
 * writes, it is a set from which not all that could be is left out.
 *
 * @param all what the demands leave
 */
export function smallestConflict(
  demands: readonly Demand[],
  market: Market,
  all: Remaining = remainingTypes(demands, market),
): Demand[] {
  const isObstacle = isNone(all.types) ? leavesNoType : missesMinValues;
  const fails = (some: readonly Demand[]): boolean => isObstacle(remainingTypes(some, market));
  if (!isObstacle(all)) return [];
  const mayTry = allowance();
  for (const some of choices(demands)) {
    if (!mayTry(some)) break;
    if (fails(some)) return some;
  }
  const likely = restricting(demands, market);
  const mayLeaveOut = allowance();
  const from = likely.length < demands.length && fails(likely) ? likely : [...demands];
  return from.reduce((left, demand) => {
    const others = left.filter((other) => other !== demand);
    return mayLeaveOut(others) && fails(others) ? others : left;
  }, from);
}

/**
 * Those that are there beside a conflict, of demands that no other one has: whoever mends the first meets the next.
 *
 * @param first as `smallestConflict` finds it
 */
export function otherConflicts(demands: readonly Demand[], first: readonly Demand[], market: Market): Demand[][] {
  const found: Demand[][] = [];
  for (let known = first; known.length > 0 && found.length < MAX_OTHERS;) {
    demands = demands.filter((demand) => !known.includes(demand));
    known = smallestConflict(demands, market);
    if (known.length > 0) found.push([...known]);
  }
  return found;
}

/** Nobody reads more. */
const MAX_OTHERS = 5;

function* choices(demands: readonly Demand[]): Generator<Demand[]> {
  for (const size of demands.length <= MAX_FOR_THREE ? [1, 2, 3] : [1, 2]) yield* combinations(demands, size);
}

/** Those that rule out something by themselves. */
function restricting(demands: readonly Demand[], market: Market): Demand[] {
  const { all } = market.filter;
  return demands.filter((demand) => !isNone(without(all, remainingTypes([demand], market).types)));
}

/** In values that are looked at: half a second of them. */
const MAX_WORK = 200_000;
/** Of one more question, however few values it has. */
const ASKING = 20;

/** Whether there is time for one more question; it is counted, and no clock is asked. */
function allowance(): (asked: readonly Demand[]) => boolean {
  let left = MAX_WORK;
  return (asked) => {
    left -= asked.reduce((sum, { requirement }) => sum + 1 + requirement.values.size, ASKING);
    return left >= 0;
  };
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
