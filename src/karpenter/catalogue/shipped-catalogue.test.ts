/** Tests the shipped catalogue against its source table, and limits of size and time. */
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { expect, it } from "vitest";
import { catalogueOfTable } from "../../../scripts/build-catalogue.ts";
import type { CompactCatalogue } from "../../model/catalogue/compact-catalogue.ts";
import { OPTIONAL_LABELS, WELL_KNOWN_LABELS } from "../../model/requirements/labels.ts";
import { UNKNOWN } from "./catalogue.ts";
import { catalogueOfCompact } from "./catalogue-of-compact.ts";
import { instanceTypeLabels } from "./instance-type-labels.ts";
import { instanceTypeAllocatable } from "./instance-type-resources.ts";
import { readCatalogue } from "./read-catalogue.ts";
import { formatRequirement } from "../requirements/requirement.ts";
import { ec2Info } from "../../../test/support/ec2-info.ts";
import { writeCatalogue } from "./write-catalogue.ts";

const table = readFileSync(new URL("../../../data/ec2-instance-types.csv", import.meta.url), "utf8");
const [header = [], ...rows] = table
  .trim()
  .split("\n")
  .map((line) => line.split(","));
const cellOf = (row: readonly string[], column: string): string => row[header.indexOf(column)]!;
const text = writeCatalogue(catalogueOfTable(table));
const shipped = catalogueOfCompact(JSON.parse(text) as CompactCatalogue);

/** A label in Karpenter's notation; undefined if unknown. */
function said(type: number, key: string): string | undefined {
  const column = shipped.labels.get(key);
  const at = column?.of[type] ?? UNKNOWN;
  return at === UNKNOWN ? undefined : formatRequirement(column!.sets[at]!);
}

it("has every cell of the table", () => {
  const labels = header.filter((column) => WELL_KNOWN_LABELS.has(column));
  const resources = header.filter((column) => !WELL_KNOWN_LABELS.has(column));
  expect([shipped.names.length, labels.length, resources.length]).toStrictEqual([1363, 24, 10]);
  const wrong = rows.flatMap((row, type) => [
    ...labels.flatMap((key) => {
      const cell = cellOf(row, key);
      const absent = cell === "" && key !== "karpenter.k8s.aws/instance-hypervisor";
      return said(type, key) === (absent ? "DoesNotExist" : `In [${cell}]`) ? [] : [`${row[0]} ${key}`];
    }),
    ...resources.flatMap((name) =>
      (shipped.allocatable.get(name)?.[type] ?? "") === cellOf(row, name) ? [] : [`${row[0]} ${name}`],
    ),
  ]);
  expect(wrong).toStrictEqual([]);
});

it("has data beyond the table: tenancy, no Windows, and no regions, zones or capacity types", () => {
  const [labels, resources] = [[...shipped.labels.keys()], [...shipped.allocatable.keys()]];
  expect(labels.filter((key) => !header.includes(key))).toStrictEqual([
    "karpenter.k8s.aws/instance-tenancy",
    "node.kubernetes.io/windows-build",
  ]);
  expect(resources.filter((name) => !header.includes(name))).toStrictEqual([]);
  const types = shipped.names.keys().toArray();
  expect(new Set(types.map((type) => said(type, "karpenter.k8s.aws/instance-tenancy")))).toStrictEqual(
    new Set(["In [dedicated default]"]),
  );
  expect(new Set(types.map((type) => said(type, "node.kubernetes.io/windows-build")))).toStrictEqual(
    new Set(["DoesNotExist"]),
  );
  expect(shipped.offerings.sets).toStrictEqual([[{ requirements: new Map(), available: true }]]);
  expect([shipped.wellKnown, shipped.optional]).toStrictEqual([WELL_KNOWN_LABELS, OPTIONAL_LABELS]);
});

it("has as optional exactly the known labels that some type lacks", () => {
  const lacking = [...shipped.labels].filter(([, { sets }]) => sets.some((set) => set.values.size === 0));
  const known = [...OPTIONAL_LABELS].filter((key) => shipped.labels.has(key));
  expect(new Set(lacking.map(([key]) => key))).toStrictEqual(new Set(known));
});

it("reads back as a user's catalogue", () => {
  expect(readCatalogue(text, "catalogue.json")).toStrictEqual({ catalogue: shipped });
});

it("is at most 150 kB, and reading it takes at most twelve times its parsing as JSON", () => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(150_000);
  const timeOf = (task: () => unknown): number => {
    const start = performance.now();
    task();
    return performance.now() - start;
  };
  // In turns, so that a slow machine slows both.
  const times = Array.from({ length: 20 }, () => ({
    parsed: timeOf(() => JSON.parse(text) as unknown),
    read: timeOf(() => catalogueOfCompact(JSON.parse(text) as CompactCatalogue)),
  }));
  const least = (kind: "parsed" | "read"): number => Math.min(...times.map((one) => one[kind]));
  expect(least("read") / least("parsed")).toBeLessThanOrEqual(12);
});

it("agrees with data derived from EC2's responses: names, processor and memory of every type", () => {
  const derived = ["category", "generation", "family", "size", "capability-flex"].map(
    (name) => `karpenter.k8s.aws/instance-${name}`,
  );
  const wrong = rows.flatMap((row) => {
    const info = ec2Info({
      name: row[0]!,
      architecture: cellOf(row, "kubernetes.io/arch") === "arm64" ? "arm64" : "x86_64",
      vcpus: Number(cellOf(row, "karpenter.k8s.aws/instance-cpu")),
      mebibytes: Number(cellOf(row, "karpenter.k8s.aws/instance-memory")),
      pods: Number(cellOf(row, "pods")),
    });
    const labels = instanceTypeLabels(info);
    const allocatable = instanceTypeAllocatable(info);
    return [
      ...derived.filter((key) => [...labels.get(key)!.values].join(" ") !== cellOf(row, key)),
      ...["cpu", "ephemeral-storage", "memory", "pods"].filter((name) => allocatable[name] !== cellOf(row, name)),
    ].map((what) => `${row[0]} ${what}`);
  });
  expect(wrong).toStrictEqual([]);
});
