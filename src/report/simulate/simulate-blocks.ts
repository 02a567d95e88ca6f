/** The arrangement of `anp simulate`: limits, disruption, budgets, events and forecasts. */
import type { DescribedBudget, DescribedSimulation } from "../../analyze/simulate/describe.ts";
import type { DisruptionAnswer } from "../../analyze/simulate/timeline.ts";
import { localTime } from "../../analyze/simulate/zone.ts";
import { counted } from "../../krm/values/counted.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import type { Block, Paragraph, Section, Span, TableRow, Words } from "../blocks/blocks.ts";
import { rawInputNote } from "../explain/explain-blocks.ts";
import { forecastBlocks, type ForecastAssumptions } from "./forecast-blocks.ts";
import { clockText, dayAndTime, dayText, howMany } from "./time-text.ts";
import { timelineBlocks } from "./timeline-blocks.ts";
import { NAME_WIDTH } from "./timeline-text.ts";

export interface SimulationToShow extends ForecastAssumptions {
  readonly pools: readonly DescribedSimulation[];
  readonly mode: InputMode;
}

/** The ids of a pool's section and of its pictures. */
export function pageIds(at: number): { readonly section: string; readonly calendar: string; readonly gone: string } {
  return { section: `p${at}`, calendar: `p${at}c`, gone: `p${at}g` };
}

export function simulateBlocks(answer: SimulationToShow): Block[] {
  const { pools, mode } = answer;
  const several = new Set(pools.map(({ pool }) => pool.hostedCluster)).size > 1;
  const note = rawInputNote(mode);
  return [
    { ...momentShown(answer), forms: ["terminal"] },
    ...(pools.length === 0 ? [] : [overview(pools)]),
    ...pools.map((pool, at) => poolSection(pool, { at, several, assumed: answer })),
    ...(pools.length === 0 && note.length > 0 ? [GAP] : []),
    ...note,
  ];
}

/** Pages have it below their title. */
function momentShown({ at, zone }: SimulationToShow): Paragraph {
  const date: Span = { text: momentText(at, zone), tone: "strong" };
  const utc: Span[] = zone.name === "UTC" ? [] : [{ text: `  ${formatRfc3339(at)}`, tone: "faint" }];
  return { kind: "paragraph", words: [date, ` ${zone.name}`, ...utc], oneLine: true };
}

/** `Mon 23 Nov 2026 09:00`. */
export function momentText(at: number, zone: SimulationToShow["zone"]): string {
  return `${dayText(at, zone)} ${localTime(at, zone).year} ${clockText(at, zone)}`;
}

function overview(pools: readonly DescribedSimulation[]): Section {
  const reasons = pools[0]!.disruption.map(({ reason }) => ({ head: reason }));
  const rows = pools.map(({ pool, nodes, disruption, provisioning, digits }, at): TableRow => {
    const limit = pool.limit === undefined ? "none" : String(digits?.limit ?? pool.limit.nodes);
    const allowed = disruption.map((one) => [
      { text: howMany(one.allowed), tone: one.allowed === 0 ? "error" : undefined } as const,
    ]);
    return {
      cells: [
        [{ text: pool.name, link: pageIds(at).section }],
        pool.hostedCluster ?? "",
        String(nodes.total),
        limit,
        [{ text: provisioning, tone: provisioning === "allowed" ? "good" : "error" }],
        ...allowed,
      ],
    };
  });
  return {
    kind: "section",
    id: "pools",
    heading: { kind: "heading", name: "Pools" },
    blocks: [
      {
        kind: "table",
        label: "All pools",
        id: "strip",
        columns: [
          { head: "pool" },
          { head: "cluster" },
          { head: "nodes", right: true },
          { head: "node limit", right: true },
          { head: "provisioning" },
          ...reasons,
        ],
        rows,
      },
    ],
    forms: ["html"],
  };
}

interface PoolOptions {
  readonly at: number;
  /** Whether the hosted cluster is named. */
  readonly several: boolean;
  readonly assumed: ForecastAssumptions;
}

