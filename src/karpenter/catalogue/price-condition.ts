/** Parses a `--where` condition on the hourly price of an instance type. */
import type { NodeSelectorRequirement } from "../../model/requirement.ts";
import type { TypePrices } from "./type-prices.ts";

/** Whether an instance type meets it. */
export type PriceCondition = (type: string, prices: TypePrices) => boolean;

const KEYS = { price: "onDemand", "spot-price": "spot" } as const;

export function isPriceKey(key: string): key is keyof typeof KEYS {
  return Object.hasOwn(KEYS, key);
}

/**
 * A type without a price meets only `!price`.
 *
 * @param text as typed
 */
export function priceCondition(
  text: string,
  key: keyof typeof KEYS,
  { operator, values }: NodeSelectorRequirement,
): { readonly price: PriceCondition } | { readonly problem: string } {
  const price = (type: string, prices: TypePrices): number | undefined => prices[KEYS[key]].get(type);
  if (operator === "DoesNotExist") return { price: (type, prices) => price(type, prices) === undefined };
  if (operator === "Exists") return { price: (type, prices) => price(type, prices) !== undefined };
  const [given = "", ...others] = values ?? [];
  if (others.length > 0 || !/^\d+(?:\.\d+)?$/.test(given))
    return {
      problem: `${JSON.stringify(text)} compares with ${JSON.stringify(values?.join(",") ?? "")}, which is not a price: write a number such as 0.5`,
    };
  const compare = COMPARISONS[operator];
  const amount = Number(given);
  return {
    price: (type, prices) => {
      const own = price(type, prices);
      return own !== undefined && compare(own, amount);
    },
  };
}

const COMPARISONS: Readonly<
  Record<Exclude<NodeSelectorRequirement["operator"], "Exists" | "DoesNotExist">, (a: number, b: number) => boolean>
> = {
  In: (a, b) => a === b,
  NotIn: (a, b) => a !== b,
  Gt: (a, b) => a > b,
  Gte: (a, b) => a >= b,
  Lt: (a, b) => a < b,
  Lte: (a, b) => a <= b,
};
