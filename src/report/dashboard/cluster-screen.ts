/** An opened cluster: Ready, its pools and node classes, and details of the selected one. */
import { verdictWords } from "../explain/verdict-words.ts";
import { oneLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import type { Column } from "../terminal/table.ts";
import { cutTo, shareBar, textWidth } from "../terminal/text-width.ts";
import { lastWords, nextWords, readyMessage, readyTone, readyWords } from "./cluster-words.ts";
import type { ClusterView, FleetView, NodeClassView, OpenedCluster, PoolView } from "./fleet-view.ts";
import {
  conditionTone,
  conditionWords,
  nodesWords,
  notReadyWords,
  poolNote,
  stateTone,
  stateWords,
  usageWords,
  verdictOf,
  verdictTone,
} from "./pool-words.ts";
import {
  filterOf,
  inLines,
  joinFitting,
  type ListLine,
  listScreen,
  listTable,
  PROGRAM,
  titleLines,
} from "./screen-layout.ts";
import type { ListPlace, Look, Screen, UiState } from "./ui-state.ts";

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
    ...pools.map((pool) => ({
      row: poolRow(pool),
      text: () => poolTable.line(pool),
      detail: () => poolDetail(pool, view.now, look),
    })),
    ...(nodeClasses.length > 0 && pools.length > 0 ? [BLANK, headOfClasses] : []),
    ...nodeClasses.map((one) => ({
      row: nodeClassRow(one),
      text: () => classTable.line(one),
      detail: () => nodeClassDetail(one, view.now, look),
    })),
  ];
  const headOf = (first: number): string => {
    if (first < pools.length) return poolTable.head;
    return first <= lines.indexOf(headOfClasses) ? "" : classTable.head;
  };
  const ready = readyLines(cluster, columns - 2, style).map((line) => ` ${line}`);
  const page = {
    intro: [...titleLines(titleOf(cluster), stateOf(cluster, view), look), ...ready],
    headOf,
    lines,
    empty: emptyWords(cluster, place.filter),
    // The name and verdict, a note, and the figures.
    details: { lines: 3, from: 18 },
    isPaused: () => cluster.isPaused,
    opens: "explain",
    leaves: [["Esc", "back"]] as const,
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

function poolDetail(pool: PoolView, now: number, look: Look): string[] {
  const judged = verdictOf(pool);
  const verdict = judged === undefined ? stateWords(pool, now) : verdictWords(judged);
  const facts = [usageWords(pool), `node class ${pool.nodeClass}`, `Ready ${conditionWords(pool)}`];
  return detailLines([pool.name, verdict, poolNote(pool)], facts, look);
}

function nodeClassDetail(nodeClass: NodeClassView, now: number, look: Look): string[] {
  const facts = nodeClass.found.map(([name, values]) => `${name} ${values.join(", ") || "none"}`);
  return detailLines(
    [nodeClass.name, stateWords(nodeClass, now), nodeClassNote(nodeClass)],
    [`Ready ${conditionWords(nodeClass)}`, ...facts],
    look,
  );
}

function nodeClassNote(one: NodeClassView): string {
  return one.state.why || notReadyWords(one);
}

function detailLines(
  [name, words, note]: readonly [string, string, string],
  figures: readonly string[],
  { columns, style }: Look,
): string[] {
  const room = columns - 2;
  const first = cutTo(oneLine(name), room);
  const rest = cutTo(oneLine(words), room - textWidth(first) - 2);
  return [
    ` ${style.strong(first)}${rest === "" ? "" : `  ${rest}`}`,
    ` ${cutTo(oneLine(note), room)}`,
    ` ${style.faint(joinFitting(figures.filter((one) => one !== "").map(oneLine), room))}`,
  ];
}

const WIDE = 140;
const BAR_WIDTH = 10;

/** Verdict and types are computed only for visible rows, so their columns have a fixed width. */
function poolColumns(now: number, width: number): Column<PoolView>[] {
  const verdict: Column<PoolView> = {
    head: "VERDICT",
    cell: (pool) => verdictOf(pool) ?? "–",
    tone: (pool) => verdictTone(verdictOf(pool)),
    width: "unsatisfiable".length,
  };
  const types: Column<PoolView> = {
    head: "TYPES",
    cell: ({ explained }) => {
      const left = explained()?.instanceTypes;
      return left === undefined ? "–" : `${String(left.compatible)}/${String(left.total)}`;
    },
    right: true,
    width: "1363/1363".length,
  };
  const nodes: Column<PoolView> = { head: "NODES", cell: nodesWords, right: true, min: 5 };
  const name: Column<PoolView> = { head: "POOL", cell: ({ name: own }) => own, min: 12 };
  const state: Column<PoolView> = { head: "STATE", cell: (pool) => stateWords(pool, now), tone: stateTone };
  if (width < WIDE) return [name, verdict, types, nodes, { ...state, min: 9, grows: true }];
  const bar: Column<PoolView> = {
    head: "",
    cell: ({ explained }) => {
      const left = explained()?.instanceTypes;
      return left === undefined ? "" : shareBar(left.compatible / Math.max(1, left.total), BAR_WIDTH);
    },
    tone: () => "faint",
    width: BAR_WIDTH,
    goes: 2,
  };
  const nodeClass: Column<PoolView> = { head: "NODE CLASS", cell: ({ nodeClass: own }) => own, min: 12, goes: 1 };
  const ready: Column<PoolView> = { head: "READY", cell: conditionWords, tone: conditionTone, min: 5 };
  const note: Column<PoolView> = { head: "", cell: poolNote, tone: () => "faint", min: 24, grows: true, goes: 3 };
  return [name, verdict, types, bar, nodes, nodeClass, ready, { ...state, min: 9 }, note];
}

function nodeClassColumns(now: number, width: number): Column<NodeClassView>[] {
  const columns: Column<NodeClassView>[] = [
    { head: "NODE CLASS", cell: ({ name }) => name, min: 12 },
    { head: "READY", cell: conditionWords, tone: conditionTone, min: 5 },
    { head: "POOLS", cell: ({ pools }) => String(pools.length), right: true },
  ];
  const state: Column<NodeClassView> = { head: "STATE", cell: (one) => stateWords(one, now), tone: stateTone, min: 9 };
  if (width < WIDE) return [...columns, { ...state, grows: true }];
  return [...columns, state, { head: "", cell: nodeClassNote, tone: () => "faint", min: 24, grows: true, goes: 1 }];
}
