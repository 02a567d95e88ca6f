/** The nodes that have to go, for people: in order, with the reason. */
import type { PoolAnswer } from "../../analyze/simulate/simulate.ts";
import { counted } from "../../krm/counted.ts";
import { type Column, layOutTable } from "../terminal/table.ts";
import type { SimulateLook } from "./look.ts";

type Candidate = PoolAnswer["deprovision"][number];

export function candidateRows(candidates: readonly Candidate[], { style }: SimulateLook): string[] {
  const columns: Column<[index: number, candidate: Candidate]>[] = [
    { cell: ([index]) => String(index + 1), tone: () => "faint", right: true },
    { cell: ([, { name }]) => name },
    { cell: ([, candidate]) => whyNow(candidate) },
  ];
  const rows = [...candidates.entries()];
  return rows.map(layOutTable(columns, rows, style, { indent: 4 }).line);
}

function whyNow({ why, pods, cost, lifetimeLeft }: Candidate): string {
  const price = `${counted(pods, "pod")}, eviction cost ${round(cost)} × ${round(lifetimeLeft)} of its lifetime left = ${round(cost * lifetimeLeft)}`;
  switch (why) {
    case "not-launched":
      return "has no instance yet";
    case "empty":
      return pods === 0 ? "runs no pods" : "runs DaemonSet pods only";
    case "do-not-disrupt":
      return `has do-not-disrupt pods, so it goes last: ${price}`;
    case "cost":
      return price;
  }
}

function round(number: number): string {
  return String(Math.round(number * 100) / 100);
}
