/** Tests the ranges in which Karpenter can generate a number, and those in which it panics. */
import { expect, it } from "vitest";
import { canGenerateValue } from "./generated-value.ts";
import { requirementsOf } from "./requirements.ts";

const KEY = "example.com/tier";

it.each([
  [[["Exists"]], true],
  [[["NotIn", "0"]], true],
  [[["In", "a"]], true],
  [[["DoesNotExist"]], true],
  [[["Lt", "1"]], true],
  [[["Lt", "0"]], false],
  [[["Lte", "0"]], true],
  [[["Lte", "9223372036854775806"]], true],
  [[["Lte", "9223372036854775807"]], false],
  [[["Gte", "9223372036854775806"]], true],
  [[["Gte", "9223372036854775807"]], false],
  [
    [
      ["Gt", "5"],
      ["Lt", "7"],
    ],
    true,
  ],
  [
    [
      ["Gt", "5"],
      ["Lt", "6"],
    ],
    true,
  ],
  [
    [
      ["Gte", "5"],
      ["Lte", "9223372036854775807"],
    ],
    true,
  ],
] as const)("%j: %s", (entries, survives) => {
  const merged = requirementsOf(
    entries.map(([operator, ...values]) => ({ key: KEY, operator, ...(values.length > 0 ? { values } : {}) })),
  );
  expect(canGenerateValue(merged.get(KEY)!)).toBe(survives);
});
