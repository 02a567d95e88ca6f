/** What Karpenter launches of its NodeClaims: the cheapest types, if they reach every minValues. */
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import { MOST_TYPES, type Price, type PriceIndex } from "../catalogue/price-index.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { countTypes, haveCommon, indexesOf, maskOf, type TypeMask } from "../catalogue/type-mask.ts";
import { has } from "../requirements/requirement.ts";
import { addRequirements, type Requirements } from "../requirements/requirements.ts";
import { type Amounts, sumOf } from "../scheduling/resources.ts";
import type { Claim } from "./claim.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { withReservations } from "./reservations.ts";
import type { PlannedClaim, Solved, SolverPool, SolverWorld } from "./world.ts";

interface Launchable {
  readonly claims: readonly PlannedClaim[];
  readonly dropped: Solved["unplaced"];
}

/** `FinalizeScheduling`, then `TruncateInstanceTypes` (scheduler.go). */
export function launchable(claims: readonly Claim[], { filter, relaxesMinValues }: SolverWorld): Launchable {
  const kept: PlannedClaim[] = [];
  const dropped: Solved["unplaced"][number][] = [];
  for (const { plan, pods, types, ties, reserved, requirements: asked } of claims) {
    const { pool, shortfall } = plan;
    const requirements = withReservations(asked, reserved, filter.catalogue);
    const isCut = countTypes(types) > MOST_TYPES && pool.prices !== undefined;
    const asks =
      isCut && !relaxesMinValues && isOrderSure(addRequirements(requirements, pool.ofClass), filter.catalogue);
    if (asks && shortfall(cheapestOf(types, requirements, pool, filter.catalogue), requirements).size > 0) {
      dropped.push(...pods.map((pod) => ({ pod, picked: pool, refusals: [{ why: "min-values" } as const] })));
      continue;
    }
    const requests = sumOf([...pods.map(({ shape }) => shape.requests), ofDaemonSets(pool, types)]);
    kept.push({ pool, pods, requirements, types, requests, ties });
  }
  return { claims: kept, dropped };
}

/**
 * Whether the cheapest types of a catalogue are those that Karpenter would take: it is of one region, with Spot prices if
 * Spot is asked for.
 */
export function isOrderSure(requirements: Requirements, { shipped, offerings }: Catalogue): boolean {
  if (shipped === true) return false;
  const capacity = requirements.get(CAPACITY_TYPE);
  if (capacity !== undefined && !has(capacity, "spot")) return true;
  return pricedSpot(offerings).length > 0;
}

const pricedSpot = memoizeByObject(({ sets }: Catalogue["offerings"]): readonly unknown[] =>
  sets
    .flat()
    .filter(({ requirements: of, price }) => price !== undefined && of.get(CAPACITY_TYPE)?.values.has("spot") === true),
);

function cheapestOf(types: TypeMask, requirements: Requirements, pool: SolverPool, { names }: Catalogue): TypeMask {
  const cheapest = new Set(byPrice(types, requirements, pool, names).slice(0, MOST_TYPES));
  return maskOf(names.length, (type) => cheapest.has(type));
}

/** `OrderByPrice`: types without a price come last; equal prices by name. */
export function byPrice(
  types: TypeMask,
  requirements: Requirements,
  { ofClass, prices }: { readonly ofClass: Requirements; readonly prices: PriceIndex | undefined },
  names: readonly string[],
): readonly number[] {
  if (prices === undefined) return indexesOf(types);
  const { perHour } = prices.prices(types, addRequirements(requirements, ofClass));
  const known = sortedTypes.get(perHour);
  if (known !== undefined) return known;
  const priceOf = new Map(perHour.map((one) => [one.type, one.perHour] as const));
  const [priced, others] = [new Array<number>(), new Array<number>()];
  for (const type of indexesOf(types)) (priceOf.has(names[type]!) ? priced : others).push(type);
  const sorted = priced.toSorted((a, b) => priceOf.get(names[a]!)! - priceOf.get(names[b]!)! || a - b);
  const all = [...sorted, ...others];
  sortedTypes.set(perHour, all);
  return all;
}

/** By the prices of types: an index of prices has one list for equal types and requirements. */
const sortedTypes = new WeakMap<readonly Price[], readonly number[]>();

/** `addDaemonRequests`: the least of the DaemonSets that any remaining type runs. */
function ofDaemonSets({ daemons }: SolverPool, types: TypeMask): Amounts {
  let least: Amounts = new Map();
  for (const group of daemons) {
    if (!haveCommon(group.types, types)) continue;
    const own = group.daemonSets.length === 0 ? new Map<string, bigint>() : group.requests;
    least =
      least.size === 0
        ? own
        : new Map(
            [...least].flatMap(([name, amount]) => {
              const other = own.get(name);
              return other === undefined ? [] : [[name, other < amount ? other : amount] as const];
            }),
          );
  }
  return least;
}
