/** Converts the table of EC2's instance types in data/ to the packaged catalogue, dist/catalogue.json. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Catalogue, INSTANCE_TYPE } from "../src/karpenter/catalogue/catalogue.ts";
import { catalogueOf, type InstanceType } from "../src/karpenter/catalogue/catalogue-of.ts";
import { AWS_LABELS } from "../src/karpenter/requirements/label-presence.ts";
import type { Requirement } from "../src/karpenter/requirements/requirement.ts";
import { writeCatalogue } from "../src/karpenter/catalogue/write-catalogue.ts";
import { OPTIONAL_LABELS, WELL_KNOWN_LABELS } from "../src/model/requirements/labels.ts";

const TABLE = fileURLToPath(new URL("../data/ec2-instance-types.csv", import.meta.url));

const PRICES = fileURLToPath(new URL("../data/ec2-on-demand-prices.csv", import.meta.url));

const SOURCE = "Amazon EC2, all regions, from the reference of Karpenter's AWS provider";
/** The date of the table. */
const DATE = "2026-08";

/** Labels that the table leaves out because every instance type has them, or no Linux node does. */
const EVERYWHERE: readonly [string, readonly string[]][] = [
  ["karpenter.k8s.aws/instance-tenancy", ["default", "dedicated"]],
  ["node.kubernetes.io/windows-build", []],
];

/** The only label of the table that may be empty: bare metal has no hypervisor. */
const HYPERVISOR = "karpenter.k8s.aws/instance-hypervisor";

export function buildCatalogue(directory: string): void {
  const catalogue = catalogueOfTable(readFileSync(TABLE, "utf8"));
  const [, ...rows] = readFileSync(PRICES, "utf8").trim().split("\n");
  const priced = new Set(rows.map((row) => row.split(",")[1]!));
  const namesOnly = new Set([...priced.difference(new Set(catalogue.names))].toSorted());
  writeFileSync(`${directory}/catalogue.json`, writeCatalogue({ ...catalogue, namesOnly }));
}

export function catalogueOfTable(table: string): Catalogue {
  const [header = [], ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const head = { source: SOURCE, date: DATE, ...AWS_LABELS };
  return catalogueOf(
    head,
    rows.map((cells) => instanceType(header.map((column, place) => [column, cells[place] ?? ""]))),
  );
}

function instanceType(cells: readonly (readonly [string, string])[]): InstanceType {
  const labels = cells.filter(([column]) => WELL_KNOWN_LABELS.has(column));
  const resources = cells.filter(([column, cell]) => !WELL_KNOWN_LABELS.has(column) && cell !== "");
  const stated = labels.map(([key, cell]) => labelOf(key, cell !== "" || key === HYPERVISOR ? [cell] : []));
  return {
    name: cells.find(([column]) => column === INSTANCE_TYPE)?.[1] ?? "",
    labels: new Map([...stated, ...EVERYWHERE.map(([key, values]) => labelOf(key, values))]),
    // The table has no regions: an offering without requirements excludes nothing.
    offerings: [{ requirements: new Map(), available: true }],
    allocatable: Object.fromEntries(resources),
  };
}

function labelOf(key: string, values: readonly string[]): [string, Requirement] {
  if (values.length === 0 && !OPTIONAL_LABELS.has(key)) throw new Error(`every instance type has ${key}`);
  return [key, { key, complement: false, values: new Set(values) }];
}
