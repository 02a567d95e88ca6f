/** Forecasts for people: how long a rollout takes, and how many nodes Karpenter may launch. */
import type { DescribedSimulation } from "../../analyze/simulate/describe.ts";
import { padTo } from "../terminal/text-width.ts";
import { hangingText } from "../terminal/wrap.ts";
import { counted } from "../../krm/counted.ts";
import { dayAndTime, lengthText } from "./time-text.ts";
import type { SimulateLook } from "./look.ts";

const LABEL = 17;

export function forecastLines(answer: DescribedSimulation, look: SimulateLook): string[] {
  const { style, width } = look;
  const facts: [string, string][] = [
    ["roll", rollText(answer, look)],
    ["settles", settlesText(answer, look)],
  ];
  const worst = worstText(answer, look);
  if (worst !== undefined) facts.push(["stock Karpenter", worst]);
  return facts.flatMap(([name, text]) => {
    const bad = [NEVER, LONG].find((words) => text.startsWith(words)) ?? "";
    const label = `  ${padTo(name, LABEL, { paint: style.strong })}`;
    const lead = { words: bad, paint: bad === "" ? String : style.error };
    const lines = hangingText(text, { label, indent: LABEL + 2, width, lead });
    return name === "settles" ? [...lines, ...goneBar(answer, look)] : lines;
  });
}

const NEVER = "never:";
const LONG = "more than a year";

function rollText({ rollout, pool, headroom }: DescribedSimulation, { at, zone, nodeTime }: SimulateLook): string {
  const { nodes, begins, ends, atOnce } = rollout;
  if (nodes === 0) return "no node to replace";
  if (begins === undefined) {
    const full = pool.limit?.mode === "Hard" && headroom === 0;
    return `${NEVER} ${full ? "a Hard limit leaves no room for a replacement" : "within a year no node may be replaced"}`;
  }
  const start = begins > at ? `, not before ${dayAndTime(begins, zone, at)}` : "";
  if (ends === undefined) return `${LONG} for ${nodes} nodes${start}`;
  const pace = pool.replicas === undefined ? "" : "; static pools replace as their limit allows";
  return `at least ${lengthText(ends - at)} for ${counted(nodes, "node")}: up to ${atOnce} at once, ${lengthText(nodeTime)} each${start}, done ${dayAndTime(ends, zone, at)}${pace}`;
}

/** When all running nodes comply with a change that replaces them. */
function settlesText(
  { settles: { until, earliest, latest, why } }: DescribedSimulation,
  { at, zone }: SimulateLook,
): string {
  const moment = (time: number) => dayAndTime(time, zone, at);
  const bound = earliest === undefined ? "" : `, not before ${moment(earliest)}`;
  switch (until) {
    case "at-once":
      return `at once: ${why}`;
    case "by":
      return `by ${moment(latest!)}${bound}: ${why}`;
    case "open":
      return `at some time${bound}: ${why}`;
    case "never":
      return `${NEVER} ${why}`;
  }
}

const LEVELS = " ▁▂▃▄▅▆▇█";
const COLUMNS = 24;

/** The share of replaced nodes by column, from now until the last one is replaced at the earliest. */
function goneBar({ settles: { steps }, nodes }: DescribedSimulation, look: SimulateLook): string[] {
  const { style, at, zone, width } = look;
  const last = steps.at(-1);
  if (last === undefined || last.at === at) return [];
  const all = Math.max(nodes.total, last.gone);
  const marks = Array.from({ length: COLUMNS }, (_, column) => {
    const end = at + ((last.at - at) * (column + 1)) / COLUMNS;
    const gone = steps.findLast((step) => step.at <= end)?.gone ?? 0;
    return LEVELS[gone === 0 ? 0 : Math.max(1, Math.floor((gone / all) * 8))];
  }).join("");
  const words = `${last.gone} of ${all} gone ${dayAndTime(last.at, zone, at)} at the earliest`;
  const indent = " ".repeat(LABEL + 2);
  const bar = `${indent}${style.good(marks)}`;
  return LABEL + COLUMNS + words.length + 4 > width
    ? [bar, `${indent}${style.faint(words)}`]
    : [`${bar}  ${style.faint(words)}`];
}

function worstText(
  { worstCase, pool: { limit }, nodes, disruption, digits }: DescribedSimulation,
  { batch }: SimulateLook,
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
