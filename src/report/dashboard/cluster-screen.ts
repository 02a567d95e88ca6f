/** An opened cluster: Ready, its pools and node classes, and details of the selected one. */
import type { Style } from "../terminal/style.ts";
import { inLines, PROGRAM, titleLines } from "./bars.ts";
import { lastWords, nextWords, readyMessage, readyTone, readyWords } from "./cluster-words.ts";
import { filterOf } from "./filter.ts";
import { oneLine } from "../terminal/printable.ts";
import type { ClusterView, FleetView, NodeClassView, OpenedCluster, PoolView } from "./fleet-view.ts";
import { controlsOf, type ListLine, listKeys, listScreen, listTable } from "./list-screen.ts";
import { DETAIL_LINES, objectDetail } from "./object-detail.ts";
import { nodeClassColumns, poolColumns } from "./pool-columns.ts";
import { conditionWords, verdictOf } from "./pool-words.ts";
import type { Look, Screen } from "./screen.ts";
import type { ListPlace, UiState } from "./ui-state.ts";

const READY_LINES = 2;

/** `NodePool/web`. */
export const poolRow = ({ name }: PoolView): string => `NodePool/${name}`;
export const nodeClassRow = ({ name }: NodeClassView): string => `EC2NodeClass/${name}`;

type Applied = Pick<OpenedCluster, "pools" | "nodeClasses">;

const BLANK: ListLine = { row: undefined, text: () => "" };

export function clusterScreen(
  cluster: ClusterView,
  view: FleetView,
  place: ListPlace,
  ui: UiState,
  look: Look,
): Screen {
  const { columns, style } = look;
  const { pools, nodeClasses } = filtered(cluster.pass?.opened() ?? NOTHING, place.filter);
  const poolTable = listTable(poolColumns(view.now, columns), pools, look);
  const classTable = listTable(nodeClassColumns(view.now, columns), nodeClasses, look);
  const headOfClasses: ListLine = { row: undefined, text: () => classTable.head };
  const lines: ListLine[] = [
    ...pools.map((pool) => ({ row: poolRow(pool), text: () => poolTable.line(pool) })),
    ...(nodeClasses.length > 0 && pools.length > 0 ? [BLANK, headOfClasses] : []),
    ...nodeClasses.map((one) => ({ row: nodeClassRow(one), text: () => classTable.line(one) })),
  ];
  const headOf = (first: number): string => {
    if (first < pools.length) return poolTable.head;
    return first <= lines.indexOf(headOfClasses) ? "" : classTable.head;
  };
  const detailOf = (row: string | undefined): string[] => {
    const pool = pools.find((one) => poolRow(one) === row);
    const nodeClass = nodeClasses.find((one) => nodeClassRow(one) === row);
    return objectDetail(pool, nodeClass, view.now, look);
  };
  const ready = readyLines(cluster, columns - 2, style).map((line) => ` ${line}`);
  const page = {
    intro: [...titleLines(titleOf(cluster), stateOf(cluster, view), look), ...ready],
    headOf,
    lines,
    empty: emptyWords(cluster, place.filter),
    detail: { lines: DETAIL_LINES, from: 18, of: detailOf },
    keysOf: () => listKeys("explain", controlsOf(cluster), [["Esc", "back"]]),
  };
  return listScreen(page, place, ui, look);
}

const NOTHING: Applied = { pools: [], nodeClasses: [] };

function filtered({ pools, nodeClasses }: Applied, filter: string): Applied {
  const ofPool = (pool: PoolView): string[] => [pool.name, pool.state.words, pool.nodeClass, conditionWords(pool)];
  // Verdicts are computed for every pool only if there is a filter.
  const passes = filterOf(filter, (pool: PoolView) => [...ofPool(pool), verdictOf(pool) ?? ""]);
  const passesClass = filterOf(filter, (one: NodeClassView) => [one.name, one.state.words, conditionWords(one)]);
  return { pools: pools.filter(passes), nodeClasses: nodeClasses.filter(passesClass) };
}

export function titleOf({ name, hostedCluster }: ClusterView): string {
  return `${PROGRAM} › ${oneLine(name)} (${oneLine(hostedCluster)})`;
}

function stateOf(cluster: ClusterView, { now, stopping }: FleetView): string {
  if (stopping) return "stopping";
  const next = nextWords(cluster, now);
  const words = [
    cluster.pass?.mode,
    lastWords(cluster, now),
    cluster.phase === "waiting" ? `next in ${next}` : next,
    cluster.pass?.dryRun === true ? "dry run" : undefined,
  ];
  return words.filter((word) => word !== undefined && word !== "–").join(" · ");
}

function readyLines(cluster: ClusterView, width: number, style: Style): string[] {
  const words = cluster.pass === undefined ? "" : `Ready ${cluster.pass.ready.status}, ${readyWords(cluster)}: `;
  const lead = cluster.broken === undefined ? words : "The pass failed: ";
  const tone = readyTone(cluster);
  return inLines(`${lead}${readyMessage(cluster)}`, width, READY_LINES).map((line) =>
    tone === undefined || line === "" ? line : style[tone](line),
  );
}

function emptyWords({ pass }: ClusterView, filter: string): string {
  if (pass === undefined) return "Nothing is known before the first pass has ended.";
  return filter === "" ? "There are no pools and no node classes." : `Nothing has "${oneLine(filter)}". Esc shows all.`;
}
