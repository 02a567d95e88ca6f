/** `explain -o wide`: a line for each pool, for large fleets. */
import type { DescribedDemand, PoolSummary } from "../../analyze/explain/pool-answer.ts";
import { readyWords } from "../../analyze/explain/describe-clusters.ts";
import { missedWords } from "../../analyze/explain/why-no-nodes.ts";
import { placeText } from "../../krm/places/location.ts";
import type { Block } from "../blocks/blocks.ts";
import type { Column } from "../terminal/table.ts";
import { demandWords as wordsOf, placeholderWords, stateOf, TONES, unreadWords } from "./verdict-words.ts";
import { capacityTypes, priceFrom, zonesLeft } from "./pool-facts.ts";

/** Above this number of pools, the default is a table. */
export const POOLS_IN_FULL = 10;

/** Ends with an empty line; empty without pools. */
export function poolTable(pools: readonly PoolSummary[]): Block[] {
  if (pools.length === 0) return [];
  const several = new Set(pools.map(({ hostedCluster }) => hostedCluster)).size > 1;
  const shown = COLUMNS.filter(({ head, cell }) =>
    head === CLUSTER ? several : pools.some((pool) => cell(pool) !== ""),
  );
  const rows = pools.map((pool) => ({
    cells: shown.map(({ cell, tone }) => [{ text: cell(pool), tone: tone?.(pool) }]),
  }));
  return [{ kind: "table", label: "Pools", columns: shown, rows }, { kind: "gap" }];
}

const CLUSTER = "CLUSTER";

const COLUMNS: readonly Column<PoolSummary>[] = [
  { head: CLUSTER, cell: ({ hostedCluster = "" }) => hostedCluster, min: 12 },
  { head: "POOL", cell: ({ name }) => name, min: 12 },
  { head: "VERDICT", cell: (pool) => stateOf(pool), tone: (pool) => TONES[stateOf(pool)] },
  {
    head: "TYPES",
    cell: ({ instanceTypes: { compatible, total } }) => (total === 0 ? "?" : String(compatible)),
    right: true,
  },
  { head: "CAPACITY", cell: (pool) => capacityTypes(pool).split(":", 1)[0]!, goes: 2 },
  { head: "ZONES", cell: zonesLeft, min: 8, goes: 3 },
  { head: "PRICE FROM", cell: (pool) => priceFrom(pool) ?? "", right: true, goes: 1 },
  { head: "FIRST CONFLICT", cell: firstConflict, min: 14 },
];

/** The reason comes first, if there is one besides the entries of the pool. */
function firstConflict(pool: PoolSummary): string {
  const { conflict, noNodes, minValuesMissed, underPolicy, ready, verdict, unread, unknown } = pool;
  if (unknown !== undefined) return placeholderWords(unknown);
  if (stateOf(pool) === "not ready") return readyWords(ready!);
  const [missed] = minValuesMissed;
  if (missed !== undefined) return missedWords(missed);
  const [demand] = conflict;
  if (demand !== undefined) return demandWords(demand);
  const [reason] = noNodes;
  if (reason !== undefined) return reason;
  if (verdict === "unknown" && unread !== undefined) return unreadWords(unread);
  const [beyond] = underPolicy?.beyond ?? [];
  return beyond === undefined ? "" : `outside the policy: ${beyond.key}`;
}

function demandWords(demand: DescribedDemand): string {
  return `${demand.key} ${wordsOf(demand)} (${placeText(demand)})`;
}
