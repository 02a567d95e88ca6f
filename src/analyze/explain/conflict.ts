/** The smallest set of demands that leaves a pool without nodes. */
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import { isNone, without } from "../../karpenter/catalogue/type-mask.ts";
import { type InstanceTypes, type Remaining, remainingTypes } from "./remaining-types.ts";

/**
 * Trying all sets of three takes too long for more demands. Then a set is returned from which no demand can be removed.
 */
const MAX_FOR_THREE = 24;

/**
 * The user has to change one of these demands (docs/design.md#verdicts). Empty if the demands leave nodes. A set of
 * one key comes first; else the set is the smallest one if up to two demands are enough, or three if there are few. For a pool with unusually many and long
 * entries, the set may not be minimal, because the search has a limit.
 *
 * @param all what all demands leave together
 */
export function smallestConflict(
  demands: readonly PoolRequirement[],
  knownTypes: InstanceTypes,
  all: Remaining = remainingTypes(demands, knownTypes),
): PoolRequirement[] {
  const isObstacle = isNone(all.types) ? leavesNoType : missesMinValues;
  const fails = (some: readonly PoolRequirement[]): boolean => isObstacle(remainingTypes(some, knownTypes));
  if (!isObstacle(all)) return [];
  const mayTry = allowance();
  for (const some of choices(demands)) {
    if (!mayTry(some)) break;
    if (fails(some)) return some;
  }
  const likely = restricting(demands, knownTypes);
  const mayLeaveOut = allowance();
  const from = likely.length < demands.length && fails(likely) ? likely : [...demands];
  return from.reduce((left, demand) => {
    const others = left.filter((other) => other !== demand);
    return mayLeaveOut(others) && fails(others) ? others : left;
  }, from);
}

/**
 * Further conflicts among the other demands. A user who resolves the first conflict meets these next.
 *
 * @param first as `smallestConflict` finds it
 */
export function otherConflicts(
  demands: readonly PoolRequirement[],
  first: readonly PoolRequirement[],
  knownTypes: InstanceTypes,
): PoolRequirement[][] {
  const found: PoolRequirement[][] = [];
  for (let known = first; known.length > 0 && found.length < MAX_OTHERS;) {
    demands = demands.filter((demand) => !known.includes(demand));
    known = smallestConflict(demands, knownTypes);
    if (known.length > 0) found.push([...known]);
  }
  return found;
}

/** More are not useful in a report. */
const MAX_OTHERS = 5;

/** Several of one key come before those across keys: the pool gets no nodes as long as the former stay. */
function* choices(demands: readonly PoolRequirement[]): Generator<PoolRequirement[]> {
  yield* combinations(demands, 1);
  const sizes = demands.length <= MAX_FOR_THREE ? [2, 3] : [2];
  const ofOneKey = Map.groupBy(demands, ({ requirement }) => requirement.key);
  for (const some of [...ofOneKey.values(), demands]) for (const size of sizes) yield* combinations(some, size);
}

/** The demands that exclude some type on their own. */
function restricting(demands: readonly PoolRequirement[], knownTypes: InstanceTypes): PoolRequirement[] {
  const { all } = knownTypes.filter;
  return demands.filter((demand) => !isNone(without(all, remainingTypes([demand], knownTypes).types)));
}

/** The limit of the search, in compared values: about half a second. */
const MAX_WORK = 200_000;
/** The fixed cost of one evaluation. */
const ASKING = 20;

/** Whether the limit allows one more evaluation. It counts work instead of time, so that results are deterministic. */
function allowance(): (asked: readonly PoolRequirement[]) => boolean {
  let left = MAX_WORK;
  return (asked) => {
    left -= asked.reduce((sum, { requirement }) => sum + 1 + requirement.values.size, ASKING);
    return left >= 0;
  };
}

function leavesNoType({ types }: Remaining): boolean {
  return isNone(types);
}

/** If no type is left, minValues is not the cause. */
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
