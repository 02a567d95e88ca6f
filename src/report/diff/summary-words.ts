/** The summary of all changes in one line, limited to known facts. */
import type { DescribedSummary } from "../../analyze/diff/diff-answer.ts";
import { counted } from "../../krm/counted.ts";
import { parseGoDuration } from "../../model/go-duration.ts";
import { monthsWords, placeOf } from "./cost-words.ts";

/**
 * `2 pools change · +1 −0 types · 3 of 9 nodes replaced · $1,204 → $1,190 a month at list price (us-east-1, 2026-07)`.
 *
 * @param escape for names from catalogues and settings
 */
export function summaryWords(summary: DescribedSummary, escape = itself): string {
  return [objectWords(summary), typeWords(summary), nodeWords(summary), costWords(summary, escape)]
    .filter((part) => part !== "")
    .join(" · ");
}

function itself(text: string): string {
  return text;
}

function objectWords({ pools, others }: DescribedSummary): string {
  if (pools === 0) return counted(others, "object changes", "objects change");
  if (others === 0) return counted(pools, "pool changes", "pools change");
  return `${counted(pools, "pool")} and ${counted(others, "other object")} change`;
}

function typeWords({ types }: DescribedSummary): string {
  return types === null ? "" : `+${types.gained} −${types.lost} types`;
}

function nodeWords({ nodes, settles }: DescribedSummary): string {
  const never = settles?.until === "never";
  if (nodes === null) return never ? "never holds for all nodes that run" : "";
  if (nodes.total === 0) return "";
  const { total, replaced, removed, unknown } = nodes;
  const all = counted(total, "node");
  if (replaced + removed + unknown === 0) return `none of ${all} replaced`;
  const least = unknown === 0 ? "" : "at least ";
  const done = never ? ", never all" : doneWords(nodes.minDuration);
  if (replaced + unknown === 0) return `${removed} of ${all} removed${done}`;
  return `${least}${replaced} of ${all} replaced${removed === 0 ? "" : `, ${removed} removed`}${done}`;
}

function doneWords(minDuration: string | null): string {
  const words = minDuration === null ? "" : durationWords(minDuration);
  return words === "" ? "" : `, done in ${words} at the earliest`;
}

/** `45 min`, `1 h 30 min`, `2 days` of a Go duration. */
function durationWords(duration: string): string {
  const minutes = Math.ceil(Number(parseGoDuration(duration) ?? 0n) / 6e10);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  return [
    days === 0 ? "" : counted(days, "day"),
    hours === 0 ? "" : `${hours} h`,
    // Minutes are irrelevant for days.
    rest === 0 || days > 0 ? "" : `${rest} min`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function costWords({ cost }: DescribedSummary, escape: typeof itself): string {
  if (cost === null || cost.priced === 0) return "";
  const without =
    cost.unpriced.length === 0 ? "" : `, without ${counted(cost.unpriced.length, "node")} of unknown price`;
  return `${monthsWords(cost.perMonth, cost.currency)} a month at list price (${escape(placeOf(cost))}${without})`;
}
