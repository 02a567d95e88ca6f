/** The first screen: watched clusters by severity, and details of the selected one below. */
import { counted, tally } from "../../krm/values/counted.ts";
import { oneLine } from "../terminal/printable.ts";
import type { Column } from "../terminal/table.ts";
import { cutTo, textWidth } from "../terminal/text-width.ts";
import {
  ageWords,
  countWords,
  lastWords,
  nextWords,
  OBJECT_WORDS,
  objectWords,
  readyMessage,
  readyTone,
  readyWords,
  resultOf,
  resultTone,
  totalOf,
} from "./cluster-words.ts";
import type { ClusterView, FleetView } from "./fleet-view.ts";
import { verdictCounts, verdictLine, verdictTone, worstVerdict } from "./pool-words.ts";
import { filterOf, inLines, joinFitting, listScreen, listTable, PROGRAM, titleLines } from "./screen-layout.ts";
import type { ListPlace, Look, Screen, UiState } from "./ui-state.ts";

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
  const page = {
    intro: titleLines(PROGRAM, joinFitting(fleetWords(view, shown.length), columns - PROGRAM.length - 4), look),
    headOf: () => table.head,
    lines: shown.map((cluster) => ({
      row: cluster.name,
      text: () => table.line(cluster),
      detail: () => detail(cluster, view, look),
    })),
    empty: emptyWords(view, place.filter),
    // The name, the reason, the pools, and the counts.
    details: { lines: 1 + MESSAGE_LINES + 1 + 1, from: 16 },
    isPaused: (row: string | undefined) => shown.find(({ name }) => name === row)?.isPaused === true,
    opens: "open",
  };
  return listScreen(page, place, ui, look);
}

function detail(cluster: ClusterView, { now, clusters }: FleetView, { columns, style }: Look): string[] {
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

type ClusterColumn = Column<ClusterView>;

/** From this width on, every fact has a column of its own. */
const WIDE = 140;

/** On a wide terminal each count of objects has a column, and Ready shows its message. */
function fleetColumns({ now }: Pick<FleetView, "now">, width: number): ClusterColumn[] {
  const name: ClusterColumn = { head: "CLUSTER", cell: ({ name: own }) => own, min: 12 };
  const policy: ClusterColumn = {
    head: "POLICY",
    cell: ({ pass }) => pass?.mode ?? "–",
    tone: ({ pass }) => (pass === undefined || pass.mode === "Apply" ? undefined : "warning"),
    min: 6,
    // If a policy is only partly enforced, Ready says so.
    goes: 0,
  };
  const ready: ClusterColumn = { head: "READY", cell: readyWords, tone: readyTone, min: 12 };
  const verdictsOf = ({ pass }: ClusterView) => pass?.verdicts ?? [];
  const pools: ClusterColumn = {
    head: "POOLS",
    // The worst verdict, and more of them if there is room; all are below the list.
    cell: (cluster) =>
      verdictCounts(verdictsOf(cluster))
        .slice(0, width < WIDE ? 1 : 2)
        .join(", ") || "–",
    tone: (cluster) => verdictTone(worstVerdict(verdictsOf(cluster))),
    min: 9,
  };
  const drift: ClusterColumn = {
    head: "DRIFT",
    cell: ({ drift: fields }) => String(fields),
    tone: ({ drift: fields }) => (fields === 0 ? "faint" : undefined),
    right: true,
    goes: 2,
  };
  const last: ClusterColumn = {
    head: "LAST",
    cell: (cluster) => lastWords(cluster, now),
    tone: resultTone,
    width: 10,
  };
  const next: ClusterColumn = {
    head: "NEXT",
    cell: (cluster) => nextWords(cluster, now),
    tone: ({ phase }) => (phase === "paused" ? "info" : undefined),
    width: 9,
  };
  if (width < WIDE) return [name, policy, ready, pools, OBJECTS, drift, last, next];
  const hostedCluster: ClusterColumn = { head: "NAMESPACE", cell: ({ hostedCluster: own }) => own, spare: true };
  const message: ClusterColumn = { head: "", cell: readyMessage, tone: () => "faint", min: 40, grows: true, goes: 3 };
  return [name, hostedCluster, policy, ready, pools, message, ...EACH_OBJECT, drift, last, next];
}

const OBJECTS: ClusterColumn = {
  head: "IN SYNC",
  cell: ({ pass }) => (pass === undefined ? "–" : `${String(pass.objects.inSync)}/${String(totalOf(pass.objects))}`),
  tone: ({ pass }) => {
    const worst = OBJECT_WORDS.findLast(([name]) => pass !== undefined && pass.objects[name] > 0);
    return worst?.[2];
  },
  right: true,
  goes: 1,
};

const EACH_OBJECT: readonly ClusterColumn[] = OBJECT_WORDS.map(([name, words, tone]) => ({
  head: words.toUpperCase(),
  cell: ({ pass }) => (pass === undefined ? "–" : String(pass.objects[name])),
  tone: ({ pass }) => ((pass?.objects[name] ?? 0) === 0 ? "faint" : tone),
  right: true,
}));

/** Failed clusters come first, then held ones, then those without a pass, and healthy ones last. */
const RANKS = ["failed", "held", undefined, "ok"] as const;

/**
 * Within a rank the most frequent cause comes first; otherwise clusters keep the order of the configuration, so that a row
 * moves only when the state of its cluster changes.
 */
export function sortBySeverity(clusters: readonly ClusterView[]): ClusterView[] {
  const causes = Map.groupBy(clusters, (cluster) => causeOf(cluster) ?? String(resultOf(cluster)));
  const rank = ([cluster]: readonly ClusterView[]) => RANKS.indexOf(resultOf(cluster!));
  // Sorting is stable: causes of equally many clusters stay in the order of their first clusters.
  return [...causes.values()].toSorted((a, b) => rank(a) - rank(b) || b.length - a.length).flat();
}

/** The number of other clusters that have the same state for the same reason. */
export function alikeOf(cluster: ClusterView, clusters: readonly ClusterView[]): number {
  const cause = causeOf(cluster);
  return cause === undefined ? 0 : clusters.filter((one) => causeOf(one) === cause).length - 1;
}

/**
 * Undefined if nothing is wrong. Names of the cluster are replaced, so that the same problem in many hosted clusters is
 * one cause.
 */
function causeOf(cluster: ClusterView): string | undefined {
  const result = resultOf(cluster);
  if (result === undefined || result === "ok") return undefined;
  const { name, hostedCluster, pass } = cluster;
  const message = readyMessage(cluster).replaceAll(hostedCluster, "…").replaceAll(name, "…");
  return `${result} ${pass?.ready.reason ?? ""} ${message}`;
}
