/** An opened cluster: Ready, its pools and node classes, and more words on the selected one. */
import type { Style } from "../terminal/style.ts";
import { keyBar, type KeyHint, rule, titleLines, windowWords } from "./bars.ts";
import { lastWords, nextWords, readyMessage, readyTone, readyWords } from "./cluster-words.ts";
import { filterHint, filterOf } from "./filter.ts";
import { cutTo, oneLine } from "./fit-text.ts";
import type { ClusterView, FleetView, NodeClassView, OpenedCluster, PoolView } from "./fleet-view.ts";
import { mark } from "./fleet-screen.ts";
import { layOutColumns } from "./lay-out-columns.ts";
import { listWindow } from "./list-window.ts";
import { DETAIL_LINES, objectDetail } from "./object-detail.ts";
import { nodeClassColumns, poolColumns } from "./pool-columns.ts";
import { conditionWords, verdictOf } from "./pool-words.ts";
import type { Look, Screen } from "./screen.ts";
import type { ListPlace, UiState } from "./ui-state.ts";
import { wrapWhole } from "./wrap-whole.ts";

const MARK_WIDTH = 3;
const READY_LINES = 2;

/** `NodePool/web`. */
export const poolRow = ({ name }: PoolView): string => `NodePool/${name}`;
export const nodeClassRow = ({ name }: NodeClassView): string => `EC2NodeClass/${name}`;

type Applied = Pick<OpenedCluster, "pools" | "nodeClasses">;

interface Line {
  /** Undefined for what cannot be selected. */
  readonly row: string | undefined;
  readonly text: () => string;
}

const BLANK: Line = { row: undefined, text: () => "" };

export function clusterScreen(
  cluster: ClusterView,
  view: FleetView,
  place: ListPlace,
  ui: UiState,
  look: Look,
): Screen {
  const { columns, rows, style } = look;
  const opened = filtered(cluster.pass?.opened() ?? NOTHING, place.filter);
  const poolTable = layOutColumns(poolColumns(view.now, columns), opened.pools, columns - MARK_WIDTH - 1, style);
  const classTable = layOutColumns(
    nodeClassColumns(view.now, columns),
    opened.nodeClasses,
    columns - MARK_WIDTH - 1,
    style,
  );
  const heading = (text: string): string => style.faint(`${" ".repeat(MARK_WIDTH)}${text}`);
  const headOfClasses: Line = { row: undefined, text: () => heading(classTable.head) };
  const lines: Line[] = [
    ...opened.pools.map((pool) => ({ row: poolRow(pool), text: () => poolTable.line(pool) })),
    ...(opened.nodeClasses.length > 0 && opened.pools.length > 0 ? [BLANK, headOfClasses] : []),
    ...opened.nodeClasses.map((one) => ({ row: nodeClassRow(one), text: () => classTable.line(one) })),
  ];
  const ready = readyLines(cluster, columns - 2, style);
  const intro = [...titleLines(titleOf(cluster), stateOf(cluster, view), look), ...ready.map((line) => ` ${line}`)];
  const detailed = rows >= 18;
  const room = rows - intro.length - 1 - 2 - (detailed ? DETAIL_LINES : 0);
  const { selected, top } = listWindow(
    lines.map(({ row }) => row),
    place,
    room,
  );
  const body = lines
    .slice(top, top + room)
    .map(({ row, text }) => (row === undefined ? text() : `${mark(row === selected, style)}${text()}`));
  const head =
    top < opened.pools.length
      ? heading(poolTable.head)
      : top <= lines.indexOf(headOfClasses)
        ? ""
        : headOfClasses.text();
  const pool = opened.pools.find((one) => poolRow(one) === selected);
  const nodeClass = opened.nodeClasses.find((one) => nodeClassRow(one) === selected);
  const names = lines.flatMap(({ row }) => (row === undefined ? [] : [row]));
  return {
    top: [...intro, head],
    body: body.length > 0 ? body : [style.faint(`   ${emptyWords(cluster, place.filter)}`)],
    bottom: [
      rule(look, windowWords(top, room, lines.length)),
      ...(detailed ? objectDetail(pool, nodeClass, view.now, look) : []),
      filterHint(ui, place.filter, look) ?? keyBar(keysOf(cluster), SPARE, ui.note, look),
    ],
    content: { kind: "list", rows: names, selected, top, room },
  };
}

const NOTHING: Applied = { pools: [], nodeClasses: [] };

function filtered({ pools, nodeClasses }: Applied, filter: string): Applied {
  const ofPool = (pool: PoolView): string[] => [pool.name, pool.state.words, pool.nodeClass, conditionWords(pool)];
  // A verdict is looked up for every pool only where something is looked for.
  const passes = filterOf(filter, (pool: PoolView) => [...ofPool(pool), verdictOf(pool) ?? ""]);
  const passesClass = filterOf(filter, (one: NodeClassView) => [one.name, one.state.words, conditionWords(one)]);
  return { pools: pools.filter(passes), nodeClasses: nodeClasses.filter(passesClass) };
}

export function titleOf({ name, hostedCluster }: ClusterView): string {
  return `anp watch › ${oneLine(name)} (${oneLine(hostedCluster)})`;
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
  const lines = wrapWhole(oneLine(`${lead}${readyMessage(cluster)}`), width);
  const shown = lines.slice(0, READY_LINES);
  if (lines.length > READY_LINES) shown[READY_LINES - 1] = cutTo(`${shown[READY_LINES - 1]!} …`, width);
  const tone = readyTone(cluster);
  return [...shown, ...Array<string>(READY_LINES).fill("")]
    .slice(0, READY_LINES)
    .map((line) => (tone === undefined || line === "" ? line : style[tone](line)));
}

function emptyWords({ pass }: ClusterView, filter: string): string {
  if (pass === undefined) return "Nothing is known before the first pass has ended.";
  return filter === "" ? "There are no pools and no node classes." : `Nothing has "${oneLine(filter)}". Esc shows all.`;
}

function keysOf(cluster: ClusterView): KeyHint[] {
  return [
    ["↑↓", "move"],
    ["Enter", "explain"],
    ["f", "findings"],
    ["l", "log"],
    ["p", cluster.isPaused ? "resume" : "pause"],
    ["r", "reconcile"],
    ["/", "filter"],
    ["Esc", "back"],
    ["?", "help"],
    ["q", "quit"],
  ];
}

const SPARE: readonly string[] = ["↑↓", "l", "/", "f", "r", "p"];
