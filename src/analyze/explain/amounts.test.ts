/** Amounts of resources in words and as quantities. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseQuantity } from "../../model/values/quantity.ts";
import { amountText, numberText, quantityText } from "./amounts.ts";

it.each<[resource: string, given: string, words: string, number: string, exact: string]>([
  ["cpu", "1", "1 CPU", "1", "1"],
  ["cpu", "40", "40 CPUs", "40", "40"],
  ["cpu", "15890m", "15.89 CPUs", "15.89", "15890m"],
  ["cpu", "1n", "less than 0.001 CPUs", "less than 0.001", "1n"],
  ["cpu", "1500u", "0.001 CPUs", "0.001", "1500u"],
  ["cpu", "0", "0 CPUs", "0", "0"],
  ["memory", "64Gi", "64Gi of memory", "64Gi", "64Gi"],
  ["memory", "14103Mi", "13.772Gi of memory", "13.772Gi", "14103Mi"],
  ["memory", "1000", "1000 of memory", "1000", "1000"],
  ["memory", "512m", "0.512 of memory", "0.512", "512m"],
  ["hugepages-2Mi", "4Mi", "4Mi of hugepages-2Mi", "4Mi", "4Mi"],
  ["pods", "1", "1 pod", "1", "1"],
  ["nvidia.com/gpu", "8", "8 nvidia.com/gpu", "8", "8"],
])("%s %s", (resource, given, words, number, exact) => {
  const { nano } = parseQuantity(given)!;
  expect([amountText(resource, nano), numberText(resource, nano), quantityText(resource, nano)]).toStrictEqual([
    words,
    number,
    exact,
  ]);
});

it("is exact for programs", () => {
  const property = fc.property(
    fc.constantFrom("cpu", "memory"),
    fc.bigInt({ min: 0n, max: 2n ** 80n }),
    (resource, nano) => {
      expect(parseQuantity(quantityText(resource, nano))?.nano).toBe(nano);
    },
  );
  fc.assert(property, { numRuns: 300 });
});
