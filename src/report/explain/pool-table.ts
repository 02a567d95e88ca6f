/** `explain -o wide`: a line for each pool, for fleets that nobody reads pool by pool. */
import type { DescribedDemand } from "../../analyze/explain/describe-demand.ts";
import { missedWords } from "../../analyze/explain/min-values-words.ts";
import type { PoolSummary } from "../../analyze/explain/summarize-pool.ts";
import { placeText } from "../../krm/location.ts";
import { withoutCommands } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { type Column, layOutTable } from "../terminal/table.ts";
import { demandWords as wordsOf } from "./demand-words.ts";
import { capacityTypes, zones } from "./pool-facts.ts";
import { priceFrom } from "./price-facts.ts";
import { TONES } from "./verdict-of-pool.ts";

/** Above as many a page of each is more than anybody reads. */
export const POOLS_IN_FULL = 10;

export interface TableRoom {
  /** Of a terminal; undefined where nothing has to fit. */
  readonly columns: number | undefined;
}

/** Ends with an empty line; nothing for no pool. */
export function poolTable(
  pools: readonly PoolSummary[],
  { style, columns }: TableRoom & { readonly style: Style },
): string {
  if (pools.length === 0) return "";
  const several = new Set(pools.map(({ hostedCluster }) => hostedCluster)).size > 1;
  const shown = COLUMNS.filter(({ head, cell }) =>
    head === CLUSTER ? several : pools.some((pool) => cell(pool) !== ""),
  );
  const table = layOutTable(shown, pools, style, columns === undefined ? {} : { width: columns });
  return withoutCommands(`${[style.strong(table.head), ...pools.map(table.line)].join("\n")}\n\n`);
}

const CLUSTER = "CLUSTER";

const COLUMNS: readonly Column<PoolSummary>[] = [
  { head: CLUSTER, cell: ({ hostedCluster = "" }) => hostedCluster, min: 12 },
  { head: "POOL", cell: ({ name }) => name, min: 12 },
  { head: "VERDICT", cell: ({ verdict }) => verdict, tone: ({ verdict }) => TONES[verdict] },
  {
    head: "TYPES",
    cell: ({ instanceTypes: { compatible, total } }) => (total === 0 ? "?" : String(compatible)),
    right: true,
  },
  { head: "CAPACITY", cell: ({ requirements }) => capacityTypes(requirements).split(":", 1)[0]!, goes: 2 },
  { head: "ZONES", cell: zonesLeft, min: 8, goes: 3 },
  { head: "PRICE FROM", cell: (pool) => priceFrom(pool) ?? "", right: true, goes: 1 },
  { head: "FIRST CONFLICT", cell: firstConflict, min: 14 },
];

function zonesLeft(pool: PoolSummary): string {
  return zones(pool).split("; ", 1)[0] || "any";
}

/** The reason first, where there is one beside what the pool asks for. */
function firstConflict({ conflict, noNodes, minValuesMissed, underPolicy }: PoolSummary): string {
  const [missed] = minValuesMissed;
  if (missed !== undefined) return missedWords(missed);
  const [demand] = conflict;
  if (demand !== undefined) return demandWords(demand);
  const [reason] = noNodes;
  if (reason !== undefined) return reason;
  const [beyond] = underPolicy?.beyond ?? [];
  return beyond === undefined ? "" : `outside the policy: ${beyond.key}`;
}

function demandWords(demand: DescribedDemand): string {
  return `${demand.key} ${wordsOf(demand)} (${placeText(demand)})`;
}
