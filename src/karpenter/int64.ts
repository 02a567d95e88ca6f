/** Integers as Go's strconv.Atoi reads them: text in, value and validity out. */

export const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/** Base 10 with an optional sign, no spaces. What is no number gives 0, what overflows the nearest bound: both invalid. */
export function atoi(text: string): { value: bigint; valid: boolean } {
  if (!/^[+-]?\d+$/.test(text)) return { value: 0n, valid: false };
  const value = BigInt(text.replace(/^\+/, ""));
  if (value > MAX_INT64) return { value: MAX_INT64, valid: false };
  return value < MIN_INT64 ? { value: MIN_INT64, valid: false } : { value, valid: true };
}