function poolSection(answer: DescribedSimulation, { at, several, assumed }: PoolOptions): Section {
  const { pool, place, timeline, nodes, events, deprovision } = answer;
  const { section, calendar, gone } = pageIds(at);
  const hostedCluster = several ? pool.hostedCluster : undefined;
  return {
    kind: "section",
    id: section,
    heading: { kind: "heading", name: pool.name, hostedCluster, verdict: { words: nodesText(answer) }, place },
    blocks: [
      ...limitBlocks(answer),
      GAP,
      ...(timeline === undefined
        ? [disruptionFacts(answer, assumed)]
        : timelineBlocks(timeline, { nodes: nodes.counted, picture: calendar, zone: assumed.zone })),
      ...gateBlocks(answer),
      GAP,
      ...budgetBlocks(answer.budgets, assumed),
      ...(events.length === 0
        ? []
        : [
            GAP,
            subheading("events"),
            {
              kind: "list",
              indent: 4,
              hanging: 2,
              items: events.map(({ type, reason, object, message }) => [type, reason, object, message].join("  ")),
            } as const,
          ]),
      ...(deprovision.length === 0 ? [] : [GAP, subheading("nodes to go"), candidateTable(deprovision)]),
      GAP,
      ...forecastBlocks(answer, gone, assumed),
    ],
  };
}

const GAP: Block = { kind: "gap" };

function subheading(name: string): Block {
  return { kind: "heading", name, indent: 2 };
}

const ORIGINS: Readonly<Record<string, string>> = { assumed: " (assumed)", status: " (of its status)" };

function nodesText({ pool: { limit, replicas }, nodes: { total, from }, digits }: DescribedSimulation): string {
  const count = `${counted(total, "node")}${ORIGINS[from] ?? ""}`;
  const mode = limit === undefined ? "no node limit" : `${limit.mode} limit of ${digits?.limit ?? limit.nodes}`;
  const fixed = replicas === undefined ? "" : `, static: ${replicas} replicas`;
  return `${count}, ${mode}${fixed}`;
}

function limitBlocks({
  pool: { limit },
  nodes,
  staticCapacityOff,
  provisioning,
  headroom,
  digits,
}: DescribedSimulation): Block[] {
  const fact = (...words: (string | Span)[]): Block => ({
    kind: "facts",
    indent: 2,
    nameWidth: NAME_WIDTH,
    facts: [["provisioning", [words]]],
  });
  if (staticCapacityOff) return [fact({ text: "blocked", tone: "error" }, ": the feature gate StaticCapacity is off")];
  if (limit === undefined) return [fact({ text: "allowed", tone: "good" })];
  const going = nodes.total - nodes.active;
  const notes = going > 0 ? `; ${going} of them ${going === 1 ? "is" : "are"} going and no longer counted` : "";
  const above = nodes.active - limit.nodes;
  const room =
    above > 0
      ? `${above} above the limit`
      : headroom === 0
        ? "no room left"
        : `room for ${digits?.headroom ?? headroom} more`;
  return [
    {
      kind: "bar",
      indent: 2,
      share: limit.nodes === 0 ? 1 : nodes.total / limit.nodes,
      tone: above > 0 ? "error" : headroom === 0 ? "warning" : "good",
      words: room,
    },
    provisioning === "allowed"
      ? fact({ text: "allowed", tone: "good" }, notes)
      : fact({ text: "blocked", tone: "error" }, `: the limit is reached${notes}`),
  ];
}

/** A row for each reason, with what changes next. */
function disruptionFacts(
  { disruption, next: [, following], nodes }: DescribedSimulation,
  { zone, at }: ForecastAssumptions,
): Block {
  const rows = disruption.map((answer, index): [string, Words[]] => {
    const { reason, allowed } = answer;
    const then = following?.disruption[index];
    const changes = following !== undefined && then !== undefined && then.allowed !== allowed;
    const change = changes ? `${howMany(then.allowed)} from ${dayAndTime(following.from, zone, at)}` : "";
    const ends = [{ text: why(answer, nodes.going + nodes.notReady) }, { text: change, tone: "faint" as const }].filter(
      ({ text }) => text !== "",
    );
    const tone = allowed === 0 ? "error" : allowed === null ? "good" : "info";
    const count = howMany(allowed);
    // Reasons and changes begin in one column of a terminal.
    const blanks = (end: number): string => (end === 0 ? " ".repeat(Math.max(2, ALLOWED - count.length)) : "  ");
    return [reason, [[{ text: count, tone }, ...ends.flatMap((end, place) => [blanks(place), end])]]];
  });
  const expired: Span = { text: `${"all".padEnd(ALLOWED)}ignores budgets and the limit`, tone: "faint" };
  const isClosed = disruption.some(({ allowed }) => allowed === 0);
  const facts = isClosed ? [...rows, ["Expired", [[expired]]] as const] : rows;
  return { kind: "facts", indent: 2, nameWidth: NAME_WIDTH, facts };
}

