/** Tests which types have enough resources: a missing one counts as 0, a negative fits no pod. */
import { describe, expect, it } from "vitest";
import { parseQuantity } from "../../model/values/quantity.ts";
import { catalogueOf } from "../catalogue/catalogue-of.ts";
import { allocatableTypes, type Amounts, largestOf, sumOf } from "./resources.ts";
import { indexesOf } from "../catalogue/type-mask.ts";

const type = (name: string, allocatable: Readonly<Record<string, string>>) => ({
  name,
  labels: new Map(),
  offerings: [],
  allocatable,
});

const catalogue = catalogueOf({ source: "test", date: "2026-11", wellKnown: new Set(), optional: new Set() }, [
  type("a", { cpu: "1930m", memory: "4Gi", pods: "29" }),
  type("b", { cpu: "4", memory: "8Gi", pods: "29", gpu: "1" }),
  type("c", { cpu: "16", memory: "-1Mi", pods: "29" }),
]);

const amounts = (given: Readonly<Record<string, string>>): Amounts =>
  new Map(Object.entries(given).map(([name, text]) => [name, parseQuantity(text)!.nano]));

describe("allocatableTypes", () => {
  const table = allocatableTypes(catalogue);

  it.each<[Record<string, string>, string[]]>([
    [{}, ["a", "b"]],
    [{ cpu: "1930m" }, ["a", "b"]],
    [{ cpu: "1931m" }, ["b"]],
    [{ cpu: "1", gpu: "1" }, ["b"]],
    [{ gpu: "0" }, ["a", "b"]],
    [{ unheardOf: "0" }, ["a", "b"]],
    [{ unheardOf: "1n" }, []],
    [{ cpu: "5" }, []],
  ])("for %j there are %j", (requests, names) => {
    const found = indexesOf(table.fitting(amounts(requests))).map((index) => catalogue.names[index]);
    expect(found).toStrictEqual(names);
  });

  it("returns the amounts of each type", () => {
    expect([0, 1, 2].map((index) => table.of("cpu", index))).toStrictEqual([
      1_930_000_000n,
      4_000_000_000n,
      16_000_000_000n,
    ]);
    expect([0, 1, 2].map((index) => table.of("gpu", index))).toStrictEqual([0n, 1_000_000_000n, 0n]);
  });

  it("is created once for each catalogue", () => {
    expect(allocatableTypes(catalogue)).toBe(table);
  });
});

it("adds and compares lists resource by resource", () => {
  const [a, b] = [amounts({ cpu: "1", memory: "4" }), amounts({ cpu: "2", gpu: "0" })];
  expect(sumOf([a, b])).toStrictEqual(amounts({ cpu: "3", memory: "4", gpu: "0" }));
  expect(sumOf([])).toStrictEqual(new Map());
  expect(largestOf(a, b)).toStrictEqual(amounts({ cpu: "2", memory: "4", gpu: "0" }));
});
