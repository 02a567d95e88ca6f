/** Reads integers as Go's strconv.Atoi does. */

export const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

/**
 * Base 10 with an optional sign, no spaces. A text that is not a number gives 0, an overflow the nearest bound: both
 * invalid. Go reads the digits into 64 bits and stops at an overflow, so it never sees the text after them.
 */
export function atoi(text: string): { value: bigint; valid: boolean } {
  const [, sign, digits, rest] = /^([+-]?)(\d+)([^]*)$/.exec(text) ?? [];
  if (digits === undefined) return { value: 0n, valid: false };
  const magnitude = BigInt(digits);
  if (rest !== "" && magnitude <= MAX_UINT64) return { value: 0n, valid: false };
  const value = sign === "-" ? -magnitude : magnitude;
  if (value > MAX_INT64) return { value: MAX_INT64, valid: false };
  return value < MIN_INT64 ? { value: MIN_INT64, valid: false } : { value, valid: true };
}

/** A sum as Go's int computes it: an overflow wraps around. */
export function wrapped(sum: bigint): bigint {
  return BigInt.asIntN(64, sum);
}
