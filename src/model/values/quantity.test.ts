/** Quantities compared with the results of apimachinery v0.36.3. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check } from "../schema/validate.ts";
import { compareQuantities, parseQuantity, QUANTITY_PATTERN, quantitySchema } from "./quantity.ts";

const MAX_BINARY = 9_223_372_036_854_775_807_000_000_000n;

/** Recorded from apimachinery, and compared with it on 60,000 random texts. */
const VALUES: [text: string, nano: bigint | undefined][] = [
  ["0", 0n],
  ["1", 1_000_000_000n],
  ["+1", 1_000_000_000n],
  ["-1.5", -1_500_000_000n],
  ["1.", 1_000_000_000n],
  [".5", 500_000_000n],
  ["000.5", 500_000_000n],
  ["1n", 1n],
  ["1u", 1000n],
  ["100m", 100_000_000n],
  ["1k", 1_000_000_000_000n],
  ["1M", 10n ** 15n],
  ["1G", 10n ** 18n],
  ["1T", 10n ** 21n],
  ["1P", 10n ** 24n],
  ["1E", 10n ** 27n],
  ["1Ki", 1024n * 10n ** 9n],
  ["1Mi", 2n ** 20n * 10n ** 9n],
  ["75Gi", 75n * 2n ** 30n * 10n ** 9n],
  ["0.5Gi", 2n ** 29n * 10n ** 9n],
  ["1Ti", 2n ** 40n * 10n ** 9n],
  ["1Pi", 2n ** 50n * 10n ** 9n],
  ["1Ei", 2n ** 60n * 10n ** 9n],
  ["1e3", 1_000_000_000_000n],
  ["1E3", 1_000_000_000_000n],
  ["12e-1", 1_200_000_000n],
  ["1.5e+2", 150_000_000_000n],
  // Below a nano any rest counts as one, away from zero.
  ["0.0000000001", 1n],
  ["-0.1n", -1n],
  ["1e-100", 1n],
  ["0e-100", 0n],
  ["1.0000000001", 1_000_000_001n],
  // Binary quantities stop at int64, decimal ones do not.
  ["7.9999Ei", 9_223_256_744_704_315_123_302_400_000n],
  ["8Ei", MAX_BINARY],
  ["-9Ei", -MAX_BINARY],
  ["9223372036854775807Ki", MAX_BINARY],
  ["10E", 10n ** 28n],
  // The exponent is cut to 32 bits, as upstream.
  ["1e4294967296", 1_000_000_000n],
  ["1e9223372036854775808", undefined],
  // Without digits: only if upstream does not parse the number again.
  ["", undefined],
  ["m", 0n],
  [".", 0n],
  ["Ki", 0n],
  ["Pi", undefined],
  [".e-10", undefined],
  ["1K", undefined],
  ["1KI", undefined],
  ["1e", undefined],
  ["1e+", undefined],
  ["1 ", undefined],
  [" 1", undefined],
  ["1,5", undefined],
  ["1.5.", undefined],
  ["--1", undefined],
  ["0x10", undefined],
  ["one", undefined],
];

describe("parseQuantity", () => {
  it.each(VALUES)("%j", (text, nano) => {
    expect(parseQuantity(text)?.nano).toBe(nano);
  });

  it("does not fill the memory for a large exponent", () => {
    expect(String(parseQuantity("1e2000000000")?.nano)).toHaveLength(1001);
  });
});

describe("compareQuantities", () => {
  const compare = (a: string, b: string): number =>
    compareQuantities(parseQuantity(a) ?? { nano: 0n }, parseQuantity(b) ?? { nano: 0n });

  it.each([
    ["1Gi", "1024Mi", 0],
    ["1", "1000m", 0],
    ["1G", "1Gi", -1],
    ["-1", "-2", 1],
    ["0", "-0", 0],
  ])("%s and %s", (a, b, expected) => {
    expect(compare(a, b)).toBe(expected);
  });

  it("orders whole numbers as numbers", () => {
    const number = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    fc.assert(fc.property(number, number, (a, b) => compare(`${a}`, `${b}`) === Number(a > b) - Number(a < b)));
  });
});

describe("quantitySchema", () => {
  const words = (value: unknown): string[] => check(quantitySchema, value).violations.map(({ message }) => message);
  const noQuantity = "which is not a Kubernetes quantity, such as 500m, 1.5 or 64Gi";
  const notInQuotes = 'put it in quotes as a Kubernetes quantity, such as "500m", "1.5" or "64Gi"';

  it.each([
    [16, []],
    ["16", []],
    ["1.5", []],
    ["64Gi", []],
    ["1e3", []],
    ["-1", []],
    ["64GB", [`is "64GB", ${noQuantity}`]],
    ["", [`is "", ${noQuantity}`]],
    ["m", [`is "m", ${noQuantity}`]],
    [1.5, [`is 1.5: ${notInQuotes}`]],
    [true, [`is true: ${notInQuotes}`]],
  ])("%j", (value, expected) => {
    expect(words(value)).toEqual(expected);
  });

  it("accepts nothing that parseQuantity cannot read, but for fractions in the exponent", () => {
    const text = fc.stringMatching(new RegExp(QUANTITY_PATTERN));
    fc.assert(fc.property(text, (given) => parseQuantity(given) !== undefined || /[eE].*(\.|\d{3})/.test(given)));
  });
});
