/** Hosted clusters that a watch keeps elsewhere as a table, and why those in trouble are. */
import { PLAIN } from "../terminal/style.ts";
import { type Column, layOutTable } from "../terminal/table.ts";
import { oneLine } from "../terminal/printable.ts";
import { readyMessage, readyWords, resultOf, totalOf } from "./cluster-words.ts";
import type { ClusterView, FleetView } from "./fleet-view.ts";
import { ageWords } from "./time-words.ts";
import { verdictCounts } from "./verdict-words.ts";

const GAP = 3;

/** Not cut: whoever looks for a cluster searches in it. */
export function observedTable({ clusters, now }: Pick<FleetView, "clusters" | "now">): string {
  if (clusters.length === 0) return "There is no hosted cluster.\n";
  const columns: readonly Column<ClusterView>[] = [
    { head: "CLUSTER", cell: ({ name }) => name },
    { head: "NAMESPACE", cell: ({ hostedCluster }) => hostedCluster },
    { head: "RESULT", cell: (cluster) => resultOf(cluster) ?? "unknown" },
    { head: "SINCE", cell: ({ lastEnd }) => (lastEnd === undefined ? "-" : ageWords(now - lastEnd)) },
    { head: "POLICY", cell: ({ pass }) => pass?.mode ?? "-" },
    { head: "READY", cell: readyWords },
    { head: "POOLS", cell: poolsOf },
    {
      head: "IN SYNC",
      right: true,
      cell: ({ pass }) =>
        pass?.objects === undefined ? "-" : `${String(pass.objects.inSync)}/${String(totalOf(pass.objects))}`,
    },
    { head: "KEEPER", cell: ({ elsewhere }) => elsewhere?.shortKeeper ?? "-" },
  ];
  const cleaned = columns.map((column) => ({ ...column, cell: (row: ClusterView) => oneLine(column.cell(row)) }));
  const { head, line } = layOutTable(cleaned, clusters, PLAIN, { gaps: [GAP] });
  const why = clusters.filter((cluster) => resultOf(cluster) !== "ok").map(whyLine);
  return [head, ...clusters.map(line), ...(why.length === 0 ? [] : ["", ...why])].map((text) => `${text}\n`).join("");
}

/** How many there are by the inventory, where they are not read. */
function poolsOf({ pass, elsewhere }: ClusterView): string {
  if (pass === undefined) return "-";
  if (elsewhere?.unread === undefined) return verdictCounts(pass.verdicts).join(", ") || "-";
  const made = pass.opened().pools.length;
  return made === 0 ? "-" : String(made);
}

function whyLine(cluster: ClusterView): string {
  return oneLine(`${cluster.name}: ${readyMessage(cluster) || "nothing is told"}`);
}
