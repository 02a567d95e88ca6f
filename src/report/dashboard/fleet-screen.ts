/** The first screen: every watched cluster in a row, and more words on the selected one below. */
import type { Style } from "../terminal/style.ts";
import { joinFitting, keyBar, type KeyHint, rule, titleLines, windowWords } from "./bars.ts";
import { countWords, objectWords, readyMessage, readyWords, resultOf } from "./cluster-words.ts";
import { filterHint, filterOf } from "./filter.ts";
import { cutTo, oneLine, widthOf } from "./fit-text.ts";
import type { ClusterView, FleetView } from "./fleet-view.ts";
import { fleetColumns } from "./fleet-columns.ts";
import { layOutColumns } from "./lay-out-columns.ts";
import { listWindow } from "./list-window.ts";
import type { Look, Screen } from "./screen.ts";
import { ageWords } from "./time-words.ts";
import type { ListPlace, UiState } from "./ui-state.ts";
import { verdictCounts, verdictLine, worstVerdict } from "./verdict-words.ts";
import { wrapWhole } from "./wrap-whole.ts";

const MARK_WIDTH = 3;
const MESSAGE_LINES = 2;

export function fleetScreen(view: FleetView, place: ListPlace, ui: UiState, look: Look): Screen {
  const { columns, rows, style } = look;
  const table = layOutColumns(fleetColumns(view.now, columns), view.clusters, columns - MARK_WIDTH - 1, style);
  const passes = filterOf(place.filter, (cluster: ClusterView) => [
    cluster.name,
    cluster.hostedCluster,
    cluster.pass?.mode ?? "",
    readyWords(cluster),
    resultOf(cluster) ?? "",
    cluster.phase,
    ...verdictCounts(cluster.pass?.verdicts ?? []),
    worstVerdict(cluster.pass?.verdicts ?? []) ?? "",
  ]);
  const shown = view.clusters.filter(passes);
  const top = [
    ...titleLines("anp watch", joinFitting(fleetWords(view, shown.length), columns - 13), look),
    style.faint(`${" ".repeat(MARK_WIDTH)}${table.head}`),
  ];
  const names = shown.map(({ name }) => name);
  const detailed = rows >= 16;
  const room = rows - top.length - 2 - (detailed ? DETAIL_LINES : 0);
  const { selected, top: first } = listWindow(names, place, room);
  const body = shown
    .slice(first, first + room)
    .map((cluster) => `${mark(cluster.name === selected, style)}${table.line(cluster)}`);
  const chosen = shown.find(({ name }) => name === selected);
  return {
    top,
    body: body.length > 0 ? body : [style.faint(`   ${emptyWords(view, place.filter)}`)],
    bottom: [
      rule(look, windowWords(first, room, shown.length)),
      ...(detailed ? detail(chosen, view.now, look) : []),
      filterHint(ui, place.filter, look) ?? keyBar(keysOf(chosen), SPARE, ui.note, look),
    ],
    content: { kind: "list", rows: names, selected, top: first, room },
  };
}

export function mark(selected: boolean, { strong }: Style): string {
  return selected ? ` ${strong("▸")} ` : "   ";
}

/** The name, why, the pools, and the numbers. */
const DETAIL_LINES = 1 + MESSAGE_LINES + 1 + 1;

function detail(cluster: ClusterView | undefined, now: number, { columns, style }: Look): string[] {
  if (cluster === undefined) return Array<string>(DETAIL_LINES).fill("");
  const { pass, drift, pruned, lastSuccess } = cluster;
  const room = columns - 2;
  const head = `${oneLine(cluster.name)} (${oneLine(cluster.hostedCluster)})`;
  const ready = pass === undefined ? "" : `  Ready ${pass.ready.status}: ${oneLine(readyWords(cluster))}`;
  const message = wrapWhole(oneLine(readyMessage(cluster)), room);
  const lines = message.slice(0, MESSAGE_LINES);
  if (message.length > MESSAGE_LINES) lines[MESSAGE_LINES - 1] = cutTo(`${lines[MESSAGE_LINES - 1]!} …`, room);
  const facts = [
    ...(pass === undefined ? [] : [`${objectWords(pass.objects)}${pass.dryRun ? " (dry run)" : ""}`]),
    ...(pass === undefined ? [] : [countWords(pass.findings.length, "finding")]),
    ...(pruned > 0 ? [`${String(pruned)} pruned`] : []),
    lastSuccess === undefined ? "never ok yet" : `ok ${ageWords(now - lastSuccess)} ago`,
    `drift ${String(drift)}`,
  ];
  const name = cutTo(head, room);
  const pools = verdictLine(pass?.verdicts ?? [], room - "pools ".length, style);
  return [
    ` ${style.strong(name)}${cutTo(ready, room - widthOf(name))}`,
    ...[...lines, ...Array<string>(MESSAGE_LINES).fill("")].slice(0, MESSAGE_LINES).map((line) => ` ${line}`),
    ` ${pools === "" ? "" : `pools ${pools}`}`.trimEnd(),
    ` ${style.faint(joinFitting(facts, room))}`,
  ];
}

/** What matters most comes first. */
function fleetWords({ clusters, leader, stopping }: FleetView, shown: number): string[] {
  if (stopping) return ["stopping after the passes that run; q again: at once"];
  const count = (wanted: string): string[] => {
    const number = clusters.filter((cluster) => (resultOf(cluster) ?? "not run yet") === wanted).length;
    return number === 0 ? [] : [`${String(number)} ${wanted}`];
  };
  const all = countWords(clusters.length, "cluster");
  const paused = clusters.filter(({ isPaused }) => isPaused).length;
  return [
    shown === clusters.length ? all : `${String(shown)} of ${all}`,
    ...["ok", "held", "failed", "not run yet"].flatMap(count),
    ...(paused > 0 ? [`${String(paused)} paused`] : []),
    ...(leader === undefined ? [] : [leader ? "leader" : "standby"]),
  ];
}

function emptyWords({ clusters }: FleetView, filter: string): string {
  return clusters.length === 0 ? "No cluster is watched." : `No cluster has "${oneLine(filter)}". Esc shows all.`;
}

function keysOf(cluster: ClusterView | undefined): KeyHint[] {
  return [
    ["↑↓", "move"],
    ["Enter", "open"],
    ["f", "findings"],
    ["l", "log"],
    ["p", cluster?.isPaused === true ? "resume" : "pause"],
    ["r", "reconcile"],
    ["/", "filter"],
    ["?", "help"],
    ["q", "quit"],
  ];
}

const SPARE: readonly string[] = ["↑↓", "l", "/", "f", "r", "p"];
