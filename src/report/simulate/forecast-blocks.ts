/** Forecasts: how long a rollout takes, and how many nodes Karpenter may launch. */
import type { DescribedSimulation, SimulateAssumptions } from "../../analyze/simulate/describe.ts";
import type { TimeZone } from "../../analyze/simulate/zone.ts";
import { counted } from "../../krm/values/counted.ts";
import type { Block, Facts, Look, Words } from "../blocks/blocks.ts";
import { dayAndTime, lengthText } from "./time-text.ts";

export interface ForecastAssumptions extends Omit<SimulateAssumptions, "span"> {
  readonly zone: TimeZone;
}

/** The width of their names in a terminal. */
const NAMES = 15;

/** @param picture the id of the drawing of how nodes are replaced */
export function forecastBlocks(
  answer: DescribedSimulation,
  picture: string,
  assumed: ForecastAssumptions,
): readonly Block[] {
  const facts = (...some: Facts["facts"]): Facts => ({
    kind: "facts",
    indent: 2,
    nameWidth: NAMES,
    tone: "strong",
    facts: some,
  });
  const worst = worstText(answer, assumed.batch);
  return [
    facts(["roll", [rollWords(answer, assumed)]], ["all replaced", [settlesWords(answer, assumed)]]),
    { kind: "picture", id: picture, terminal: (look) => goneBar(answer, assumed, look) },
    ...(worst === undefined ? [] : [facts(["stock Karpenter", worst])]),
  ];
}

function never(why: string): Words {
  return [{ text: "never:", tone: "error" }, ` ${why}`];
}

function rollWords(
  { rollout, pool, headroom }: DescribedSimulation,
  { at, zone, nodeTime }: ForecastAssumptions,
): Words {
  const { nodes, begins, ends, atOnce } = rollout;
  if (nodes === 0) return "no node to replace";
  if (begins === undefined) {
    const full = pool.limit?.mode === "Hard" && headroom === 0;
    return never(full ? "a Hard limit leaves no room for a replacement" : "within a year no node may be replaced");
  }
  const start = begins > at ? `, not before ${dayAndTime(begins, zone, at)}` : "";
  if (ends === undefined) return [{ text: "more than a year", tone: "error" }, ` for ${nodes} nodes${start}`];
  const pace = pool.replicas === undefined ? "" : "; static pools replace as their limit allows";
  return `at least ${lengthText(ends - at)} for ${counted(nodes, "node")}: up to ${atOnce} at once, ${lengthText(nodeTime)} each${start}, done ${dayAndTime(ends, zone, at)}${pace}`;
}

/** When all running nodes comply with a change that replaces them. */
function settlesWords(
  { settles: { until, earliest, latest, why, missing } }: DescribedSimulation,
  { at, zone }: ForecastAssumptions,
): Words {
  const moment = (time: number) => dayAndTime(time, zone, at);
  const bound = earliest === undefined ? "" : `not before ${moment(earliest)}`;
  switch (until) {
    case "at-once":
      return `at once: ${why}`;
    case "by":
      return `by ${moment(latest!)}${bound === "" ? "" : `, ${bound}`}: ${why}`;
    case "open":
      return `${bound === "" ? "" : `${bound}, `}no latest time${missing === undefined ? "" : ` (${missing})`}: ${why}`;
    case "never":
      return never(why);
  }
}

const LEVELS = " ▁▂▃▄▅▆▇█";
const COLUMNS = 24;

/** The share of replaced nodes by column, from now until the last one is replaced at the earliest. */
function goneBar(
  { settles: { steps }, nodes }: DescribedSimulation,
  { at, zone }: ForecastAssumptions,
  { style, width }: Look,
): string[] {
  const last = steps.at(-1);
  if (last === undefined || last.at === at) return [];
  const all = Math.max(nodes.total, last.gone);
  const marks = Array.from({ length: COLUMNS }, (_, column) => {
    const end = at + ((last.at - at) * (column + 1)) / COLUMNS;
    const gone = steps.findLast((step) => step.at <= end)?.gone ?? 0;
    return LEVELS[gone === 0 ? 0 : Math.max(1, Math.floor((gone / all) * 8))];
  }).join("");
  const words = `${last.gone} of ${all} gone ${dayAndTime(last.at, zone, at)} at the earliest`;
  const indent = " ".repeat(NAMES + 4);
  const bar = `${indent}${style.good(marks)}`;
  return indent.length + COLUMNS + words.length + 2 > width
    ? [bar, `${indent}${style.faint(words)}`]
    : [`${bar}  ${style.faint(words)}`];
}

function worstText(
  { worstCase, pool: { limit }, nodes, disruption, digits }: DescribedSimulation,
  batch: number,
): string | undefined {
  if (worstCase === null || limit === undefined) return undefined;
  const launched =
    worstCase > nodes.active
      ? `up to ${digits?.worstCase ?? worstCase} nodes: it counts the limit of ${digits?.limit ?? limit.nodes} down between batches of pods, not within one that needs ${batch} (--batch)`
      : `${worstCase} nodes: at the limit it launches none for pods`;
  const surge = Math.max(
    ...disruption.filter(({ reason }) => reason !== "Empty").map(({ budget }) => budget ?? nodes.counted),
  );
  const replacing = surge > 0 ? `, and up to ${surge} more while nodes are replaced` : "";
  return `${launched}${replacing}`;
}
