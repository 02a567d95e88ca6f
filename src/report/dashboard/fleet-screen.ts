/** The first screen: a row for each watched cluster, and details of the selected one below. */
import { counted, tally } from "../../krm/counted.ts";
import { alikeOf } from "./by-trouble.ts";
import { inLines, joinFitting, PROGRAM, titleLines } from "./bars.ts";
import { countWords, objectWords, readyMessage, readyWords, resultOf } from "./cluster-words.ts";
import { filterOf } from "./filter.ts";
import { oneLine } from "../terminal/printable.ts";
import { cutTo, textWidth } from "../terminal/text-width.ts";
import type { ClusterView, FleetView } from "./fleet-view.ts";
import { fleetColumns } from "./fleet-columns.ts";
import { controlsOf, listKeys, listScreen, listTable } from "./list-screen.ts";
import type { Look, Screen } from "./screen.ts";
import { ageWords } from "./time-words.ts";
import type { ListPlace, UiState } from "./ui-state.ts";
import { verdictCounts, verdictLine, worstVerdict } from "./verdict-words.ts";

const MESSAGE_LINES = 2;

export function fleetScreen(view: FleetView, place: ListPlace, ui: UiState, look: Look): Screen {
  const { columns } = look;
  const table = listTable(fleetColumns(view, columns), view.clusters, look);
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
    intro: titleLines(PROGRAM, joinFitting(fleetWords(view, shown.length), columns - PROGRAM.length - 4), look),
    headOf: () => table.head,
    lines: shown.map((cluster) => ({ row: cluster.name, text: () => table.line(cluster) })),
    empty: emptyWords(view, place.filter),
    detail: { lines: DETAIL_LINES, from: 16, of: (row: string | undefined) => detail(clusterOf(row), view, look) },
    keysOf: (row: string | undefined) => listKeys("open", controlsOf(clusterOf(row))),
  };
  return listScreen(page, place, ui, look);
}

/** The name, the reason, the pools, and the counts. */
const DETAIL_LINES = 1 + MESSAGE_LINES + 1 + 1;

function detail(cluster: ClusterView | undefined, { now, clusters }: FleetView, { columns, style }: Look): string[] {
  if (cluster === undefined) return Array<string>(DETAIL_LINES).fill("");
  const { pass } = cluster;
  const room = columns - 2;
  const head = `${oneLine(cluster.name)} (${oneLine(cluster.hostedCluster)})`;
  const ready = pass === undefined ? "" : `  Ready ${pass.ready.status}: ${oneLine(readyWords(cluster))}`;
  const alike = alikeOf(cluster, clusters);
  const facts = [
    ...(alike > 0 && resultOf(cluster) !== "ok" ? [`${counted(alike, "other")} for the same reason`] : []),
    ...(pass === undefined
      ? []
      : [
          `${objectWords(pass.objects)}${pass.dryRun ? " (dry run)" : ""}`,
          countWords(pass.findings.length, "finding"),
        ]),
    ...sinceStart(cluster, now),
  ].map(oneLine);
  const name = cutTo(head, room);
  const verdicts = verdictLine(pass?.verdicts ?? [], room - "pools ".length, style);
  return [
    ` ${style.strong(name)}${cutTo(ready, room - textWidth(name))}`,
    ...inLines(readyMessage(cluster), room, MESSAGE_LINES).map((line) => ` ${line}`),
    verdicts === "" ? "" : ` pools ${verdicts}`,
    ` ${style.faint(joinFitting(facts, room))}`,
  ];
}

function sinceStart({ drift, pruned, lastSuccess }: ClusterView, now: number): string[] {
  return [
    ...(pruned > 0 ? [`${String(pruned)} pruned`] : []),
    lastSuccess === undefined ? "never ok yet" : `ok ${ageWords(now - lastSuccess)} ago`,
    `drift ${String(drift)}`,
  ];
}

/** The most important facts come first. */
function fleetWords({ clusters, leader, stopping }: FleetView, shown: number): string[] {
  if (stopping) return ["stopping after the passes that run; q again: at once"];
  const results = tally(["ok", "held", "failed", NOT_RUN], clusters, (one) => resultOf(one) ?? NOT_RUN);
  const all = countWords(clusters.length, "cluster");
  const paused = clusters.filter(({ isPaused }) => isPaused).length;
  return [
    shown === clusters.length ? all : `${String(shown)} of ${all}`,
    ...results.map(([result, count]) => `${String(count)} ${result}`),
    ...(paused > 0 ? [`${String(paused)} paused`] : []),
    ...(leader === undefined ? [] : [leader ? "leader" : "standby"]),
  ];
}

const NOT_RUN = "not run yet";

function emptyWords({ clusters }: FleetView, filter: string): string {
  return clusters.length === 0 ? "No cluster is watched." : `No cluster has "${oneLine(filter)}". Esc shows all.`;
}
