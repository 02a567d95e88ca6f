/** The table of a change over several hosted clusters: nodes, times, money and budgets of each. */
import type { DescribedRollout } from "../../analyze/diff/diff-answer.ts";
import { counted } from "../../krm/values/counted.ts";
import { parseRfc3339 } from "../../model/values/rfc3339.ts";
import type { Block, Section, Table, TableRow, Tone, Words } from "../blocks/blocks.ts";
import { monthsWords, mostWords } from "./cost-words.ts";
import { momentText } from "./words.ts";

/** Whether a table of the clusters says more than the summary: nodes of several of them are replaced. */
export function hasRollout(rollout: readonly DescribedRollout[]): boolean {
  return rollout.length > 1 && rollout.some(({ settles }) => settles !== null);
}

/** @param all whether each cluster has a row, however many there are */
export function rolloutBlocks(rollout: readonly DescribedRollout[], all: boolean): Section[] {
  if (!hasRollout(rollout)) return [];
  const most = all ? rollout.length : MOST_ROWS;
  const first = rollout.length > most ? rollout.toSorted((a, b) => replacedIn(b) - replacedIn(a)) : rollout;
  const shown = first.slice(0, most);
  const notes = [
    ...(rollout.length > most ? [`${counted(rollout.length - most, "more cluster")}; --all lists them`] : []),
    ...(rollout.every(({ nodes }) => nodes === null) ? [NO_NODES] : []),
  ];
  return [
    {
      kind: "section",
      id: "rollout",
      heading: { kind: "heading", name: "Rollout", forms: ["markdown", "html"] },
      blocks: [rolloutTable(shown), ...notes.map((words): Block => ({ kind: "paragraph", words, tone: "faint" }))],
    },
  ];
}

/** A screen has room for these. */
const MOST_ROWS = 30;

const NO_NODES = "--node-data DIR, the folder of anp collect, counts the nodes of each cluster";

function replacedIn({ nodes }: DescribedRollout): number {
  return nodes === null ? Infinity : nodes.replaced + nodes.removed;
}

function rolloutTable(rollout: readonly DescribedRollout[]): Table {
  const columns = ["cluster", ...ROLLOUT_COLUMNS];
  const isAnyKnown = rollout.some(({ nodes }) => nodes !== null);
  return {
    kind: "table",
    label: "What the change does in each cluster",
    columns: columns.map((head) => ({ head })),
    rows: rollout.map((one) => rolloutRow(one, isAnyKnown)),
  };
}

function rolloutRow(one: DescribedRollout, isAnyKnown: boolean): TableRow {
  return { cells: [[{ text: one.hostedCluster, code: true }], ...rolloutCells(one, budgetWords(one), isAnyKnown)] };
}

export const ROLLOUT_COLUMNS = [
  "nodes replaced",
  "done at the earliest",
  "at the latest",
  "a month",
  "budget",
] as const;

type OfClusters = Omit<DescribedRollout, "hostedCluster" | "budgets">;

/** The cells of `ROLLOUT_COLUMNS`. @param isAnyKnown whether the nodes of some row are known */
export function rolloutCells(one: OfClusters, budgets: string, isAnyKnown: boolean): Words[] {
  const { settles, cost } = one;
  const [latest, tone] = latestWords(settles);
  return [
    nodesWords(one, isAnyKnown),
    settles?.earliest == null ? "" : timeText(settles.earliest),
    [{ text: latest, tone }],
    monthsOf(cost),
    budgets,
  ];
}

function monthsOf(cost: OfClusters["cost"]): string {
  if (cost === null) return "";
  if (cost.priced > 0) return monthsWords(cost.perMonth, cost);
  return cost.spot === undefined ? "" : `at most ${mostWords(cost.spot.perMonth, cost)}`;
}

/** `2 of 3`, `at least 2 of 3, 1 removed`; `unknown` without a count, if other clusters have one. */
function nodesWords({ nodes }: OfClusters, isAnyKnown: boolean): Words {
  if (nodes === null) return isAnyKnown ? [{ text: "unknown", tone: "warning" }] : "";
  const { total, replaced, removed, unknown } = nodes;
  const gone = removed === 0 ? "" : `, ${removed} removed`;
  return `${unknown === 0 ? "" : "at least "}${replaced} of ${total}${gone}`;
}

function latestWords(settles: DescribedRollout["settles"]): readonly [string, Tone | undefined] {
  if (settles === null) return ["", undefined];
  switch (settles.until) {
    case "at-once":
      return ["at once", undefined];
    case "by":
      return [timeText(settles.latest!), undefined];
    case "open":
      return ["no bound", "warning"];
    case "never":
      return ["never", "error"];
  }
}

function timeText(time: string): string {
  return momentText(parseRfc3339(time)!);
}

/** `10%`, `web 1, batch 0 (0 9 * * 1-5 for 8h)`: without names if all pools have the same. */
export function budgetWords({ budgets }: Pick<DescribedRollout, "budgets">): string {
  const byPool = Map.groupBy(budgets, ({ pool }) => pool);
  const words = [...byPool].map(([pool, some]) => [pool, some.map(oneBudget).join(" and ")] as const);
  const [first] = words;
  if (words.every(([, text]) => text === first?.[1])) return first?.[1] ?? "";
  return words.map(([pool, text]) => `${pool} ${text}`).join(", ");
}

function oneBudget({ nodes, schedule, duration }: DescribedRollout["budgets"][number]): string {
  return schedule === undefined ? nodes : `${nodes} (${schedule}${duration === undefined ? "" : ` for ${duration}`})`;
}
