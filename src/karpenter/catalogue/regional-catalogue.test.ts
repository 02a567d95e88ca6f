/** Tests regional catalogues: equal to Karpenter's data, with zones, and with notes about gaps. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogueOfTable } from "../../../scripts/build-catalogue.ts";
import {
  type AvailabilityZone,
  type InstanceTypeInfo,
  type InstanceTypeOffering,
  instanceTypesAnswer,
  offeringsAnswer,
  zonesAnswer,
} from "../../model/ec2/answers.ts";
import { product, productsAnswer, spotPricesAnswer } from "../../model/ec2/price-answers.ts";
import { type Catalogue, UNKNOWN } from "./catalogue.ts";
import { type RegionalAnswers, regionalCatalogue } from "./regional-catalogue.ts";
import { formatRequirement } from "../requirements/requirement.ts";
import { formatRequirements, requirementsOf } from "../requirements/requirements.ts";
import { typeFilter } from "./type-filter.ts";
import { indexesOf } from "./type-mask.ts";

const textOf = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const json = (name: string): unknown => JSON.parse(textOf(`fixtures/aws/${name}.json`));

const known = catalogueOfTable(textOf("data/ec2-instance-types.csv"));
const instanceTypes: readonly InstanceTypeInfo[] = ["instance-types-1", "instance-types-2"].flatMap(
  (name) => instanceTypesAnswer().parse(json(name)).InstanceTypes,
);
const offerings: readonly InstanceTypeOffering[] = offeringsAnswer().parse(json("offerings")).InstanceTypeOfferings;
const zones: readonly AvailabilityZone[] = zonesAnswer().parse(json("zones")).AvailabilityZones;
const ANSWERS: RegionalAnswers = { instanceTypes, offerings, zones, date: "2026-11-20" };

function build(changes: Partial<RegionalAnswers> = {}) {
  const built = regionalCatalogue({ ...ANSWERS, ...changes }, known);
  if ("problem" in built) throw new Error(built.problem.message);
  return built;
}

const problemOf = (changes: Partial<RegionalAnswers>): string | undefined => {
  const built = regionalCatalogue({ ...ANSWERS, ...changes }, known);
  return "problem" in built ? built.problem.message : undefined;
};

function said({ labels, names }: Catalogue, name: string, key: string): string | undefined {
  const column = labels.get(key);
  const at = column?.of[names.indexOf(name)] ?? UNKNOWN;
  return at === UNKNOWN ? undefined : formatRequirement(column!.sets[at]!);
}

describe("a region", () => {
  const { catalogue, region, zones: found, notes } = build();

  it.each([
    "c4.large",
    "c6g.large",
    "g5.12xlarge",
    "inf2.xlarge",
    "m5.large",
    "m5.metal",
    "m7i-flex.large",
    "p5.48xlarge",
    "u-6tb1.56xlarge",
  ])("%s has the labels and resources of Karpenter's own table", (name) => {
    const labels = (of: Catalogue) => [...known.labels.keys()].map((key) => `${key} ${said(of, name, key)}`);
    expect(labels(catalogue)).toStrictEqual(labels(known));
    const resources = (of: Catalogue) =>
      [...known.allocatable.keys()].map((key) => `${key} ${of.allocatable.get(key)?.[of.names.indexOf(name)]}`);
    expect(resources(catalogue)).toStrictEqual(resources(known));
  });

  it("has region, zones, date and notes", () => {
    expect({ region, found, source: catalogue.source, date: catalogue.date, notes }).toStrictEqual({
      region: "us-east-1",
      found: ["us-east-1-bos-1a", "us-east-1a", "us-east-1b"],
      source: "Amazon EC2, us-east-1",
      date: "2026-11-20",
      notes: [
        "1 instance type left out: Karpenter uses only hvm on x86_64 or arm64: mac2.metal",
        "1 instance type missing: offered, but not described (check that all pages were saved): t3.micro",
        "1 instance type without network bandwidth: EC2 does not return it, and the catalogue of 2026-08 does not have them: m99.large",
      ],
    });
  });

  it("offers each type in its zones, on-demand and spot as EC2 sells it", () => {
    const offered = (name: string) =>
      catalogue.offerings.sets[catalogue.offerings.of[catalogue.names.indexOf(name)]!]!.map(({ requirements }) =>
        formatRequirements(requirements),
      );
    const offer = (capacity: string, zone: string, id: string) =>
      `karpenter.sh/capacity-type In [${capacity}], topology.k8s.aws/zone-id In [${id}], topology.kubernetes.io/zone In [${zone}]`;
    expect(offered("u-6tb1.56xlarge")).toStrictEqual([offer("on-demand", "us-east-1a", "use1-az6")]);
    expect(offered("g5.12xlarge")).toStrictEqual([
      offer("on-demand", "us-east-1-bos-1a", "use1-bos1-az1"),
      offer("spot", "us-east-1-bos-1a", "use1-bos1-az1"),
      offer("on-demand", "us-east-1a", "use1-az6"),
      offer("spot", "us-east-1a", "use1-az6"),
    ]);
    // Karpenter does not launch capacity blocks without a reservation.
    expect(offered("p5.48xlarge")).toHaveLength(2);
  });

  it("labels types with their capacity types", () => {
    const keys = [
      "topology.kubernetes.io/region",
      "topology.kubernetes.io/zone",
      "topology.k8s.aws/zone-id",
      "karpenter.sh/capacity-type",
    ];
    expect(keys.map((key) => said(catalogue, "m5.large", key))).toStrictEqual([
      "In [us-east-1]",
      "In [us-east-1-bos-1a us-east-1a us-east-1b]",
      "In [use1-az1 use1-az6 use1-bos1-az1]",
      "In [on-demand spot]",
    ]);
  });

  it("leaves data unknown that neither EC2 nor the known catalogue has, which excludes nothing", () => {
    expect(said(catalogue, "m99.large", "karpenter.k8s.aws/instance-network-bandwidth")).toBeUndefined();
    expect(said(catalogue, "c4.large", "karpenter.k8s.aws/instance-network-bandwidth")).toBe("DoesNotExist");
    const fast = requirementsOf([
      { key: "karpenter.k8s.aws/instance-network-bandwidth", operator: "Gt", values: ["50000"] },
    ]);
    const left = indexesOf(typeFilter(catalogue).compatible(fast)).map((type) => catalogue.names[type]);
    expect(left).toStrictEqual(["m99.large", "p5.48xlarge", "u-6tb1.56xlarge"]);
  });

  it("requires zone and capacity type of the same offering", () => {
    const asked = (zone: string, capacity: string) =>
      indexesOf(
        typeFilter(catalogue).compatible(
          requirementsOf([
            { key: "topology.kubernetes.io/zone", operator: "In", values: [zone] },
            { key: "karpenter.sh/capacity-type", operator: "In", values: [capacity] },
          ]),
        ),
      ).map((type) => catalogue.names[type]);
    expect(asked("us-east-1-bos-1a", "spot")).toStrictEqual(["g5.12xlarge", "m5.large"]);
    expect(asked("us-east-1a", "reserved")).toStrictEqual([]);
    expect(asked("eu-west-1a", "spot")).toStrictEqual([]);
  });
});

const byId = (Location: string): InstanceTypeOffering => ({
  InstanceType: "m5.large",
  LocationType: "availability-zone-id",
  Location,
});

describe("zones", () => {
  const offersOf = (changes: Partial<RegionalAnswers>) =>
    build(changes).catalogue.offerings.sets.map(([first]) => formatRequirements(first!.requirements));

  it("have only names without a list of zones", () => {
    expect(offersOf({ zones: [] })).toContain(
      "karpenter.sh/capacity-type In [on-demand], topology.kubernetes.io/zone In [us-east-1b]",
    );
  });

  it("get their names from a list of zones if offerings have ids", () => {
    expect(offersOf({ offerings: [byId("use1-az6")] })).toStrictEqual([
      "karpenter.sh/capacity-type In [on-demand], topology.k8s.aws/zone-id In [use1-az6], topology.kubernetes.io/zone In [us-east-1a]",
    ]);
  });

  it("are taken by name if both were saved", () => {
    const both = { offerings: [...offerings, byId("use1-az1")] };
    expect(offersOf(both)).toStrictEqual(offersOf({}));
  });
});

const notByZone = { InstanceType: "m5.large", LocationType: "region", Location: "us-east-1" };
const inEurope = { InstanceType: "m5.large", LocationType: "availability-zone", Location: "eu-west-1a" };

it.each<[what: string, changes: Partial<RegionalAnswers>, problem: string]>([
  ["offerings by region", { offerings: [notByZone] }, "lists offerings by region, but a catalogue needs them by zone"],
  [
    "offerings of two regions",
    { offerings: [...offerings, inEurope], zones: [] },
    "covers, together with --zones, several regions: eu-west-1, us-east-1",
  ],
  [
    "zones of another region",
    { offerings: [inEurope] },
    "covers, together with --zones, several regions: eu-west-1, us-east-1",
  ],
  [
    "ids alone",
    { offerings: [byId("use1-az6")], zones: [] },
    "does not contain the region: zone ids do not include it",
  ],
  ["no offerings", { offerings: [], zones: [] }, "does not contain the region: zone ids do not include it"],
  [
    "types of elsewhere",
    { offerings: [{ ...inEurope, InstanceType: "x.large" }], zones: [] },
    "offers none of the instance types described",
  ],
])("%s", (_what, changes, problem) => {
  expect(problemOf(changes)).toBe(problem);
});

it.each([
  ["us-gov-west-1b", "us-gov-west-1"],
  ["ap-southeast-7a", "ap-southeast-7"],
  ["us-east-1-wl1-bos-wlz-1", "us-east-1"],
  ["us-west-2-lax-1b", "us-west-2"],
  ["eusc-de-east-1a", "eusc-de-east-1"],
])("zone %s is in region %s", (Location, region) => {
  expect(build({ offerings: [{ ...inEurope, Location }], zones: [] }).region).toBe(region);
});

describe("prices", () => {
  const products = ["prices-1", "prices-2"].flatMap((name) =>
    productsAnswer()
      .parse(json(name))
      .PriceList.map((text) => product().parse(JSON.parse(text))),
  );
  const spotPrices = spotPricesAnswer().parse(json("spot-prices")).SpotPriceHistory;
  const told = (changes: Partial<RegionalAnswers>): string[] => {
    const { catalogue } = build(changes);
    return catalogue.names.flatMap((name, type) =>
      catalogue.offerings.sets[catalogue.offerings.of[type]!]!.map(({ requirements, price }) => {
        const [capacity, zone] = ["karpenter.sh/capacity-type", "topology.kubernetes.io/zone"].map(
          (key) => [...requirements.get(key)!.values][0],
        );
        return `${name} ${zone} ${capacity} ${price}`;
      }),
    );
  };

  it("are of the products that Karpenter uses: Linux, shared, and dedicated for metal", () => {
    const onDemand = told({ products }).filter((line) => line.includes(" us-east-1a on-demand "));
    expect(onDemand).toStrictEqual([
      "c4.large us-east-1a on-demand 0.1",
      "c6g.large us-east-1a on-demand 0.068",
      "g5.12xlarge us-east-1a on-demand 5.672",
      "m5.large us-east-1a on-demand 0.096",
      "m5.metal us-east-1a on-demand 4.608",
      "m7i-flex.large us-east-1a on-demand 0.09576",
      "m99.large us-east-1a on-demand undefined",
      "u-6tb1.56xlarge us-east-1a on-demand 46.40391",
    ]);
    expect(told({ products }).filter((line) => line.includes(" spot ") && !line.endsWith(" undefined"))).toStrictEqual(
      [],
    );
  });

  it("of Spot are the latest of each zone for Linux", () => {
    const large = told({ spotPrices }).filter((line) => line.startsWith("m5.large "));
    expect(large.toSorted()).toStrictEqual([
      "m5.large us-east-1-bos-1a on-demand undefined",
      "m5.large us-east-1-bos-1a spot undefined",
      "m5.large us-east-1a on-demand undefined",
      "m5.large us-east-1a spot 0.0361",
      "m5.large us-east-1b on-demand undefined",
      "m5.large us-east-1b spot 0.0339",
    ]);
  });

  it("are found by zone ids if names are unknown", () => {
    const byId = offerings
      .filter(({ Location }) => Location === "us-east-1a")
      .map((offering) => ({ ...offering, LocationType: "availability-zone-id", Location: "use1-az6" }));
    const ids = spotPrices.map(({ AvailabilityZone: _name, ...price }) => price);
    expect(told({ offerings: byId, spotPrices: ids }).filter((line) => line.startsWith("m5.large "))).toStrictEqual([
      "m5.large us-east-1a on-demand undefined",
      "m5.large us-east-1a spot 0.0361",
    ]);
  });

  it("have an origin, and a note about types without a price", () => {
    const { catalogue, notes } = build({ products, spotPrices, pricesDate: "2026-11-21" });
    expect(catalogue.prices).toStrictEqual({
      source: "AWS's price list and spot price history",
      region: "us-east-1",
      date: "2026-11-21",
      currency: "USD",
      onDemand: new Map(),
    });
    expect(notes.slice(-2)).toStrictEqual([
      "1 instance type without a price of on-demand capacity in some zone: no response has it: m99.large",
      "3 instance types without a price of spot capacity in some zone: no response has it: g5.12xlarge, m5.large, m99.large",
    ]);
    expect(build().catalogue.prices).toBeUndefined();
  });

  it("of China are in yuan", () => {
    const moved = JSON.parse(JSON.stringify({ products, offerings }).replaceAll("us-east-1", "cn-north-1")) as {
      products: typeof products;
      offerings: typeof offerings;
    };
    const inYuan = JSON.parse(JSON.stringify(moved.products).replaceAll('"USD"', '"CNY"')) as typeof products;
    expect(build({ ...moved, products: inYuan, zones: [] }).catalogue.prices?.currency).toBe("CNY");
    expect(build({ ...moved, zones: [] }).catalogue.prices).toBeUndefined();
  });

  it("of another region are refused", () => {
    const moved = JSON.parse(JSON.stringify(products).replaceAll("us-east-1", "eu-west-1")) as typeof products;
    expect(problemOf({ products: moved })).toBe("has prices of eu-west-1, but the offerings are of us-east-1");
  });
});
