/** Converts the table of EC2's list prices in data/ to the packaged dist/prices.json. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { byBytes } from "../src/model/values/by-bytes.ts";
import type { PriceTable } from "../src/karpenter/catalogue/price-table.ts";

const TABLE = fileURLToPath(new URL("../data/ec2-on-demand-prices.csv", import.meta.url));

const SOURCE = "list prices for Linux, Karpenter's AWS provider v1.15.1";
/** The date on which the provider took them. */
const DATE = "2026-07";

export function buildPrices(directory: string): void {
  writeFileSync(`${directory}/prices.json`, `${JSON.stringify(pricesOfTable(readFileSync(TABLE, "utf8")))}\n`);
}

export function pricesOfTable(table: string): PriceTable {
  const [, ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const prices = new Map(rows.map(([region, type, price]) => [`${region} ${type}`, Number(price)]));
  const regions = [...new Set(rows.map(([region = ""]) => region))];
  const types = [...new Set(rows.map(([, type = ""]) => type))].toSorted(byBytes);
  const families = [...Map.groupBy(types, (type) => type.split(".")[0]!)].map(([family, members]) => {
    const ofRegions = regions.map((region) => {
      const ofRegion = members.map((type) => prices.get(`${region} ${type}`) ?? 0);
      return ofRegion.every((price) => price === 0) ? null : ofRegion;
    });
    return [family, [members.map((type) => type.slice(family.length + 1)), ...ofRegions]] as const;
  });
  return {
    source: SOURCE,
    date: DATE,
    regions: Object.fromEntries(regions.map((region) => [region, region.startsWith("cn-") ? "CNY" : "USD"])),
    families: Object.fromEntries(families),
  };
}
