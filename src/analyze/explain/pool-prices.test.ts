/** The prices of pools, compared with a search of every type, offering and entry. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clustersOf } from "../../commands/input/load-clusters.ts";
import type { Catalogue, CataloguePrices, Offering } from "../../karpenter/catalogue/catalogue.ts";
import { indexesOf } from "../../karpenter/catalogue/type-mask.ts";
import { compatible, mergedByKey, requirementsOf } from "../../karpenter/requirements/requirements.ts";
import { loadFiles } from "../../library/bundles-of-files.ts";
import { shippedPrices } from "../../library/shipped-catalogue.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import { CATALOGUES, question, type Question, wrappedManifests } from "../../../test/support/property/questions.ts";
import { explain } from "../../library/library.ts";
import { explainClusters } from "./explain.ts";
import type { PoolExplanation } from "./explanation.ts";
import { type InstanceTypes, remainingTypes } from "./remaining-types.ts";

const ORIGIN = { source: "made up", region: "us-east-1", date: "2026-11", currency: "USD" };

/** Spot for less than on demand, not everywhere the same, and some of it without a price; every third type has a list price. */
function priced(catalogue: Catalogue): Catalogue & { readonly prices: CataloguePrices } {
  let step = 0;
  const price = (offering: Offering): Offering => {
    step = (step * 7 + 3) % 31;
    return step % 5 === 0 ? offering : { ...offering, price: (step + 1) / 20 };
  };
  const onDemand = new Map(
    catalogue.names.flatMap((name, type) => (type % 3 === 0 ? [[name, ((type * 13) % 29) / 10 + 0.1]] : [])),
  );
  return {
    ...catalogue,
    offerings: { ...catalogue.offerings, sets: catalogue.offerings.sets.map((set) => set.map(price)) },
    prices: { ...ORIGIN, onDemand },
  };
}

const PRICED = Object.fromEntries(Object.entries(CATALOGUES).map(([name, catalogue]) => [name, priced(catalogue)]));

const ON_DEMAND = requirementsOf([
  { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] },
  { key: "kubernetes.io/os", operator: "In", values: ["linux"] },
]);

/** The lowest price of each type under the demands. */
function costs(
  demands: readonly PoolRequirement[],
  knownTypes: InstanceTypes,
  prices: CataloguePrices,
): Map<string, number> {
  const { names, offerings, wellKnown } = knownTypes.filter.catalogue;
  const asked = mergedByKey(demands.map(({ requirement }) => requirement));
  const admits = ({ requirements, available }: Offering): boolean =>
    available && compatible(asked, requirements, wellKnown) === undefined;
  return new Map(
    indexesOf(remainingTypes(demands, knownTypes).types).flatMap((type): [string, number][] => {
      const listed = prices.onDemand.get(names[type]!);
      const list = listed === undefined ? [] : [{ requirements: ON_DEMAND, available: true, price: listed }];
      const found = [...offerings.sets[offerings.of[type]!]!, ...list]
        .filter((offering) => offering.price !== undefined && admits(offering))
        .map(({ price }) => price!);
      return found.length === 0 ? [] : [[names[type]!, Math.min(...found)]];
    }),
  );
}

function explained(asked: Question): readonly (PoolExplanation & { readonly knownTypes: InstanceTypes })[] {
  const files = wrappedManifests(asked).map((object, index) => ({
    path: `${index}.json`,
    text: JSON.stringify(object),
  }));
  const { clusters } = clustersOf(loadFiles(files, {}), { profile: asked.profile });
  const catalogue = PRICED[asked.catalogue]!;
  return explainClusters(clusters, catalogue, () => catalogue.prices).flatMap(({ explanations, knownTypes }) =>
    explanations.map((explanation) => ({ ...explanation, knownTypes })),
  );
}

