/** Integers as Go's strconv.Atoi reads them: text in, value and validity out. */

export const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

/**
 * Base 10 with an optional sign, no spaces. What is no number gives 0, what overflows the nearest bound: both invalid.
 * Go reads the digits into 64 bits and stops where they overflow, so that it never sees what follows them.
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

/** A sum as Go's int has it: past one end it goes on at the other. */
export function wrapped(sum: bigint): bigint {
  return BigInt.asIntN(64, sum);
}
