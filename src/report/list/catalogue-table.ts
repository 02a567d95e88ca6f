/** Instance types as a table for people, without columns that the catalogue cannot fill. */
import type { InstanceTypeRow } from "../../analyze/list/list-instance-types.ts";
import { printable } from "../terminal/printable.ts";

interface Column {
  readonly title: string;
  readonly field: keyof InstanceTypeRow;
  readonly wide?: true;
  /** Numbers are compared by their last digits. */
  readonly right?: true;
  /** Left out, the highest first, where the terminal is too narrow. */
  readonly spare?: number;
}

const COLUMNS: readonly Column[] = [
  { title: "NAME", field: "name" },
  { title: "ARCH", field: "arch" },
  { title: "VCPU", field: "vcpu", right: true },
  { title: "MEMORY", field: "memory", right: true },
  { title: "NETWORK", field: "network", right: true, spare: 1 },
  { title: "DISK", field: "disk", right: true, spare: 2 },
  { title: "ACCELERATORS", field: "accelerators" },
  { title: "CPU", field: "cpuManufacturer", wide: true },
  { title: "EBS", field: "ebs", wide: true, right: true },
  { title: "HYPERVISOR", field: "hypervisor", wide: true },
  { title: "ALLOC-CPU", field: "allocatableCpu", wide: true, right: true },
  { title: "ALLOC-MEMORY", field: "allocatableMemory", wide: true, right: true },
  { title: "PODS", field: "pods", wide: true, right: true },
  { title: "CAPACITY", field: "capacityTypes", wide: true },
  { title: "ZONES", field: "zones", wide: true },
];

const GAP = "   ";

interface TableOptions {
  /** Every column, however wide the terminal is. */
  readonly wide: boolean;
  readonly width: number;
}

/** An empty text for no rows, as kubectl has it. */
export function catalogueTable(rows: readonly InstanceTypeRow[], { wide, width }: TableOptions): string {
  if (rows.length === 0) return "";
  const known = ({ field }: Column): boolean => rows.some((row) => row[field] !== undefined);
  let columns = COLUMNS.filter((column) => (wide || column.wide !== true) && known(column)).map((column) => ({
    ...column,
    ...aligned(column, rows),
  }));

  for (const spare of wide ? [] : [2, 1]) {
    const needed = columns.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length);
    if (needed > width) columns = columns.filter((column) => column.spare !== spare);
  }
  const lines = Array.from({ length: rows.length + 1 }, (_, line) => columns.map(({ cells }) => cells[line]).join(GAP));
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function aligned({ title, field, right }: Column, rows: readonly InstanceTypeRow[]) {
  const cells = [title, ...rows.map((row) => printable(row[field] ?? "-"))];
  const width = Math.max(...cells.map((cell) => cell.length));
  return { width, cells: cells.map((cell) => (right === true ? cell.padStart(width) : cell.padEnd(width))) };
}
