/** The facts that also decide about a pool's nodes, such as labels, taints, zones and prices. */
import type {
  DescribedBound,
  DescribedKey,
  DescribedLimit,
  DescribedPool,
  PoolSummary,
  DescribedDemand,
  DescribedPrice,
  DescribedSpread,
} from "../../analyze/explain/pool-answer.ts";
import { counted } from "../../krm/values/counted.ts";
import { placeText } from "../../krm/places/location.ts";
import { DEFAULT_BUDGET_NODES } from "../../model/pools/disruption-reasons.ts";
import { DEFAULT_EXPIRY } from "../../model/values/durations.ts";
import type { Fact } from "../blocks/blocks.ts";
import { isSame } from "./verdict-words.ts";
import { type MoneyUnit, moneyWords, placeOfPrices } from "../../model/values/money.ts";

/** Each fact with its name; those without a value are left out by renderers. */
export function factsOf(pool: DescribedPool): Fact[] {
  return [
    ["capacity type", capacityTypes(pool)],
    ["zones", zones(pool)],
    ["limits", (pool.limits ?? []).map(limitWords)],
    ...priceFacts(pool),
    ["node labels", labels(pool.requirements)],
    ["taints", pool.taints.join(", ")],
    ["node class", pool.nodeClass],
    ["bounds", (pool.bounds ?? []).map(boundWords)],
    ["policy", policyWords(pool)],
    ["Ready", pool.ready?.status ?? ""],
    ["order", `${String(pool.order.place)} of ${String(pool.order.of)}, weight ${String(pool.weight)}`],
  ];
}

function limitWords(limit: DescribedLimit): string {
  return `${limit.resource} ${limit.limit} (${placeText(limit)}): ${counted(limit.types, "instance type")} too large`;
}

/** In short: the budgets themselves show their reasons. */
function boundWords(bound: DescribedBound): string {
  const { field, given, value, unreadable, by } = bound;
  const name = field.includes("budgets") ? "Drifted budget" : field.slice(field.lastIndexOf(".") + 1);
  const own = unreadable === undefined ? given : "what Karpenter cannot read";
  const instead = own === null ? `not ${STANDARD[name] ?? "Karpenter's own"}` : `not ${own} (${placeText(bound)})`;
  return `${name} ${value} (${placeText(by)}), ${instead}`;
}

/** Karpenter's defaults for fields that a pool leaves out. */
const STANDARD: Readonly<Record<string, string>> = {
  expireAfter: `Karpenter's ${DEFAULT_EXPIRY}`,
  terminationGracePeriod: "as long as pods hold the node",
  "Drifted budget": `Karpenter's ${DEFAULT_BUDGET_NODES}`,
};

function policyWords({ policy, underPolicy, instanceTypes }: DescribedPool): string {
  if (underPolicy === undefined) return policy === null ? "no policy was read" : "";
  switch (underPolicy.verdict) {
    case "within":
      return "within: the pool admits nothing that the policy does not";
    case "narrowed":
      // If the instance types are unknown, so is their number.
      return instanceTypes.total === 0
        ? "outside: under it a part of what the pool asks for would be left"
        : `outside: under it ${counted(underPolicy.compatible, "instance type")} would be left`;
    case "unsatisfiable":
      return "outside: under it the pool would get no nodes";
    case "bypassed":
      return "outside: under it the pool would still get nodes that the policy does not admit";
  }
}

/** Whether its instance types are those of EC2. */
export function isOfAmazon({ name }: PoolSummary["provider"]): boolean {
  return name === "aws" || name === "eks-auto";
}

/** Without a requirement AWS launches the cheapest capacity type (docs/upstream/karpenter.md#capacity-types). */
export function capacityTypes({ requirements, provider }: Pick<PoolSummary, "requirements" | "provider">): string {
  const asked = requirements.find(({ key }) => key === "karpenter.sh/capacity-type");
  if (asked === undefined) return isOfAmazon(provider) ? "any: reserved, then spot, then on-demand" : "any";
  return asked.set.operator === "In" ? asked.set.values.join(", ") : asked.effective;
}

/** Names of Local Zones contain the city: us-east-1-bos-1a. */
const LOCAL_ZONE = /^[a-z]+(?:-[a-z]+)+-\d+-[a-z]+-\d+[a-z]$/;

