/** The prices of a pool's instance types as text, with region and date. */
import type {
  DescribedDemand,
  DescribedPool,
  DescribedPrice,
  DescribedSpread,
  PoolSummary,
} from "../../analyze/explain/pool-answer.ts";
import { isSame } from "./demand-words.ts";
import { counted } from "../../krm/values/counted.ts";
import { moneyWords, placeOfPrices } from "../../model/values/money.ts";

type Fact = readonly [name: string, text: string];

/** Each price is shown with its type; the line below has region and date. */
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

/** The lowest price per hour; undefined if no price is known. */
export function priceFrom({ prices }: Pick<PoolSummary, "prices">): string | undefined {
  const cheapest = prices?.perHour?.cheapest;
  return cheapest === undefined ? undefined : moneyWords(cheapest.price, prices!.currency);
}

/** Why a list of on-demand prices does not cover a pool that takes only Spot. */
function onlyOnDemand(requirements: DescribedPool["requirements"]): string {
  const capacity = requirements.find(({ key }) => key === "karpenter.sh/capacity-type")?.set;
  return capacity?.operator === "In" && !capacity.values.includes("on-demand") ? " but on demand" : "";
}

/** The cost of an entry: without it, the pool could launch a cheaper type. Empty if it costs nothing. */
export function costWords(entry: DescribedDemand, { prices }: Pick<DescribedPool, "prices">): string {
  const cost = prices?.costs.find((one) => isSame(one, entry));
  return cost === undefined ? "" : `without it from ${priceWords(cost, prices!.currency)}`;
}

function spreadWords({ cheapest, median, dearest }: DescribedSpread, currency: string): string {
  const words = (price: DescribedPrice): string => priceWords(price, currency);
  if (cheapest.price === dearest.price) return words(cheapest);
  return `${words(cheapest)} to ${words(dearest)}, median ${words(median)}`;
}

/** On demand is the default of list prices, so it is not shown. */
export function priceWords({ type, price, capacityType }: DescribedPrice, currency: string): string {
  const how = capacityType === null || capacityType === "on-demand" ? "" : `, ${capacityType}`;
  return `${moneyWords(price, currency)} (${type}${how})`;
}

const NAMES_SHOWN = 3;

function named(types: readonly string[]): string {
  return types.length <= NAMES_SHOWN ? types.join(", ") : counted(types.length, "type");
}
