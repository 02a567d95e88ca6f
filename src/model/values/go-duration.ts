/** Converts Go's durations, such as `1h30m`, to nanoseconds and back, exactly as Go does. */
import { memoizeString } from "../../krm/values/memoize-string.ts";
import { withoutEnding } from "../../krm/values/without-ending.ts";

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  "\u00b5s": 1000n, // micro sign
  "\u03bcs": 1000n, // Greek letter mu
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const LIMIT = 2n ** 63n;

/**
 * The duration in nanoseconds, as time.ParseDuration reads it; undefined if Go would refuse the text, also because the
 * number is too large.
 */
export const parseGoDuration = memoizeString((text): bigint | undefined => {
  const negative = text.startsWith("-");
  let rest = /^[+-]/.test(text) ? text.slice(1) : text;
  if (rest === "0") return 0n;
  if (rest === "") return undefined;
  let total = 0n;
  while (rest !== "") {
    const match = /^([0-9]*)(?:\.([0-9]*))?([^.0-9]+)/.exec(rest);
    if (match === null) return undefined;
    const [all, whole = "", fraction = "", unitName = ""] = match;
    const unit = Object.hasOwn(UNITS, unitName) ? UNITS[unitName] : undefined;
    if (unit === undefined || whole + fraction === "") return undefined;
    const value = BigInt(whole || "0") * unit;
    if (value > LIMIT) return undefined;
    total += value + fractionOf(fraction, unit);
    if (total > LIMIT) return undefined;
    rest = rest.slice(all.length);
  }
  if (negative) return -total;
  return total === LIMIT ? undefined : total;
});

/** The same in whole milliseconds, as JavaScript counts time. */
export function parseGoMilliseconds(text: string): number | undefined {
  const nanoseconds = parseGoDuration(text);
  return nanoseconds === undefined ? undefined : Number(nanoseconds / 1_000_000n);
}

/** Go computes the fraction in floating point and stops reading digits before they overflow; this does the same. */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    if (value > (LIMIT - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > LIMIT) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0n : BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/**
 * As Duration.String writes it: `2m0s`, `1.5s`, `100ms`, `0s`; the largest unit below a second, else hours, minutes and
 * seconds.
 */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < 1000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${withFraction(size, 1000n)}\u00b5s`;
  if (size < 1_000_000_000n) return `${sign}${withFraction(size, 1_000_000n)}ms`;
  const second = 1_000_000_000n;
  const minutes = size / (60n * second);
  const seconds = `${withFraction(size % (60n * second), second)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** `size` in `unit`, with as many decimal places as needed. */
function withFraction(size: bigint, unit: bigint): string {
  const width = String(unit).length - 1;
  const fraction = withoutEnding(String(size % unit).padStart(width, "0"), "0");
  return fraction === "" ? String(size / unit) : `${size / unit}.${fraction}`;
}