function zones({ zones: { allowed, excluded }, requirements }: PoolSummary): string {
  if (allowed.length + excluded.length === 0)
    return requirements.find(({ key }) => key === "topology.kubernetes.io/zone")?.set.values.join(", ") ?? "";
  const local = excluded.filter((zone) => LOCAL_ZONE.test(zone));
  const others = excluded.filter((zone) => !LOCAL_ZONE.test(zone));
  return [
    allowed.join(", ") || "none",
    ...(others.length > 0 ? [`left out: ${others.join(", ")}`] : []),
    ...(local.length > 0 ? [`Local Zones left out: ${local.join(", ")}`] : []),
  ].join("; ");
}

/** In short, for a column: those that are left, or `any`. */
export function zonesLeft(pool: PoolSummary): string {
  return zones(pool).split("; ", 1)[0] || "any";
}

function labels(requirements: readonly DescribedKey[]): string {
  return requirements
    .flatMap(({ key, entries }) =>
      entries.filter(({ from }) => from === "label").map(({ requirement }) => [key, requirement]),
    )
    .map(([key, requirement]) => `${key!}=${/^In \[(.*)\]$/.exec(requirement!)?.[1] ?? ""}`)
    .join(", ");
}

/** Each price is shown with its type; the line below has region and date. */
function priceFacts({ prices, requirements }: Pick<DescribedPool, "prices" | "requirements">): Fact[] {
  if (prices === null) return [];
  const { perHour, perVcpu, unpriced } = prices;
  const of = placeOfPrices(prices);
  const own = prices.insteadOf === undefined ? "" : "; anp catalogue build brings its own";
  if (perHour === null && prices.atMost !== undefined)
    return [
      ["price an hour", `at most ${spreadWords(prices.atMost, prices)} (on demand; Spot costs less)`],
      ["prices of", `${of}${own}`],
    ];
  if (perHour === null) return [["price", `none is known${onlyOnDemand(requirements)} (${of})`]];
  const missing = unpriced.length === 0 ? "" : `; none of ${named(unpriced)}`;
  return [
    ["price an hour", spreadWords(perHour, prices)],
    ["per vCPU", perVcpu === null ? "" : spreadWords(perVcpu, prices)],
    ["prices of", `${of}${own}${missing}`],
  ];
}

/** The lowest price per hour; undefined if no price is known. For Spot without a price `≤ $0.0042`, as on demand. */
export function priceFrom({ prices }: Pick<PoolSummary, "prices">): string | undefined {
  if (prices === null) return undefined;
  const { perHour, atMost } = prices;
  if (perHour !== null) return moneyWords(perHour.cheapest.price, prices);
  return atMost === undefined ? undefined : `≤ ${moneyWords(atMost.cheapest.price, prices)}`;
}

/** Why a list of on-demand prices does not cover a pool that takes only Spot. */
function onlyOnDemand(requirements: DescribedPool["requirements"]): string {
  const capacity = requirements.find(({ key }) => key === "karpenter.sh/capacity-type")?.set;
  return capacity?.operator === "In" && !capacity.values.includes("on-demand") ? " but on demand" : "";
}

/** The cost of an entry: without it, the pool could launch a cheaper type. Empty if it costs nothing. */
export function costWords(entry: DescribedDemand, { prices }: Pick<DescribedPool, "prices">): string {
  const cost = prices?.costs.find((one) => isSame(one, entry));
  return cost === undefined ? "" : `without it from ${priceWords(cost, prices!)}`;
}

/** `$0.0042 (t3.nano) to $1.2 (m5.metal), median $0.1 (m5.large)`. */
export function spreadWords({ cheapest, median, dearest }: DescribedSpread, unit: MoneyUnit): string {
  const words = (price: DescribedPrice): string => priceWords(price, unit);
  if (cheapest.price === dearest.price) return words(cheapest);
  return `${words(cheapest)} to ${words(dearest)}, median ${words(median)}`;
}

/** On demand is the default of list prices, so it is not shown. */
export function priceWords({ type, price, capacityType }: DescribedPrice, unit: MoneyUnit): string {
  const how = capacityType === null || capacityType === "on-demand" ? "" : `, ${capacityType}`;
  return `${moneyWords(price, unit)} (${type}${how})`;
}

const NAMES_SHOWN = 3;

function named(types: readonly string[]): string {
  return types.length <= NAMES_SHOWN ? types.join(", ") : counted(types.length, "type");
}
