/** Prices in words: an amount with its currency, and what prices are of. */
/** After the point: more than any price has, and enough for a share of one. */
export const PRICE_DIGITS = 6;

/** `$0.0042`, and `4.217 CNY`: the sign of the yuan is that of the yen. */
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

/** A month, in hours: 365 days have twelve of them. */
export const HOURS_A_MONTH = 730;

/** `$1,204`, and `$70.08` of less than a hundred: what a month costs. */
export function monthWords(amount: number, currency: string): string {
  const text = amount < 100 ? String(Number(amount.toFixed(2))) : Math.round(amount).toLocaleString("en-US");
  return currency === "USD" ? `$${text}` : `${text} ${currency}`;
}
