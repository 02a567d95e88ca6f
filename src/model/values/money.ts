/** Prices in sentences: amounts with their currency, and the region and date of prices. */
import * as z from "zod/mini";
import { memoize } from "../schema/memoize.ts";

/** As in ISO 4217. */
export const currencyCode = memoize(() =>
  z.string().check(z.regex(/^[A-Z]{3}$/, { error: "is not a currency: write three letters, such as USD" })),
);

/** Digits after the point: more than any price has, and enough for a share of one. */
export const PRICE_DIGITS = 6;

/** What an amount is in; with `insteadOf` it is of another region, and marked. */
export interface MoneyUnit {
  readonly currency: string;
  readonly insteadOf?: string | undefined;
}

/** `$0.0042`, or `4.217 CNY`: the yuan shares its sign with the yen. `≈ $0.0042` is a price of another region. */
export function moneyWords(amount: number, unit: string | MoneyUnit): string {
  return inUnit(String(Number(amount.toFixed(PRICE_DIGITS))), unit);
}

function inUnit(text: string, unit: string | MoneyUnit): string {
  const { currency, insteadOf } = typeof unit === "string" ? { currency: unit } : unit;
  const about = insteadOf === undefined ? "" : "≈ ";
  return `${about}${currency === "USD" ? `$${text}` : `${text} ${currency}`}`;
}

/** `us-east-1, 2026-07`, or `≈ list price of us-east-1 for eu-central-1, 2026-07`. */
export function placeOfPrices({
  region,
  date,
  insteadOf,
}: {
  readonly region?: string | null | undefined;
  readonly date: string;
  readonly insteadOf?: string | undefined;
}): string {
  const place = region ?? "region not said";
  return `${insteadOf === undefined ? place : `≈ list price of ${place} for ${insteadOf}`}, ${date}`;
}

/** The hours of a month: a twelfth of 365 days. */
export const HOURS_A_MONTH = 730;

/** `1,204`; `toLocaleString` loads the data of all languages first, 25 ms of a cold start. */
function inGroups(whole: number): string {
  const text = String(whole);
  const groups: string[] = [];
  for (let end = text.length; end > 0; end -= 3) groups.unshift(text.slice(Math.max(0, end - 3), end));
  return groups.join(",");
}

/** The cost of a month: `$1,204`, or `$70.08` if it is less than a hundred. */
export function monthWords(amount: number, unit: string | MoneyUnit): string {
  return inUnit(amount < 100 ? String(Number(amount.toFixed(2))) : inGroups(Math.round(amount)), unit);
}

/** `at best $280, at worst $1,204`; one amount if they are the same, or if the worst case is unknown. */
export function monthsBetween(best: number, worst: number | undefined, unit: string | MoneyUnit): string {
  const [least, most] = [monthWords(best, unit), monthWords(worst ?? best, unit)];
  return least === most ? least : `at best ${least}, at worst ${most}`;
}
