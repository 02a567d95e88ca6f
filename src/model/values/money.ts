/** Prices in sentences: amounts with their currency, and the region and date of prices. */
import * as z from "zod/mini";
import { memoize } from "../schema/memoize.ts";

/** As in ISO 4217. */
export const currencyCode = memoize(() =>
  z.string().check(z.regex(/^[A-Z]{3}$/, { error: "is not a currency: write three letters, such as USD" })),
);

/** Digits after the point: more than any price has, and enough for a share of one. */
export const PRICE_DIGITS = 6;

/** `$0.0042`, or `4.217 CNY`: the yuan shares its sign with the yen. */
export function moneyWords(amount: number, currency: string): string {
  const text = String(Number(amount.toFixed(PRICE_DIGITS)));
  return currency === "USD" ? `$${text}` : `${text} ${currency}`;
}

/** `us-east-1, 2026-07`. */
export function placeOfPrices({
  region,
  date,
}: {
  readonly region?: string | undefined;
  readonly date: string;
}): string {
  return `${region ?? "region not said"}, ${date}`;
}

/** The hours of a month: a twelfth of 365 days. */
export const HOURS_A_MONTH = 730;

/** The cost of a month: `$1,204`, or `$70.08` if it is less than a hundred. */
export function monthWords(amount: number, currency: string): string {
  const text = amount < 100 ? String(Number(amount.toFixed(2))) : Math.round(amount).toLocaleString("en-US");
  return currency === "USD" ? `$${text}` : `${text} ${currency}`;
}
