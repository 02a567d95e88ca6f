/** Tests the shipped prices against their table, and which prices a catalogue gets. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pricesOfTable } from "../../../scripts/build-prices.ts";
import { FILES } from "../../commands/cli/context.ts";
import { shippedCatalogue } from "../../library/shipped-catalogue.ts";
import { byBytes } from "../../model/values/by-bytes.ts";
import type { Catalogue } from "./catalogue.ts";
import { choosePrices, parsePriceTable } from "./price-table.ts";
import { readCatalogue } from "./read-catalogue.ts";
import { typePrices } from "./type-prices.ts";

const text = readFileSync(new URL("../../../data/ec2-on-demand-prices.csv", import.meta.url), "utf8");
const table = pricesOfTable(text);
const rows = text
  .trim()
  .split("\n")
  .slice(1)
  .map((row) => row.split(",") as [region: string, type: string, price: string]);

describe("the shipped prices", () => {
  it("are exactly those of the table", () => {
    const shipped = parsePriceTable(FILES.readShipped("prices.json"));
    expect(shipped).toStrictEqual(table);
    const told = Object.keys(table.regions).flatMap((region) =>
      [...choosePrices(shippedCatalogue(), () => shipped, region)!.onDemand].map(
        ([type, price]) => `${region},${type},${price}`,
      ),
    );
    const written = rows.map(([region, type, price]) => `${region},${type},${Number(price)}`);
    expect(told.toSorted(byBytes)).toStrictEqual(written.toSorted(byBytes));
    expect(shipped.regions).toStrictEqual({
      "cn-north-1": "CNY",
      "us-east-1": "USD",
      "us-gov-east-1": "USD",
      "us-gov-west-1": "USD",
    });
  });

  it.each(Object.keys(table.regions))("are those of the table for the shipped types: %s", (region) => {
    const catalogue = shippedCatalogue();
    const { onDemand, spot } = typePrices(
      catalogue,
      choosePrices(catalogue, () => table, region),
    );
    const known = new Set(catalogue.names);
    const expected = rows
      .filter(([of, type]) => of === region && known.has(type))
      .map(([, type, price]): [string, number] => [type, Number(price)]);
    expect(Object.fromEntries(onDemand)).toStrictEqual(Object.fromEntries(expected));
    expect(spot).toStrictEqual(new Map());
  });

  it("lack these types in us-east-1", () => {
    const catalogue = shippedCatalogue();
    const { onDemand } = typePrices(
      catalogue,
      choosePrices(catalogue, () => table),
    );
    expect(catalogue.names.filter((name) => !onDemand.has(name))).toStrictEqual([
      "dl2q.24xlarge",
      "hpc6a.48xlarge",
      "hpc6id.32xlarge",
      "hpc7a.12xlarge",
      "hpc7a.24xlarge",
      "hpc7a.48xlarge",
      "hpc7a.96xlarge",
      "hpc8a.96xlarge",
      "p5e.48xlarge",
      "trn2.48xlarge",
      "x8aedz.12xlarge",
      "x8aedz.24xlarge",
      "x8aedz.3xlarge",
      "x8aedz.6xlarge",
      "x8aedz.large",
      "x8aedz.metal-12xl",
      "x8aedz.metal-24xl",
      "x8aedz.xlarge",
    ]);
  });

  it("are at most 45 kB", () => {
    expect(Buffer.byteLength(JSON.stringify(table))).toBeLessThanOrEqual(45_000);
  });
});

describe("prices of a catalogue", () => {
  const origin = (catalogue: Catalogue, region?: string) => {
    const prices = choosePrices(catalogue, () => table, region);
    return prices && [prices.region, prices.date, prices.currency, prices.source];
  };
  const ofRegion = (region: string, more: object = {}): Catalogue => {
    const requirements = [{ key: "topology.kubernetes.io/region", operator: "In", values: [region] }];
    const open = { source: "ours", date: "2026-11-20", instanceTypes: [{ name: "m5.large", requirements }], ...more };
    const read = readCatalogue(JSON.stringify(open), "x.json");
    if ("problem" in read) throw new Error(read.problem.message);
    return read.catalogue;
  };

  it("those of us-east-1 without a region", () => {
    expect(origin(shippedCatalogue())).toStrictEqual(["us-east-1", "2026-07", "USD", table.source]);
  });

  it("those of the given region", () => {
    expect(origin(shippedCatalogue(), "cn-north-1")).toStrictEqual(["cn-north-1", "2026-07", "CNY", table.source]);
    expect(origin(ofRegion("eu-west-1"), "us-east-1")).toStrictEqual(["us-east-1", "2026-07", "USD", table.source]);
  });

  it("those of the catalogue's region", () => {
    expect(origin(ofRegion("us-gov-west-1"))).toStrictEqual(["us-gov-west-1", "2026-07", "USD", table.source]);
  });

  it.each<[wanted: string, region: string, currency: string]>([
    ["eu-west-1", "us-east-1", "USD"],
    ["us-gov-central-1", "us-east-1", "USD"],
    ["cn-northwest-1", "cn-north-1", "CNY"],
    ["eu-west-1, us-east-1", "us-east-1", "USD"],
  ])("those of another region only with a mark: %s", (wanted, region, currency) => {
    for (const prices of [
      choosePrices(shippedCatalogue(), () => table, wanted),
      choosePrices(shippedCatalogue(), () => table, undefined, wanted),
    ])
      expect(prices).toMatchObject({ region, currency, insteadOf: wanted });
    const own = choosePrices(shippedCatalogue(), () => table, region);
    expect(own).not.toHaveProperty("insteadOf");
  });

  it.each(["constructor", "frankfurt", "europe-west4", "eastus", ""])("none of %j", (region) => {
    expect(origin(shippedCatalogue(), region)).toBeUndefined();
  });

  it("those of the zones of the pools, if nothing else names a region", () => {
    const of = (catalogue: Catalogue, region?: string) => {
      const prices = choosePrices(catalogue, () => table, region, "us-gov-east-1");
      return prices?.insteadOf ?? prices?.region;
    };
    expect(of(shippedCatalogue())).toBe("us-gov-east-1");
    expect(of(shippedCatalogue(), "cn-north-1")).toBe("cn-north-1");
    expect(of(ofRegion("eu-west-1"))).toBe("eu-west-1");
  });

  it("the catalogue's own before the table's", () => {
    const offerings = [{ price: 0.1 }];
    const own = ofRegion("eu-west-1", { instanceTypes: [{ name: "m5.large", offerings }] });
    expect(origin(own, "us-east-1")).toStrictEqual([undefined, "2026-11-20", "USD", "ours"]);
    const said = ofRegion("eu-west-1", {
      prices: { source: "a list", region: "eu-west-1", date: "2026-11", currency: "EUR" },
      instanceTypes: [{ name: "m5.large", price: 0.1 }],
    });
    expect(origin(said)).toStrictEqual(["eu-west-1", "2026-11", "EUR", "a list"]);
  });
});
