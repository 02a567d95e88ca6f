/** An explanation, its entries and prices as plain data for reports, with their places. */
import type {
  DescribedBound,
  DescribedPool,
  DescribedSet,
  DescribedUnderPolicy,
  KeySummary,
  PoolSummary,
  DescribedDemand,
  DescribedRequirement,
  DescribedOrigin,
  DescribedPrice,
  DescribedPrices,
  DescribedSpread,
  DescribedSpreads,
} from "./pool-answer.ts";
import {
  formatRequirement,
  operatorOf,
  type Requirement,
  sortedValues,
} from "../../karpenter/requirements/requirement.ts";
import type { PoolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import { withoutValues } from "../../krm/values/placeholders.ts";
import { formatFieldPath, valueAt } from "../../krm/places/field-path.ts";
import { fileLineOf } from "../../krm/places/location.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { PoolExplanation, KeyExplanation, UnknownPart } from "./explanation.ts";
import { entryWords } from "./unknown-parts.ts";
import { minValuesMissed } from "./why-no-nodes.ts";
import type { UnderPolicy } from "./under-policy.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import type { PriceOrigin } from "../../karpenter/catalogue/catalogue.ts";
import type { Price, PriceOrder } from "../../karpenter/catalogue/price-index.ts";
import { PRICE_DIGITS } from "../../model/values/money.ts";
import type { PoolPrices, PriceSpreads, Spread } from "./pool-prices.ts";

/**
 * Requirements are in Karpenter's print form, places are file and line.
 *
 * @param places of the hosted cluster's pools, as Karpenter tries them
 */
export function describeExplanation(explanation: PoolExplanation, { places, of }: PoolPlaces): DescribedPool {
  const { pool, prices } = explanation;
  const summary = summarizePool(explanation);
  const excluding = explanation.limits().filter(({ types }) => types > 0);
  const { name, hostedCluster, verdict, provider, instanceTypes, conflict, noNodes, zones } = summary;
  return {
    name,
    hostedCluster,
    verdict,
    ...(summary.unknown === undefined ? {} : { unknown: summary.unknown }),
    provider,
    ...fileLineOf(pool.wrapper, ["metadata", "name"]),
    policy: pool.policy === undefined ? null : fileLineOf(pool.policy, []),
    requirements: explanation.requirements.map(({ policy, user, outcome }, index) => {
      const { key, effective, set } = summary.requirements[index]!;
      return {
        key,
        policy: policy.map(({ requirement }) => formatRequirement(requirement)),
        user: user.map(({ requirement }) => formatRequirement(requirement)),
        effective,
        set,
        outcome,
        entries: [...policy, ...user].map(describeDemand),
      };
    }),
    instanceTypes,
    eliminated: explanation.eliminated().map(({ demand, types, only }) => ({ ...describeDemand(demand), types, only })),
    conflict,
    otherConflicts: explanation.otherConflicts().map((demands) => demands.map(describeDemand)),
    minValuesMissed: summary.minValuesMissed,
    noNodes,
    ...(summary.unread === undefined ? {} : { unread: summary.unread }),
    ...(excluding.length === 0 ? {} : { limits: excluding }),
    zones,
    prices: prices === undefined ? null : describePrices(prices),
    ...(pool.bounds.length === 0 ? {} : { bounds: describeBounds(pool) }),
    taints: (pool.spec.template.spec.taints ?? []).map(({ key, value, effect }) =>
      value === undefined || value === "" ? `${key}:${effect}` : `${key}=${value}:${effect}`,
    ),
    nodeClass: pool.nodeClassRef.name,
    weight: pool.spec.weight ?? 0,
    order: { place: places.get(pool.name) ?? 0, of },
  };
}

function describeBounds({ wrapper, bounds }: ResolvedPool): DescribedBound[] {
  return bounds.map(({ field, given = null, value, keeps, unreadable, by }) => ({
    field: formatFieldPath(field),
    given,
    value,
    ...(keeps === undefined ? {} : { keeps }),
    ...(unreadable === undefined ? {} : { unreadable }),
    ...fileLineOf(wrapper, field),
    by: fileLineOf(by.resource, by.path),
  }));
}

/** Requirements are in Karpenter's print form. */
export function summarizePool(explanation: PoolExplanation): PoolSummary {
  const { pool, verdict, unknown, instanceTypes, zones, prices } = explanation;
  return {
    name: pool.name,
    hostedCluster: pool.hostedCluster,
    verdict,
    ...(unknown.length === 0 ? {} : { unknown: unknown.map(describeUnknown) }),
    provider: { name: pool.provider.name, title: pool.provider.title },
    requirements: explanation.requirements.map(summarizeKey),
    instanceTypes: { total: instanceTypes.total, compatible: instanceTypes.names.length, names: instanceTypes.names },
    conflict: explanation.conflict.map(describeDemand),
    minValuesMissed: minValuesMissed(explanation),
    noNodes: explanation.noNodes.map(({ message }) => message),
    ...(explanation.unread.length === 0 ? {} : { unread: explanation.unread }),
    zones,
    prices:
      prices === undefined
        ? null
        : {
            ...unitOf(prices.origin),
            perHour: describeSpread(prices.perHour, "perHour"),
            ...withAtMost(prices.atMost),
          },
  };
}

function describeUnknown({ place, placeholder, from }: UnknownPart): NonNullable<DescribedPool["unknown"]>[number] {
  const { resource, path } = place;
  return {
    entry: entryWords(place),
    placeholder,
    from,
    ...fileLineOf({ ...resource, unknown: undefined }, path),
  };
}

function summarizeKey({ key, effective }: KeyExplanation): KeySummary {
  return { key, effective: formatRequirement(effective), set: describeSet(effective) };
}

export function describeUnderPolicy({ verdict, beyond, explanation }: UnderPolicy): DescribedUnderPolicy {
  return {
    verdict,
    compatible: explanation.instanceTypes.names.length,
    beyond: beyond.map(({ key, policy, user }) => ({
      key,
      policy: policy.map(describeDemand),
      user: user.map(describeDemand),
    })),
  };
}

function describeSet(requirement: Requirement): DescribedSet {
  return {
    operator: operatorOf(requirement),
    values: [...sortedValues(requirement)],
    gte: jsonNumber(requirement.gte),
    lte: jsonNumber(requirement.lte),
    minValues: requirement.minValues ?? null,
  };
}

function jsonNumber(value: bigint | undefined): number | string | null {
  if (value === undefined) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

export function describeDemand({ from, requirement, place }: PoolRequirement): DescribedDemand {
  const { key, requirement: words } = describeRequirement(requirement);
  const written = writtenBound(valueAt(place.resource.value, place.path));
  const shown = { key, from, requirement: words, ...(written === undefined ? {} : { written }) };
  return {
    ...withoutValues(shown, place.resource.filled, (part) => part === "from"),
    ...fileLineOf(place.resource, place.path),
  };
}

function writtenBound(entry: unknown): string | undefined {
  const { operator, values } = (entry ?? {}) as { operator?: unknown; values?: unknown };
  return typeof operator === "string" && BOUNDS.includes(operator) && Array.isArray(values)
    ? `${operator} ${values.join(" ")}`
    : undefined;
}

const BOUNDS: readonly string[] = ["Gt", "Gte", "Lt", "Lte"];

/** In Karpenter's print form. */
export function describeRequirement(requirement: Requirement): DescribedRequirement {
  return { key: requirement.key, requirement: formatRequirement(requirement) };
}

function describePrices({ origin, perHour, perVcpu, atMost, unpriced, cheaper }: PoolPrices): DescribedPrices {
  return {
    ...describeOrigin(origin),
    ...describeSpreads({ perHour, perVcpu }),
    ...withAtMost(atMost),
    unpriced,
    costs: [...cheaper()].map(([demand, price]) => ({ ...describeDemand(demand), ...describePrice(price, "perHour") })),
  };
}

export function withAtMost(of: Spread | undefined): Pick<DescribedPrices, "atMost"> {
  const atMost = describeSpread(of, "perHour");
  return atMost === null ? {} : { atMost };
}

export function describeOrigin({ source, region, date, ...unit }: PriceOrigin): DescribedOrigin {
  return { source, region: region ?? null, date, ...unitOf(unit) };
}

/** What amounts are in. */
export function unitOf({ currency, insteadOf }: Pick<PriceOrigin, "currency" | "insteadOf">) {
  return { currency, ...(insteadOf === undefined ? {} : { insteadOf }) };
}

export function describeSpreads({ perHour, perVcpu }: Pick<PriceSpreads, PriceOrder>): DescribedSpreads {
  return { perHour: describeSpread(perHour, "perHour"), perVcpu: describeSpread(perVcpu, "perVcpu") };
}

function describeSpread(of: Spread | undefined, unit: PriceOrder): DescribedSpread | null {
  if (of === undefined) return null;
  return {
    cheapest: describePrice(of.cheapest, unit),
    median: describePrice(of.median, unit),
    dearest: describePrice(of.dearest, unit),
  };
}

/** Rounds to the digits that prices have. The share of one vCPU may have more. */
export function describePrice(price: Price, unit: PriceOrder): DescribedPrice {
  const amount = Number((price[unit] ?? 0).toFixed(PRICE_DIGITS));
  return { type: price.type, price: amount, capacityType: price.capacityType ?? null };
}
