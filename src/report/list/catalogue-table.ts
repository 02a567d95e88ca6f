/** Instance types as a table for people, without columns that the catalogue cannot fill. */
import type { InstanceTypeRow } from "../../analyze/list/list-instance-types.ts";
import { PLAIN } from "../terminal/style.ts";
import { type Column, layOutTable } from "../terminal/table.ts";

interface ListedField extends Pick<Column<InstanceTypeRow>, "head" | "right" | "goes"> {
  readonly field: keyof InstanceTypeRow;
  readonly wide?: true;
}

const COLUMNS: readonly ListedField[] = [
  { head: "NAME", field: "name" },
  { head: "ARCH", field: "arch" },
  { head: "VCPU", field: "vcpu", right: true },
  { head: "MEMORY", field: "memory", right: true },
  { head: "PRICE", field: "price", right: true },
  { head: "SPOT", field: "spotPrice", right: true },
  { head: "NETWORK", field: "network", right: true, goes: 1 },
  { head: "DISK", field: "disk", right: true, goes: 2 },
  { head: "ACCELERATORS", field: "accelerators" },
  { head: "CPU", field: "cpuManufacturer", wide: true },
  { head: "EBS", field: "ebs", wide: true, right: true },
  { head: "HYPERVISOR", field: "hypervisor", wide: true },
  { head: "ALLOC-CPU", field: "allocatableCpu", wide: true, right: true },
  { head: "ALLOC-MEMORY", field: "allocatableMemory", wide: true, right: true },
  { head: "PODS", field: "pods", wide: true, right: true },
  { head: "CAPACITY", field: "capacityTypes", wide: true },
  { head: "ZONES", field: "zones", wide: true },
];

const GAP = 3;

interface TableOptions {
  /** Shows every column on any terminal. */
  readonly wide: boolean;
  readonly width: number;
}

/** Empty without rows, as in kubectl. */
export function catalogueTable(rows: readonly InstanceTypeRow[], { wide, width }: TableOptions): string {
  if (rows.length === 0) return "";
  const known = COLUMNS.filter(
    (column) => (wide || column.wide !== true) && rows.some((row) => row[column.field] !== undefined),
  );
  const columns = known.map(({ field, ...column }) => ({
    ...column,
    cell: (row: InstanceTypeRow) => row[field] ?? "-",
  }));
  const { head, line } = layOutTable(columns, rows, PLAIN, { width: wide ? Infinity : width, gaps: [GAP] });
  return [head, ...rows.map(line)].map((text) => `${text}\n`).join("");
}
