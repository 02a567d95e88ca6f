/** What a pool's instance types cost, in words: of which region, and from when. */
import type { DescribedPool } from "../../analyze/explain/describe-explanation.ts";
import type { DescribedDemand } from "../../analyze/explain/describe-demand.ts";
import type { DescribedPrice, DescribedSpread } from "../../analyze/explain/describe-prices.ts";
import type { PoolSummary } from "../../analyze/explain/summarize-pool.ts";
import { isSame } from "./same-demand.ts";
import { counted } from "../../krm/counted.ts";
import { moneyWords, placeOfPrices } from "../../model/money.ts";

type Fact = readonly [name: string, text: string];

/** Each figure stands with its type; the line below them says of which region and date they are. */
export function priceFacts({ prices, requirements }: Pick<DescribedPool, "prices" | "requirements">): Fact[] {
  if (prices === null) return [];
  const { perHour, perVcpu, currency, unpriced, region, date } = prices;
  const of = placeOfPrices({ region: region ?? undefined, date });
  if (perHour === null) return [["price", `none is known${onlyOnDemand(requirements)} (${of})`]];
  const missing = unpriced.length === 0 ? "" : `; none of ${named(unpriced)}`;
  return [
    ["price an hour", spreadWords(perHour, currency)],
    ["per vCPU", perVcpu === null ? "" : spreadWords(perVcpu, currency)],
    ["prices of", `${of}${missing}`],
  ];
}

/** Of the cheapest type an hour; undefined where nobody knows it. */
export function priceFrom({ prices }: Pick<PoolSummary, "prices">): string | undefined {
  const cheapest = prices?.perHour?.cheapest;
  return cheapest === undefined ? undefined : moneyWords(cheapest.price, prices!.currency);
}

/** Why a list of prices says nothing of a pool that takes Spot alone. */
function onlyOnDemand(requirements: DescribedPool["requirements"]): string {
  const capacity = requirements.find(({ key }) => key === "karpenter.sh/capacity-type")?.set;
  return capacity?.operator === "In" && !capacity.values.includes("on-demand") ? " but on demand" : "";
}

/** What an entry costs: without it the pool could launch a cheaper type. Nothing where it costs nothing. */
export function costWords(entry: DescribedDemand, { prices }: Pick<DescribedPool, "prices">): string {
  const cost = prices?.costs.find((one) => isSame(one, entry));
  return cost === undefined ? "" : `without it from ${priceWords(cost, prices!.currency)}`;
}

function spreadWords({ cheapest, median, dearest }: DescribedSpread, currency: string): string {
  const words = (price: DescribedPrice): string => priceWords(price, currency);
  if (cheapest.price === dearest.price) return words(cheapest);
  return `${words(cheapest)} to ${words(dearest)}, median ${words(median)}`;
}

/** On demand goes without saying: that is what list prices are. */
export function priceWords({ type, price, capacityType }: DescribedPrice, currency: string): string {
  const how = capacityType === null || capacityType === "on-demand" ? "" : `, ${capacityType}`;
  return `${moneyWords(price, currency)} (${type}${how})`;
}

const NAMES_SHOWN = 3;

function named(types: readonly string[]): string {
  return types.length <= NAMES_SHOWN ? types.join(", ") : counted(types.length, "type");
}
