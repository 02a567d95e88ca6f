/** Kubernetes quantities, such as `100m`, `75Gi` or `1e3`, as exact numbers. */
import * as z from "zod/mini";
import { memoizeString } from "../../krm/values/memoize-string.ts";
import { withKeywords } from "../schema/keywords.ts";

/** A number in units of 10⁻⁹, the finest that Kubernetes keeps. */
export interface Quantity {
  readonly nano: bigint;
}

/** The pattern of CRDs for a quantity written as a string; narrower than what apimachinery parses. */
export const QUANTITY_PATTERN =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

/** A quantity as the API server accepts it: an integer, or a string of `QUANTITY_PATTERN`. */
export const quantitySchema = withKeywords(
  z.union(
    [
      z.int(),
      z
        .string()
        .check(
          z.regex(new RegExp(QUANTITY_PATTERN), { error: "is not a Kubernetes quantity, such as 500m, 1.5 or 64Gi" }),
        ),
    ],
    {
      error: 'put it in quotes as a Kubernetes quantity, such as "500m", "1.5" or "64Gi"',
    },
  ),
  { "x-kubernetes-int-or-string": true },
);

const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** Binary quantities stop here, as upstream; decimal ones may be larger. */
const MAX_BINARY = (2n ** 63n - 1n) * 10n ** 9n;

/** No amount on a node has so many digits. Upstream continues to 2³¹ and would fill the memory with zeros. */
const MAX_EXPONENT = 1000;

/**
 * The number as apimachinery's resource.Quantity reads it, rounded away from zero to 10⁻⁹; undefined if apimachinery
 * would refuse the text.
 */
export const parseQuantity = memoizeString((text): Quantity | undefined => {
  const match = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]+[+-]?[0-9]*|[+-][0-9]*)?$/.exec(text);
  if (match === null || text === "") return undefined;
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match;
  const unit = unitOf(suffix);
  if (unit === undefined) return undefined;
  // Upstream reads a lone suffix ("m", ".") as 0, but only on its fast path.
  if (whole + fraction === "" && !isFast(unit)) return undefined;
  const digits = BigInt(`${whole}${fraction}` || "0");
  const magnitude =
    unit.base === 2 ? binary(digits, fraction.length, unit.exponent) : decimal(digits, unit.exponent - fraction.length);
  return { nano: sign === "-" ? -magnitude : magnitude };
});

/** Whether upstream takes endless time to parse, compare or add it, even if the number is 0. */
export function isEndlessQuantity(text: string): boolean {
  const unit = unitOf(/[eE][+-]?[0-9]+$/.exec(text)?.[0] ?? "");
  return unit !== undefined && Math.abs(unit.exponent) > MAX_EXPONENT;
}

/** Negative, zero or positive, as `a` is smaller than, equal to or larger than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.nano === b.nano) return 0;
  return a.nano < b.nano ? -1 : 1;
}

interface Unit {
  readonly base: 2 | 10;
  readonly exponent: number;
}

function unitOf(suffix: string): Unit | undefined {
  if (Object.hasOwn(DECIMAL, suffix)) return { base: 10, exponent: DECIMAL[suffix] ?? 0 };
  if (Object.hasOwn(BINARY, suffix)) return { base: 2, exponent: BINARY[suffix] ?? 0 };
  if (!/^[eE][+-]?[0-9]+$/.test(suffix)) return undefined;
  const exponent = BigInt(suffix.slice(1).replace("+", ""));
  if (BigInt.asIntN(64, exponent) !== exponent) return undefined;
  // Upstream silently cuts the exponent to 32 bits.
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)) };
}

/** Whether upstream reads a number without digits in this unit as 0 (precision and scale allow an int64). */
function isFast({ base, exponent }: Unit): boolean {
  return base === 2 ? exponent <= 40 : exponent >= -9;
}

function decimal(digits: bigint, exponent: number): bigint {
  if (digits === 0n) return 0n;
  const places = exponent + 9;
  if (places >= 0) return digits * 10n ** BigInt(Math.min(places, MAX_EXPONENT));
  // Digits beyond its own length only count as a rest, which rounds to the smallest unit.
  if (-places > String(digits).length) return 1n;
  return divideUp(digits, 10n ** BigInt(-places));
}

function binary(digits: bigint, fractionDigits: number, exponent: number): bigint {
  const nano = divideUp(digits * 2n ** BigInt(exponent) * 10n ** 9n, 10n ** BigInt(fractionDigits));
  return nano > MAX_BINARY ? MAX_BINARY : nano;
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
