/** One planned NodeClaim as data: its types by price, where they are offered, how full they get. */
import type { Catalogue, PriceOrigin } from "../../karpenter/catalogue/catalogue.ts";
import { MOST_TYPES, onDemandOnly, type Price } from "../../karpenter/catalogue/price-index.ts";
import { has } from "../../karpenter/requirements/requirement.ts";
import { addRequirements, compatible, type Requirements } from "../../karpenter/requirements/requirements.ts";
import { allocatableTypes, type Amounts } from "../../karpenter/scheduling/resources.ts";
import { byPrice } from "../../karpenter/solver/launchable.ts";
import type { PlannedClaim, SolverPod } from "../../karpenter/solver/world.ts";
import { HOURS_A_MONTH, PRICE_DIGITS } from "../../model/values/money.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { CAPACITY_TYPE, ZONE } from "../../model/requirements/label-keys.ts";
import { KNOWN_VALUES } from "../../model/requirements/labels.ts";
import { unitOf } from "../explain/describe-explanation.ts";
import { quantityText } from "../explain/amounts.ts";
import { namespaceOf } from "./expand-pods.ts";
import type { PlanAnswer } from "./plan-answer.ts";

export type DescribedClaim = PlanAnswer["nodeClaims"][number];

const RESERVED = "reserved";

export function describeClaim(claim: PlannedClaim, catalogue: Catalogue): DescribedClaim {
  const { pool, types, requests, ties, pods } = claim;
  const requirements = addRequirements(claim.requirements, pool.ofClass);
  const sorted = byPrice(types, claim.requirements, pool, catalogue.names).slice(0, MOST_TYPES);
  const places = placesOf(sorted, requirements, catalogue);
  const share = shareOf(requests, sorted[0]!, pool.nodes);
  const price = priceOf(claim);
  const { atMost, worst } = boundsOf(claim);
  return {
    nodePool: pool.name,
    instanceTypes: sorted.map((type) => catalogue.names[type]!),
    zones: places.zones,
    capacityTypes: places.capacityTypes,
    pods: pods.map(podOf),
    requests: amountsOf(requests),
    share,
    uses: usesOf(pods, share[0], { type: sorted[0]!, nodes: pool.nodes, price }),
    limitedBy: share[0]?.resource ?? null,
    price,
    ...(atMost === undefined ? {} : { atMost }),
    worst,
    ties: [...new Map(ties.map((tie) => [JSON.stringify(tie), { ...tie, instead: [...tie.instead] }])).values()],
  };
}

export function podOf({ shape, name }: SolverPod): { readonly namespace: string; readonly name: string } {
  return { namespace: shape.namespace, name };
}

export function amountsOf(amounts: Amounts): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, quantityText(name, amount)]));
}

/** Of the offerings of these types; what offerings do not say is what the requirements list. */
function placesOf(types: readonly number[], requirements: Requirements, { offerings, wellKnown }: Catalogue) {
  const zones = new Set<string>();
  const capacityTypes = new Set<string>();
  // Reservations are assumed anywhere, so they count only if they are asked for.
  const isReserved = listed(requirements, CAPACITY_TYPE).includes(RESERVED);
  for (const set of new Set(types.map((type) => offerings.of[type]!)))
    for (const offering of offerings.sets[set]!) {
      // A reservation without instances left launches none.
      if (
        !offering.available ||
        offering.reservationCapacity === 0 ||
        compatible(requirements, offering.requirements, wellKnown) !== undefined
      )
        continue;
      const own = offering.requirements.get(CAPACITY_TYPE)?.values;
      if (own?.has(RESERVED) === true && !isReserved) continue;
      for (const zone of offering.requirements.get(ZONE)?.values ?? listed(requirements, ZONE)) zones.add(zone);
      for (const capacity of own ?? usual(requirements)) capacityTypes.add(capacity);
    }
  return { zones: [...zones].toSorted(), capacityTypes: [...capacityTypes].toSorted() };
}

function listed(requirements: Requirements, key: string): readonly string[] {
  const requirement = requirements.get(key);
  return requirement === undefined || requirement.complement ? [] : [...requirement.values];
}

function usual(requirements: Requirements): readonly string[] {
  const requirement = requirements.get(CAPACITY_TYPE);
  const known = KNOWN_VALUES[CAPACITY_TYPE] ?? [];
  return known.filter((value) => value !== RESERVED && (requirement === undefined || has(requirement, value)));
}

