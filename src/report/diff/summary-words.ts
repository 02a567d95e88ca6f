/** The summary of all changes in one line, limited to known facts, and how to keep nodes. */
import type { DescribedSummary } from "../../analyze/diff/diff-answer.ts";
import type { NonDisruptiveWay, WayOfPools } from "../../analyze/diff/non-disruptive-ways.ts";
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import { counted, someOf } from "../../krm/values/counted.ts";
import { parseGoDuration } from "../../model/values/go-duration.ts";
import { placeOfPrices } from "../../model/values/money.ts";
import { parseRfc3339 } from "../../model/values/rfc3339.ts";
import { monthsWords, spotOnlyWords, withoutWords } from "./cost-words.ts";
import { mayReplace, momentText } from "./words.ts";

/**
 * `2 pools change · +1 −0 types · 3 of 9 nodes replaced · $1,204 → at best $1,190, at worst $4,380 a month at list price (us-east-1, 2026-07)`.
 */
export function summaryWords(summary: DescribedSummary, changes: readonly Change[]): string {
  const worst = changes.some((change) => (change.nodes.affected ?? 0) > 0 && mayReplace(change)) ? "at worst " : "";
  return [objectWords(summary), typeWords(summary), nodeWords(summary, worst), costWords(summary)]
    .filter((part) => part !== "")
    .join(" · ");
}

function objectWords({ pools, others }: DescribedSummary): string {
  if (pools === 0) return counted(others, "object changes", "objects change");
  if (others === 0) return counted(pools, "pool changes", "pools change");
  return `${counted(pools, "pool")} and ${counted(others, "other object")} change`;
}

function typeWords({ types }: DescribedSummary): string {
  return types === null ? "" : `+${types.gained} −${types.lost} types`;
}

function nodeWords({ nodes, settles }: DescribedSummary, worst: string): string {
  const never = settles?.until === "never";
  if (nodes === null) return never ? "never holds for all nodes that run" : "";
  if (nodes.total === 0) return "";
  const { total, replaced, removed, unknown } = nodes;
  const all = counted(total, "node");
  if (replaced + removed + unknown === 0) return `none of ${all} replaced`;
  const least = unknown === 0 ? worst : "at least ";
  const done = never ? ", never all" : doneWords(nodes.minDuration, settles);
  if (replaced + unknown === 0) return `${removed} of ${all} removed${done}`;
  return `${least}${replaced} of ${all} replaced${removed === 0 ? "" : `, ${removed} removed`}${done}`;
}

/** `, done in 20 min at the earliest, by 2026-12-23 09:00 UTC at the latest`. */
function doneWords(minDuration: string | null, settles: DescribedSummary["settles"]): string {
  const least = minDuration === null ? "" : durationWords(minDuration);
  const earliest = least === "" ? "" : `, done in ${least} at the earliest`;
  if (settles?.latest != null) return `${earliest}, by ${momentText(parseRfc3339(settles.latest)!)} at the latest`;
  return settles?.until === "open" ? `${earliest}, no latest time` : earliest;
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

function costWords({ cost }: DescribedSummary): string {
  if (cost === null || (cost.priced === 0 && cost.spot === undefined)) return "";
  if (cost.priced === 0) return `${spotOnlyWords(cost, cost)} (${placeOfPrices(cost)})`;
  const without = cost.unpriced.length === 0 ? "" : `; ${withoutWords(cost, cost)}`;
  return `${monthsWords(cost.perMonth, cost)} a month at list price (${placeOfPrices(cost)})${without}`;
}

/** The page on each way, and its costs. */
const PAGE = "docs/change-without-replacing.md";

const WORDS: Readonly<Record<NonDisruptiveWay, string>> = {
  "second-pool": "make the change in a second pool with a higher weight",
  budget: 'give the pool a budget {nodes: "0", reasons: [Drifted]}',
  window: "give such a budget a schedule and a duration",
};

/** At most this many pools are named, and the others counted. */
const MOST_POOLS = 5;

/** A sentence on how to keep the nodes that a change would replace; empty if there are none, or if nothing helps. */
export function keepingWords(ways: readonly WayOfPools[]): string {
  if (ways.length === 0) return "";
  const named = ways.map(({ way, pools }) => ({
    way,
    of: someOf(
      pools.map(({ hostedCluster, name }) => `${hostedCluster === undefined ? "" : `${hostedCluster} `}${name}`),
      MOST_POOLS,
    ),
  }));
  const isSame = named.every(({ of }) => of === named[0]!.of);
  const parts = named.map(({ way, of }) => (isSame ? WORDS[way] : `${WORDS[way]} (${of})`));
  const all = parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(", ")} or ${parts.at(-1)!}`;
  return `to keep the nodes${isSame ? ` of ${named[0]!.of}` : ""}: ${all}; see ${PAGE}`;
}
