/** The costs of nodes before and after a change, nodes without prices, and replacements. */
import { describe, expect, it } from "vitest";
import type { Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import { offeredTypes } from "../../../karpenter/catalogue/reserved-capacity.ts";
import { priceIndex } from "../../../karpenter/catalogue/price-index.ts";
import { readCatalogue } from "../../../karpenter/catalogue/read-catalogue.ts";
import { requirementsOf } from "../../../karpenter/requirements/requirements.ts";
import { entry } from "../../../../test/support/instance-types.ts";
import { type NodeFacts, readNodeData } from "../../nodes/node-data.ts";
import type { NodeOutcome } from "../change-nodes.ts";
import { nodeCosts } from "./node-costs.ts";
import { type Launchable, possibleReplacements, type PricedTypes, priceOfNode } from "../../nodes/node-prices.ts";
import { priceEnvelope } from "./change-cost.ts";

const type = (name: string, cpu: number, memory: string, price: number | undefined, spot?: number) => ({
  name,
  requirements: [
    { key: "node.kubernetes.io/instance-type", operator: "In", values: [name] },
    { key: "karpenter.k8s.aws/instance-cpu", operator: "In", values: [String(cpu)] },
  ],
  allocatable: { cpu: String(cpu), memory, pods: "10" },
  ...(price === undefined ? {} : { price }),
  offerings: ["a", "b"].flatMap((zone) => [
    { requirements: placed(zone, "on-demand") },
    { requirements: placed(zone, "spot"), ...(zone === "a" && spot !== undefined ? { price: spot } : {}) },
  ]),
});
const placed = (zone: string, capacity: string) => [
  { key: "topology.kubernetes.io/zone", operator: "In", values: [zone] },
  { key: "karpenter.sh/capacity-type", operator: "In", values: [capacity] },
];

function catalogueOf(...instanceTypes: object[]): Catalogue {
  const open = { source: "test", prices: { region: "eu-west-1", currency: "EUR" }, instanceTypes };
  const read = readCatalogue(JSON.stringify(open), "test.json");
  if ("problem" in read) throw new Error(read.problem.message);
  return read.catalogue;
}

const catalogue = catalogueOf(
  type("big", 8, "32Gi", 0.4, 0.1),
  type("medium", 4, "16Gi", 0.2),
  type("small", 2, "8Gi", 0.1),
  type("unpriced", 1, "2Gi", undefined),
);
const priced: PricedTypes = { catalogue, prices: priceIndex(catalogue, catalogue.prices!) };

const offer = (...entries: string[]): Launchable => {
  const requirements = requirementsOf(entries.map(entry));
  return { types: offeredTypes(catalogue).compatible(requirements), remaining: { requirements } };
};

const POOL = "karpenter.sh/nodepool";

function node(name: string, labels: Record<string, string>, requests: object = {}): NodeFacts {
  const known = { [POOL]: "web", "karpenter.sh/capacity-type": "on-demand", "topology.kubernetes.io/zone": "b" };
  const metadata = { labels: { ...known, ...labels } };
  const value = { metadata, spec: { resources: { requests } } };
  return readNodeData([{ apiVersion: "karpenter.sh/v1", kind: "NodeClaim", name, value }])[0]!;
}
const of = (name: string, more: Record<string, string> = {}, requests: object = {}) =>
  node(`of-${name}`, { "node.kubernetes.io/instance-type": name, ...more }, requests);

describe("the price of a node", () => {
  it.each<[what: string, node: NodeFacts, price: number | undefined]>([
    ["its type on demand", of("medium"), 0.2],
    [
      "Spot, which has a price in its zone",
      of("big", { "karpenter.sh/capacity-type": "spot", "topology.kubernetes.io/zone": "a" }),
      0.1,
    ],
    ["Spot, which has none in its zone", of("big", { "karpenter.sh/capacity-type": "spot" }), undefined],
    ["a type without a price", of("unpriced"), undefined],
    ["an unknown type", of("m99.large"), undefined],
    ["a node that says no type", node("n", {}), undefined],
    ["one that says no capacity type", of("medium", { "karpenter.sh/capacity-type": "" }), undefined],
    ["reserved capacity", of("medium", { "karpenter.sh/capacity-type": "reserved" }), undefined],
    ["its own region", of("medium", { "topology.kubernetes.io/region": "eu-west-1" }), 0.2],
    ["another region", of("medium", { "topology.kubernetes.io/region": "us-east-1" }), undefined],
    ["Windows", of("medium", { "kubernetes.io/os": "windows" }), undefined],
  ])("%s", (_what, one, price) => {
    expect(priceOfNode(one, priced)?.perHour).toBe(price);
  });
});

describe("the cheapest and the dearest replacement", () => {
  const told = (requests: object, ...entries: string[]) => {
    const found = possibleReplacements(of("big", {}, requests), offer(...entries), priced);
    if (typeof found !== "object") return found;
    const [best, worst] = [found.best, found.worst].map(
      ({ type: name, capacityType, perHour }) => `${name} ${String(capacityType)} ${perHour}`,
    );
    return best === worst ? best : `${best} to ${worst}`;
  };

  it.each<[requests: object, entries: string[], told: string | undefined]>([
    [{}, ["capacity In on-demand"], "small on-demand 0.1 to big on-demand 0.4"],
    [{ cpu: "3" }, ["capacity In on-demand"], "medium on-demand 0.2 to big on-demand 0.4"],
    [{ cpu: "2", memory: "20Gi", pods: "3" }, ["capacity In on-demand"], "big on-demand 0.4"],
    [{ cpu: "3" }, [], "big spot 0.1 to big on-demand 0.4"],
    [{ cpu: "3" }, ["zone In b"], "medium on-demand 0.2 to big on-demand 0.4"],
    // Resources that a catalogue does not have, and disks.
    [
      { "example.com/dongle": "1", "ephemeral-storage": "1Ti" },
      ["capacity In on-demand"],
      "small on-demand 0.1 to big on-demand 0.4",
    ],
    [{ cpu: "none" }, ["capacity In on-demand"], "small on-demand 0.1 to big on-demand 0.4"],
    [{ cpu: "9" }, [], "none"],
    [{}, ["type In m99.large"], "none"],
    [{}, ["type In unpriced"], undefined],
    [{ pods: "11" }, [], "none"],
  ])("%j of %j: %s", (requests, entries, price) => {
    expect(told(requests, ...entries)).toBe(price);
  });
});

describe("the costs of nodes", () => {
  const nodes = [
    of("big"),
    node("stays", { "node.kubernetes.io/instance-type": "medium" }),
    node("goes", { "node.kubernetes.io/instance-type": "small" }),
    of("unpriced"),
  ];
  const fates: Readonly<Record<string, NodeOutcome>> = { "of-big": "replaced", goes: "removed" };
  const ask = (pool: Launchable | undefined, all = nodes) =>
    nodeCosts(
      all.map((one) => ({ node: one, outcome: fates[one.name] ?? "stays", offer: () => pool, priced })),
      priced.prices.origin,
    );

  it("sums up nodes with prices before and after, and names the others", () => {
    const { origin, replacements, ...told } = ask(offer("cpu Lt 5", "capacity In on-demand"));
    expect([origin.region, origin.currency]).toStrictEqual(["eu-west-1", "EUR"]);
    const { before, after, worst, ...others } = told;
    // medium stays, small goes, and big becomes small at best, and medium at worst.
    expect([before, after, worst].map((sum) => sum.toFixed(6))).toStrictEqual(["0.700000", "0.300000", "0.400000"]);
    const spot = { before: 0, after: 0, worst: 0, nodes: 0 };
    expect(others).toStrictEqual({ nodes: 3, unpriced: ["of-unpriced"], spot });
    expect(replacements).toMatchObject([
      { node: "of-big", from: { type: "big" }, to: { type: "small", perHour: 0.1 } },
    ]);
  });

  it("keeps a node without a possible replacement", () => {
    expect(ask(offer("type In m99.large"))).toMatchObject({ nodes: 3, replacements: [] });
    expect(ask(offer("type In m99.large"), [of("big")])).toMatchObject({ before: 0.4, after: 0.4 });
  });

  it("bounds Spot without a price by the prices on demand", () => {
    const spot = (name: string) => ({ ...of(name, { "karpenter.sh/capacity-type": "spot" }), name: "of-big" });
    const costs = ask(offer("cpu Gt 2", "capacity In spot", "zone In b"), [spot("medium"), of("medium")]);
    expect(costs).toMatchObject({ nodes: 1, unpriced: ["of-big"] });
    expect(costs.spot).toStrictEqual({ before: 0.2, after: 0.2, worst: 0.4, nodes: 1 });
  });

  it("leaves out nodes with unknown prices", () => {
    expect(ask(offer("type In unpriced"), [of("big")])).toMatchObject({ before: 0, nodes: 0, unpriced: ["of-big"] });
    expect(ask(undefined, [of("big")])).toMatchObject({ nodes: 0, unpriced: ["of-big"] });
  });
});

it("says what may be launched from the cheapest to the dearest", () => {
  const envelope = priceEnvelope(offer("capacity In on-demand"), priced.prices);
  expect(envelope).toMatchObject({
    types: 4,
    unpriced: 1,
    perHour: { cheapest: { type: "small" }, median: { type: "medium" }, dearest: { type: "big" } },
    perVcpu: { cheapest: { price: 0.05 } },
  });
  expect(priceEnvelope(offer("type In unpriced"), priced.prices)).toMatchObject({ perHour: null, unpriced: 1 });
});