/** @param type the cheapest */
function shareOf(requests: Amounts, type: number, nodes: Catalogue): DescribedClaim["share"] {
  const { of } = allocatableTypes(nodes);
  const shares = [...requests].flatMap(([resource, amount]) => {
    const all = of(resource, type);
    if (all <= 0n || amount <= 0n) return [];
    return [{ resource, part: partOf(amount, all) }];
  });
  return shares.toSorted((a, b) => b.part - a.part);
}

/** Of its cheapest type; null without a known price. */
export function priceOf({ pool: { prices, ofClass }, types, requirements }: PlannedClaim): DescribedClaim["price"] {
  return prices === undefined ? null : moneyOf(prices.cheapest(types, addRequirements(requirements, ofClass)), prices);
}

/**
 * What the node costs at most, whichever of its types is launched; and what its cheapest type costs at most, if only Spot
 * without a price is launched.
 */
export function boundsOf({ pool: { prices, ofClass }, types, requirements }: PlannedClaim): {
  readonly atMost?: Money;
  readonly worst: Money | null;
} {
  if (prices === undefined) return { worst: null };
  const asked = addRequirements(requirements, ofClass);
  const worst = moneyOf(prices.dearest(types, asked), prices);
  if (worst === null || prices.cheapest(types, asked) !== undefined) return { worst };
  const atMost = moneyOf(prices.cheapest(types, onDemandOnly(asked)), prices);
  return atMost === null ? { worst } : { atMost, worst };
}

type Money = NonNullable<DescribedClaim["price"]>;

function moneyOf(price: Price | undefined, { origin }: { readonly origin: PriceOrigin }): Money | null {
  if (price === undefined) return null;
  const { type, perHour, capacityType } = price;
  return {
    hourly: rounded(perHour),
    monthly: rounded(perHour * HOURS_A_MONTH),
    ...unitOf(origin),
    basis: `${type}${capacityType === undefined ? "" : `, ${capacityType}`}`,
  };
}

/** The cheapest type, and what it costs. */
interface CheapestNode {
  readonly type: number;
  readonly nodes: Catalogue;
  readonly price: DescribedClaim["price"];
}

function usesOf(
  pods: readonly SolverPod[],
  scarcest: DescribedClaim["share"][number] | undefined,
  { type, nodes, price }: CheapestNode,
): DescribedClaim["uses"] {
  const { resource = "" } = scarcest ?? {};
  const all = allocatableTypes(nodes).of(resource, type);
  const share = sharesOf(pods, scarcest?.resource);
  return [...Map.groupBy(pods, ({ demand }) => demand)].map(([demand, own]) => ({
    namespace: namespaceOf(demand.resource),
    name: demand.resource.name,
    pods: own.length,
    part: scarcest === undefined ? 0 : partOf((demand.requests.get(resource) ?? 0n) * BigInt(own.length), all),
    hourlyEach: price === null ? null : rounded(price.hourly * share(demand)),
  }));
}

/** What one of these pods costs on its node (docs/plan.md#what-a-pod-costs); null without a known price. */
export function priceOfPod(claim: PlannedClaim, demand: SolverPod["demand"]) {
  const { price, share } = sharedPrice(claim);
  if (price === null) return null;
  const hourly = price.hourly * share(demand);
  return { ...price, hourly: rounded(hourly), monthly: rounded(hourly * HOURS_A_MONTH) };
}

const sharedPrice = memoizeByObject((claim: PlannedClaim) => {
  const { pods, pool, types, requirements, requests } = claim;
  const [type] = byPrice(types, requirements, pool, pool.nodes.names);
  const [scarcest] = shareOf(requests, type!, pool.nodes);
  return { price: priceOf(claim), share: sharesOf(pods, scarcest?.resource) };
});

/** Of what the pods of the node request of its scarcest resource; without requests, all have the same share. */
function sharesOf(pods: readonly SolverPod[], resource = ""): (demand: SolverPod["demand"]) => number {
  const requested = (of: SolverPod["demand"]): bigint => of.requests.get(resource) ?? 0n;
  const all = pods.reduce((sum, pod) => sum + requested(pod.demand), 0n);
  return (demand) => (all === 0n ? 1 / pods.length : Number(requested(demand)) / Number(all));
}

function partOf(amount: bigint, all: bigint): number {
  return Number((amount * 10_000n) / all) / 10_000;
}

export function rounded(amount: number): number {
  return Number(amount.toFixed(PRICE_DIGITS));
}