const ALLOWED = 6;

function why({ budget, allowed, blockedBy }: DisruptionAnswer, consuming: number): string {
  const spent = consuming > 0 ? `, and ${consuming} ${consuming === 1 ? "is" : "are"} going or not ready` : "";
  if (blockedBy === "schedule-error") return "Karpenter cannot read a schedule";
  if (blockedBy === "nodeLimit") return "blocked by the node limit";
  if (blockedBy === "budget")
    return budget !== null && budget > 0 ? `the budgets let ${budget} go${spent}` : "blocked by a budget";
  if (budget === null) return allowed === null ? "no budget limits them" : "by the node limit";
  if (allowed === null || allowed === budget) return "";
  return allowed < budget - consuming
    ? `the budgets let ${budget} go, the node limit ${allowed}`
    : `the budgets let ${budget} go${spent}`;
}

function gateBlocks({ gates }: DescribedSimulation): Block[] {
  if (gates.length === 0) return [];
  const lines = gates.map(({ reason, gate, on, means }) => `${reason}: ${gate} is ${on ? "on" : "off"}, so ${means}`);
  return [GAP, { kind: "facts", indent: 2, nameWidth: NAME_WIDTH, facts: [["feature gates", lines]] }];
}

function budgetBlocks(budgets: readonly DescribedBudget[], { zone, at }: ForecastAssumptions): Block[] {
  const none: Words = [{ text: "none", tone: "warning" }, ": the empty list limits nothing"];
  if (budgets.length === 0) return [subheading("budgets"), { kind: "paragraph", indent: 4, words: none }];
  const rows = budgets.map((budget): TableRow => {
    const { nodes, schedule, duration, state, place = "Karpenter's default" } = budget;
    const times = schedule === undefined ? "" : `${schedule}  ${duration ?? ""}`.trimEnd();
    const text = stateText(budget, (moment) => dayAndTime(moment, zone, at));
    return {
      cells: [
        nodes,
        reasonsText(budget),
        [{ text: times, code: true }],
        [{ text, tone: state === "unreadable" ? "error" : undefined }],
        [{ text: place, tone: "faint" }],
      ],
    };
  });
  const heads = ["nodes", "for", "when", "state", "where"];
  const columns = heads.map((head, column) => ({ head, right: column === 0 }));
  return [
    subheading("budgets"),
    { kind: "table", label: "Budgets", bare: true, below: heads.indexOf("state"), indent: 4, columns, rows },
  ];
}

function reasonsText({ reasons }: DescribedBudget): string {
  if (reasons === undefined) return "every reason";
  return reasons.length === 0 ? "no reason" : reasons.join(" ");
}

function stateText({ state, until, schedule }: DescribedBudget, moment: (at: number) => string): string {
  switch (state) {
    case "always":
      return schedule === undefined ? "always" : "active for a year and more";
    case "active":
      return `active until ${moment(until!)}`;
    case "inactive":
      return `not before ${moment(until!)}`;
    case "never":
      return "never active within a year";
    case "unreadable":
      return "Karpenter cannot read it";
  }
}

type Candidate = DescribedSimulation["deprovision"][number];

function candidateTable(candidates: readonly Candidate[]): Block {
  const rows = candidates.map((candidate, index): TableRow => {
    const number: Span = { text: String(index + 1), tone: "faint" };
    return { cells: [[number], candidate.name, whyNow(candidate)] };
  });
  const columns = [{ right: true }, { head: "node" }, { head: "why now" }];
  return { kind: "table", label: "Nodes to go", bare: true, indent: 4, columns, rows };
}

function whyNow({ why: reason, pods, cost, lifetimeLeft }: Candidate): string {
  const price = `${counted(pods, "pod")}, eviction cost ${round(cost)} × ${round(lifetimeLeft)} of its lifetime left = ${round(cost * lifetimeLeft)}`;
  switch (reason) {
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
