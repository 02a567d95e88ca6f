/** The screen to show for a view of the fleet and the state of the user interface. */
import { oneLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { padTo } from "../terminal/text-width.ts";
import { hanging, wrapWhole } from "../terminal/wrap.ts";
import { clusterScreen, nodeClassRow, poolRow, titleOf } from "./cluster-screen.ts";
import { findingsText } from "./findings-text.ts";
import { fleetScreen } from "./fleet-screen.ts";
import type { ClusterView, FleetView, LogLine } from "./fleet-view.ts";
import { nodeClassText, poolText } from "./object-text.ts";
import { PROGRAM, textScreen } from "./screen-layout.ts";
import { type Look, type OpenScreen, type Screen, shownScreen, SMALLEST, type UiState } from "./ui-state.ts";

export function screenOf(view: FleetView, ui: UiState, look: Look): Screen {
  const { columns, rows, style } = look;
  if (columns < SMALLEST.columns || rows < SMALLEST.rows) return tooSmall(look);
  const open = shownScreen(ui);
  switch (open.kind) {
    case "fleet":
      return fleetScreen(view, open, ui, look);
    case "help":
      return textScreen(`${PROGRAM} › help`, helpText(columns, style), open, ui, look);
    case "log": {
      const of = open.cluster === undefined ? "" : ` › ${oneLine(open.cluster)}`;
      const lines = logText(view.log, open.cluster, columns, style);
      return textScreen(`${PROGRAM}${of} › log`, lines, open, ui, look);
    }
    default: {
      const cluster = view.clusters.find(({ name }) => name === open.cluster);
      return cluster === undefined ? gone(open.cluster, ui, look) : clusterPart(cluster, open, view, ui, look);
    }
  }
}

type ClusterPart = Extract<OpenScreen, { readonly kind: "cluster" | "object" | "findings" }>;

function clusterPart(cluster: ClusterView, open: ClusterPart, view: FleetView, ui: UiState, look: Look): Screen {
  const { columns: width, style } = look;
  if (open.kind === "cluster") return clusterScreen(cluster, view, open, ui, look);
  const title = titleOf(cluster);
  if (open.kind === "findings")
    return textScreen(`${title} › findings`, findingsText(cluster, width, style), open, ui, look);
  const opened = cluster.pass?.opened();
  const pool = opened?.pools.find((one) => poolRow(one) === open.object);
  const nodeClass = opened?.nodeClasses.find((one) => nodeClassRow(one) === open.object);
  const options = { now: view.now, width, style, catalogue: view.catalogue };
  const lines =
    pool !== undefined
      ? poolText(pool, options)
      : nodeClass !== undefined
        ? nodeClassText(nodeClass, options)
        : [style.faint(` ${oneLine(open.object)} is not there any more.`)];
  return textScreen(`${title} › ${oneLine(open.object)}`, lines, open, ui, look);
}

function gone(name: string, ui: UiState, look: Look): Screen {
  const lines = [look.style.faint(` ${oneLine(name)} is not watched any more.`)];
  return textScreen(PROGRAM, lines, { top: 0 }, ui, look);
}

function tooSmall({ columns, rows }: Look): Screen {
  const size = `${String(columns)}×${String(rows)}`;
  const needed = `${String(SMALLEST.columns)}×${String(SMALLEST.rows)}`;
  const words = [`The terminal is ${size}:`, `anp watch needs ${needed}.`, "q quits."];
  return {
    top: words.map((line) => line.slice(0, columns)).slice(0, rows),
    body: [],
    bottom: [],
    content: { kind: "text", lines: 0, top: 0, room: rows },
  };
}

/** @param cluster only lines of this cluster; undefined for all */
function logText(log: readonly LogLine[], cluster: string | undefined, width: number, style: Style): string[] {
  const lines = log.filter((line) => cluster === undefined || line.cluster === cluster);
  if (lines.length === 0) return [style.faint(" Nothing has been logged yet.")];
  return lines.flatMap(({ level, text }) => {
    const paint = level === "info" ? undefined : style[level === "warn" ? "warning" : "error"];
    return wrapWhole(text, width - 2, 2).map((line) => ` ${paint === undefined ? line : paint(line)}`);
  });
}

const KEYS: readonly (readonly [string, string])[] = [
  ["↑ ↓, k j", "move, or scroll"],
  ["PgUp PgDn", "by a page; Home and End (g G): to the first and the last"],
  ["Enter, →", "open a cluster; in a cluster: explain a pool, show a node class"],
  ["Esc, ←", "back; with a filter: show all"],
  ["f", "all problems of the cluster, in full"],
  ["l", "recent lines of the log: of all clusters, or of the opened one"],
  ["p", "pause the cluster: a running pass ends, and no other starts; p again resumes it"],
  ["r", "reconcile the cluster now"],
  ["/", "show only rows that have these words in their name or state, such as failed"],
  ["q, Ctrl-C", "end anp watch after the current object; a second time ends it at once"],
];

const COLUMNS: readonly (readonly [string, string])[] = [
  ["POLICY", "Apply: enforced. Hold: nothing is changed. Permissive: user requirements pass unchanged"],
  ["READY", "the reason of the AutoNodePolicy's condition Ready"],
  [
    "IN SYNC",
    "objects in sync, of all. Changed: by the last pass. Held: not changed; f shows why. Foreign: owned by others. Failed: the cluster refused them, or the pass did not reach them",
  ],
  [
    "POOLS",
    "what the policy and its class leave of each pool, the worst first: no nodes, bypassed, unknown (types that the catalogue does not know), narrowed, paused (by a limit of 0), ok",
  ],
  ["DRIFT", "fields that others changed and anp corrected since the start"],
  ["LAST", "how the last pass ended, and how long ago"],
  ["NEXT", "when the next pass comes, or what the cluster waits for"],
  ["VERDICT", "as POOLS: ok, narrowed by the policy, unsatisfiable (no nodes), bypassed, unknown or paused"],
  ["TYPES", "instance types that are left, of all in the catalogue"],
  ["NODES", "nodes of the pool, and its limit"],
];

function helpText(width: number, style: Style): string[] {
  const table = (rows: readonly (readonly [string, string])[]): string[] =>
    rows.flatMap(([name, words]) =>
      hanging(
        wrapWhole(words, width - NAME_WIDTH - 3),
        ` ${padTo(name, NAME_WIDTH, { paint: style.strong })} `,
        NAME_WIDTH + 2,
      ),
    );
  return [...table(KEYS), "", ...table(COLUMNS)];
}

const NAME_WIDTH = 11;
