/** Tests masks of instance types against sets of numbers, also at word boundaries. */
import { expect, test } from "vitest";
import { both, countTypes, either, haveCommon, includesType, indexesOf, isNone, maskOf, without } from "./type-mask.ts";

const SIZE = 70;
const A = [0, 1, 30, 31, 32, 63, 64, 69];
const B = [1, 2, 31, 33, 63, 69];

const masked = (types: readonly number[]) => maskOf(SIZE, (index) => types.includes(index));

test("intersection, difference and union", () => {
  const [a, b] = [masked(A), masked(B)];
  expect(indexesOf(both(a, b))).toStrictEqual([1, 31, 63, 69]);
  expect(indexesOf(without(a, b))).toStrictEqual([0, 30, 32, 64]);
  expect(indexesOf(either(a, b))).toStrictEqual([0, 1, 2, 30, 31, 32, 33, 63, 64, 69]);
  expect(haveCommon(a, b)).toBe(true);
  expect(haveCommon(masked([31]), masked([30, 32, 63]))).toBe(false);
});

test("numbers of types", () => {
  expect(countTypes(masked(A))).toBe(8);
  expect(countTypes(maskOf(SIZE, () => true))).toBe(SIZE);
  expect(countTypes(masked([]))).toBe(0);
  expect([isNone(masked([])), isNone(masked([31]))]).toStrictEqual([true, false]);
  expect(includesType(masked([31]), 31)).toBe(true);
});
