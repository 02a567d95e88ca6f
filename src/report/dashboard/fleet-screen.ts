/** The first screen: every watched cluster in a row, and more words on the selected one below. */
import { counted, tally } from "../../krm/counted.ts";
import { alikeOf } from "./by-trouble.ts";
import { inLines, joinFitting, titleLines } from "./bars.ts";
import { countWords, objectWords, readyMessage, readyWords, resultOf } from "./cluster-words.ts";
import { filterOf } from "./filter.ts";
import { oneLine } from "../terminal/printable.ts";
import { cutTo, textWidth } from "../terminal/text-width.ts";
import type { ClusterView, FleetView } from "./fleet-view.ts";
import { fleetColumns } from "./fleet-columns.ts";
import { listKeys, listScreen, listTable } from "./list-screen.ts";
import type { Look, Screen } from "./screen.ts";
import { ageWords } from "./time-words.ts";
import type { ListPlace, UiState } from "./ui-state.ts";
import { verdictCounts, verdictLine, worstVerdict } from "./verdict-words.ts";

const MESSAGE_LINES = 2;

export function fleetScreen(view: FleetView, place: ListPlace, ui: UiState, look: Look): Screen {
  const { columns } = look;
  const table = listTable(fleetColumns(view.now, columns), view.clusters, look);
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
  const clusterOf = (row: string | undefined) => shown.find(({ name }) => name === row);
  const page = {
    intro: titleLines("anp watch", joinFitting(fleetWords(view, shown.length), columns - 13), look),
    headOf: () => table.head,
    lines: shown.map((cluster) => ({ row: cluster.name, text: () => table.line(cluster) })),
    empty: emptyWords(view, place.filter),
    detail: { lines: DETAIL_LINES, from: 16, of: (row: string | undefined) => detail(clusterOf(row), view, look) },
    keysOf: (row: string | undefined) => listKeys("open", clusterOf(row)?.isPaused === true),
  };
  return listScreen(page, place, ui, look);
}

/** The name, why, the pools, and the numbers. */
const DETAIL_LINES = 1 + MESSAGE_LINES + 1 + 1;

function detail(cluster: ClusterView | undefined, { now, clusters }: FleetView, { columns, style }: Look): string[] {
  if (cluster === undefined) return Array<string>(DETAIL_LINES).fill("");
  const { pass, drift, pruned, lastSuccess } = cluster;
  const room = columns - 2;
  const head = `${oneLine(cluster.name)} (${oneLine(cluster.hostedCluster)})`;
  const ready = pass === undefined ? "" : `  Ready ${pass.ready.status}: ${oneLine(readyWords(cluster))}`;
  const alike = alikeOf(cluster, clusters);
  const facts = [
    ...(alike > 0 && resultOf(cluster) !== "ok" ? [`${counted(alike, "other")} for the same reason`] : []),
    ...(pass === undefined ? [] : [`${objectWords(pass.objects)}${pass.dryRun ? " (dry run)" : ""}`]),
    ...(pass === undefined ? [] : [countWords(pass.findings.length, "finding")]),
    ...(pruned > 0 ? [`${String(pruned)} pruned`] : []),
    lastSuccess === undefined ? "never ok yet" : `ok ${ageWords(now - lastSuccess)} ago`,
    `drift ${String(drift)}`,
  ];
  const name = cutTo(head, room);
  const pools = verdictLine(pass?.verdicts ?? [], room - "pools ".length, style);
  return [
    ` ${style.strong(name)}${cutTo(ready, room - textWidth(name))}`,
    ...inLines(readyMessage(cluster), room, MESSAGE_LINES).map((line) => ` ${line}`),
    ` ${pools === "" ? "" : `pools ${pools}`}`.trimEnd(),
    ` ${style.faint(joinFitting(facts, room))}`,
  ];
}

/** What matters most comes first. */
function fleetWords({ clusters, leader, stopping }: FleetView, shown: number): string[] {
  if (stopping) return ["stopping after the passes that run; q again: at once"];
  const results = tally(["ok", "held", "failed", "not run yet"], clusters, (one) => resultOf(one) ?? "not run yet");
  const all = countWords(clusters.length, "cluster");
  const paused = clusters.filter(({ isPaused }) => isPaused).length;
  return [
    shown === clusters.length ? all : `${String(shown)} of ${all}`,
    ...results.map(([result, count]) => `${String(count)} ${result}`),
    ...(paused > 0 ? [`${String(paused)} paused`] : []),
    ...(leader === undefined ? [] : [leader ? "leader" : "standby"]),
  ];
}

function emptyWords({ clusters }: FleetView, filter: string): string {
  return clusters.length === 0 ? "No cluster is watched." : `No cluster has "${oneLine(filter)}". Esc shows all.`;
}
