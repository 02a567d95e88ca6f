/** Tests prices of types that requirements allow, and types without a price. */
import { expect, it } from "vitest";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { requirementsOf } from "../requirements/requirements.ts";
import { priceIndex, type PriceOrder } from "./price-index.ts";
import { readCatalogue } from "./read-catalogue.ts";
import { maskOf } from "./type-mask.ts";

const offering = (capacity: string, zone: string, price?: number, available = true) => ({
  requirements: [
    { key: "karpenter.sh/capacity-type", operator: "In", values: [capacity] },
    { key: "topology.kubernetes.io/zone", operator: "In", values: [zone] },
  ],
  available,
  price,
});
const type = (name: string, vcpus: string, more: object) => ({
  name,
  requirements: [{ key: "karpenter.k8s.aws/instance-cpu", operator: "In", values: [vcpus] }],
  ...more,
});
const TYPES = [
  type("large", "8", {
    offerings: [offering("on-demand", "a", 0.4), offering("spot", "a", 0.2), offering("spot", "b", 0.1)],
  }),
  type("listed", "4", { price: 0.3, offerings: [offering("on-demand", "a"), offering("spot", "b")] }),
  type("small", "2", { offerings: [offering("on-demand", "a", 0.15), offering("spot", "a", 0.01, false)] }),
  type("unpriced", "2", { offerings: [offering("on-demand", "a")] }),
];
const read = readCatalogue(JSON.stringify({ source: "test", instanceTypes: TYPES }), "test.json");
if ("problem" in read) throw new Error(read.problem.message);
const { catalogue } = read;
const index = priceIndex(catalogue, catalogue.prices!);
const all = maskOf(catalogue.names.length, () => true);

const CAPACITY = "karpenter.sh/capacity-type";
const entry = (key: string, ...values: string[]): NodeSelectorRequirement => ({ key, operator: "In", values });
const told = (entries: readonly NodeSelectorRequirement[], order: PriceOrder = "perHour"): string[] => {
  const found = index.prices(all, requirementsOf(entries))[order];
  return found.map((price) => `${price.type} ${price.capacityType} ${price[order]}`);
};

it("returns the lowest price of all places of a type, cheapest first", () => {
  expect(told([])).toStrictEqual(["large spot 0.1", "small on-demand 0.15", "listed on-demand 0.3"]);
  expect(told([], "perVcpu")).toStrictEqual(["large spot 0.0125", "small on-demand 0.075", "listed on-demand 0.075"]);
});

it("uses only places that the pool allows", () => {
  expect(told([entry(CAPACITY, "on-demand")])).toStrictEqual([
    "small on-demand 0.15",
    "listed on-demand 0.3",
    "large on-demand 0.4",
  ]);
  expect(told([entry("topology.kubernetes.io/zone", "a")])).toStrictEqual([
    "small on-demand 0.15",
    "large spot 0.2",
    "listed on-demand 0.3",
  ]);
});

it("has Spot prices only from the catalogue", () => {
  expect(told([entry(CAPACITY, "spot")])).toStrictEqual(["large spot 0.1"]);
  expect(told([entry(CAPACITY, "reserved")])).toStrictEqual([]);
});

it("finds the cheapest of the remaining types", () => {
  const listed = maskOf(catalogue.names.length, (at) => catalogue.names[at] === "listed");
  expect(index.cheapest(listed, requirementsOf([]))).toMatchObject({ type: "listed", perHour: 0.3, perVcpu: 0.075 });
  expect(index.cheapest(listed, requirementsOf([entry(CAPACITY, "spot")]))).toBeUndefined();
});
