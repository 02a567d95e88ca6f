/** Replicas and shards as two tables for people. */
import { PLAIN } from "../terminal/style.ts";
import { type Column, layOutTable } from "../terminal/table.ts";

interface Replica {
  readonly replica: string;
  readonly lives: boolean;
  readonly ending: boolean;
  readonly range: string;
  readonly of: number;
  readonly shards: number;
  readonly clusters: number;
}

interface Shard {
  readonly shard: number;
  readonly replica: string | undefined;
  readonly clusters: readonly string[];
}

const GAP = 3;

export function shardTables({
  replicas,
  shards,
}: {
  readonly replicas: readonly Replica[];
  readonly shards: readonly Shard[];
}): string {
  const replicaColumns = [
    { head: "REPLICA", cell: ({ replica }: Replica) => replica },
    { head: "STATE", cell: stateOf },
    { head: "RANGE", cell: ({ range, of }: Replica) => `${range}/${of}` },
    { head: "SHARDS", right: true, cell: ({ shards: held }: Replica) => String(held) },
    { head: "CLUSTERS", right: true, cell: ({ clusters }: Replica) => String(clusters) },
  ];
  const shardColumns = [
    { head: "SHARD", right: true, cell: ({ shard }: Shard) => String(shard) },
    { head: "REPLICA", cell: ({ replica }: Shard) => replica ?? "nobody" },
    { head: "CLUSTERS", right: true, cell: ({ clusters }: Shard) => String(clusters.length) },
    { head: "WHICH", cell: ({ clusters }: Shard) => clusters.join(" ") || "-" },
  ];
  return [tableOf(replicaColumns, replicas), tableOf(shardColumns, shards)].filter((text) => text !== "").join("\n");
}

/** Not cut: whoever looks for a cluster searches in it. */
function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const { head, line } = layOutTable(columns, rows, PLAIN, { gaps: [GAP] });
  return [head, ...rows.map(line)].map((text) => `${text}\n`).join("");
}

function stateOf({ lives, ending }: Replica): string {
  if (!lives) return "gone";
  return ending ? "ending" : "works";
}