it("is that of the cheapest, the median and the dearest of all types, and of all but each entry", () => {
  let told = 0;
  fc.assert(
    fc.property(question, (asked) => {
      for (const { pool, prices, instanceTypes, knownTypes } of explained(asked)) {
        expect(prices === undefined).toBe(instanceTypes.names.length === 0);
        if (prices === undefined) continue;
        const { prices: own } = PRICED[asked.catalogue]!;
        const all = costs(pool.demands, knownTypes, own);
        const sorted = [...all.values()].toSorted((a, b) => a - b);
        const { perHour } = prices;
        expect([perHour?.cheapest.perHour, perHour?.median.perHour, perHour?.dearest.perHour]).toStrictEqual(
          sorted.length === 0
            ? [undefined, undefined, undefined]
            : [0, (sorted.length - 1) >> 1, sorted.length - 1].map((at) => sorted[at]),
        );
        expect(perHour && all.get(perHour.cheapest.type)).toBe(perHour?.cheapest.perHour);
        expect(prices.unpriced).toStrictEqual(instanceTypes.names.filter((name) => !all.has(name)));
        for (const demand of pool.demands) {
          const without = costs(
            pool.demands.filter((other) => other !== demand),
            knownTypes,
            own,
          );
          const least = Math.min(...without.values());
          const expected = least < (sorted[0] ?? 0) ? least : undefined;
          expect(prices.cheaper().get(demand)?.perHour).toBe(expected);
          if (expected !== undefined) told++;
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(told).toBeGreaterThan(20);
});

describe("list prices", () => {
  const pool = (entries: readonly string[], config = "{}"): string => `
apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
spec: ${config}
---
apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: OpenshiftNodePool
metadata: {name: web}
spec: {template: {spec: {requirements: [${entries.join(", ")}]}}}
`;
  const type = (...names: string[]): string =>
    `{key: node.kubernetes.io/instance-type, operator: In, values: [${names.join(", ")}]}`;
  const pricesOf = (entries: readonly string[], config?: string) =>
    explain([{ path: "pool.yaml", text: pool(entries, config) }]).nodePools[0]!.prices;
  const price = (name: string, amount: number) => ({ type: name, price: amount, capacityType: "on-demand" });

  it("have region and date, per hour and per vCPU, and list types without a price", () => {
    expect(pricesOf([type("m5.large", "c5.xlarge", "m5.4xlarge", "r5.large", "p5e.48xlarge")])).toStrictEqual({
      source: "list prices for Linux, Karpenter's AWS provider v1.15.1",
      region: "us-east-1",
      date: "2026-07",
      currency: "USD",
      perHour: {
        cheapest: price("m5.large", 0.096),
        median: price("r5.large", 0.126),
        dearest: price("m5.4xlarge", 0.768),
      },
      perVcpu: {
        cheapest: price("c5.xlarge", 0.0425),
        median: price("m5.large", 0.048),
        dearest: price("r5.large", 0.063),
      },
      unpriced: ["p5e.48xlarge"],
      costs: [
        {
          key: "node.kubernetes.io/instance-type",
          from: "user",
          requirement: "In [c5.xlarge m5.4xlarge m5.large p5e.48xlarge r5.large]",
          file: "pool.yaml",
          line: 9,
          ...price("t4g.nano", 0.0042),
        },
      ],
    });
  });

  it("are those of the region in the RenderConfig, in its currency, or marked", () => {
    const ofRegion = (region: string) => pricesOf([type("m5.large")], `{hostedCluster: {region: ${region}}}`);
    expect(ofRegion("cn-north-1")).toMatchObject({
      region: "cn-north-1",
      currency: "CNY",
      perHour: { cheapest: price("m5.large", 1.013) },
    });
    expect(ofRegion("eu-west-1")).toMatchObject({ region: "us-east-1", insteadOf: "eu-west-1" });
    expect(shippedPrices()?.region).toBe("us-east-1");
  });

  it("do not include Spot, or types that the region does not have", () => {
    const spot = "{key: karpenter.sh/capacity-type, operator: In, values: [spot]}";
    const nothing = { perHour: null, perVcpu: null, costs: [] };
    expect(pricesOf([type("m5.large"), spot])).toMatchObject({
      ...nothing,
      unpriced: ["m5.large"],
      atMost: { dearest: { price: 0.096 } },
    });
    expect(
      pricesOf([type("m5.large"), "{key: kubernetes.io/os, operator: In, values: [linux]}"])?.perHour,
    ).not.toBeNull();
    expect(pricesOf([type("p5e.48xlarge")])).toMatchObject({ ...nothing, unpriced: ["p5e.48xlarge"] });
    expect(pricesOf([type("m5.large"), "{key: kubernetes.io/arch, operator: In, values: [arm64]}"])).toBeNull();
  });
});
