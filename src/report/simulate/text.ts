/** Simulations for people: nodes, allowed launches and disruption, and the budgets. */
import type { DescribedSimulation } from "../../analyze/simulate/describe.ts";
import { localTime } from "../../analyze/simulate/zone.ts";
import { printable, withoutCommands } from "../terminal/printable.ts";
import { asTheyStand } from "../explain/as-they-stand.ts";
import { shareBar } from "../terminal/share-bar.ts";
import { budgetRows, disruptionRows } from "./budgets-text.ts";
import { forecastLines } from "./forecast-text.ts";
import { labelled, type SimulateLook } from "./look.ts";
import { counted } from "../../krm/counted.ts";
import { type Column, layOutTable } from "../terminal/table.ts";
import { hangingText } from "../terminal/wrap.ts";
import { clockText, dayText } from "./time-text.ts";
import { formatRfc3339 } from "../../model/rfc3339.ts";
import { timelineText } from "./timeline-text.ts";

export function simulateText(pools: readonly DescribedSimulation[], look: SimulateLook): string {
  const { mode, style, zone, at } = look;
  const several = new Set(pools.map(({ pool }) => pool.hostedCluster)).size > 1;
  const utc = zone.name === "UTC" ? "" : style.faint(`  ${formatRfc3339(at)}`);
  const head = `${style.strong(`${dayText(at, zone)} ${localTime(at, zone).year} ${clockText(at, zone)}`)} ${zone.name}${utc}`;
  const blocks = pools.flatMap((pool) => ["", ...poolLines(pool, several, look)]);
  const end = asTheyStand(mode, look);
  return withoutCommands(`${[head, ...blocks, ...(end.length === 0 ? [] : ["", ...end])].join("\n")}\n`);
}

function poolLines(answer: DescribedSimulation, several: boolean, look: SimulateLook): string[] {
  const { style, width } = look;
  const { pool } = answer;
  const cluster = several && pool.hostedCluster !== undefined ? style.faint(`${printable(pool.hostedCluster)} `) : "";
  const place = style.faint(printable(answer.place));
  const head = `${cluster}${style.strong(printable(pool.name))}  ${nodesText(answer)}  ${place}`;
  const events = answer.events.map(
    ({ type, reason, object, message }) => `${type}  ${reason}  ${printable(object)}  ${printable(message)}`,
  );
  return [
    head,
    ...limitLines(answer, look),
    "",
    ...(answer.timeline === undefined
      ? disruptionRows(answer, look)
      : timelineText(answer.timeline, answer.nodes.counted, look)),
    "",
    `  ${style.strong("budgets")}`,
    ...budgetRows(answer.budgets, look),
    ...(events.length === 0
      ? []
      : [
          "",
          `  ${style.strong("events")}`,
          ...events.flatMap((event) => hangingText(event, { label: "    ", indent: 6, width })),
        ]),
    ...(answer.deprovision.length === 0
      ? []
      : ["", `  ${style.strong("nodes to go")}`, ...candidateRows(answer.deprovision, look)]),
    "",
    ...forecastLines(answer, look),
  ];
}

const ORIGINS: Readonly<Record<string, string>> = { assumed: " (assumed)", status: " (of its status)" };

export function nodesText({ pool: { limit, replicas }, nodes: { total, from }, digits }: DescribedSimulation): string {
  const count = `${counted(total, "node")}${ORIGINS[from] ?? ""}`;
  const mode = limit === undefined ? "no node limit" : `${limit.mode} limit of ${digits?.limit ?? limit.nodes}`;
  const fixed = replicas === undefined ? "" : `, static: ${replicas} replicas`;
  return `${count}, ${mode}${fixed}`;
}

function limitLines(
  { pool: { limit }, nodes, provisioning, headroom, digits }: DescribedSimulation,
  { style }: SimulateLook,
): string[] {
  if (limit === undefined) return [`${labelled("provisioning")}${style.good("allowed")}`];
  const bar = shareBar(limit.nodes === 0 ? 1 : nodes.total / limit.nodes, 20);
  const going = nodes.total - nodes.active;
  const notes = going > 0 ? `; ${going} of them ${going === 1 ? "is" : "are"} going and no longer counted` : "";
  const above = nodes.active - limit.nodes;
  const room =
    above > 0
      ? `${above} above the limit`
      : headroom === 0
        ? "no room left"
        : `room for ${digits?.headroom ?? headroom} more`;
  const paint = above > 0 ? style.error : headroom === 0 ? style.warning : style.good;
  const state = provisioning === "allowed" ? style.good("allowed") : `${style.error("blocked")}: the limit is reached`;
  return [`  ${paint(bar)}  ${room}`, `${labelled("provisioning")}${state}${notes}`];
}

type Candidate = DescribedSimulation["deprovision"][number];

function candidateRows(candidates: readonly Candidate[], { style }: SimulateLook): string[] {
  const columns: Column<[index: number, candidate: Candidate]>[] = [
    { cell: ([index]) => String(index + 1), tone: () => "faint", right: true },
    { cell: ([, { name }]) => name },
    { cell: ([, candidate]) => whyNow(candidate) },
  ];
  const rows = [...candidates.entries()];
  return rows.map(layOutTable(columns, rows, style, { indent: 4 }).line);
}

function whyNow({ why, pods, cost, lifetimeLeft }: Candidate): string {
  const price = `${counted(pods, "pod")}, eviction cost ${round(cost)} × ${round(lifetimeLeft)} of its lifetime left = ${round(cost * lifetimeLeft)}`;
  switch (why) {
    case "not-launched":
      return "has no instance yet";
    case "empty":
      return pods === 0 ? "runs no pods" : "runs DaemonSet pods only";
    case "do-not-disrupt":
      return `has do-not-disrupt pods, so it goes last: ${price}`;
    case "cost":
      return price;
  }
}

function round(number: number): string {
  return String(Math.round(number * 100) / 100);
}
