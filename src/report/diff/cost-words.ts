/** Texts for the costs of a change: prices with region and date, nodes by the month. */
import type {
  BeforeAndAfter,
  DescribedCost,
  DescribedEnvelope,
  DescribedSums,
} from "../../analyze/diff/diff-answer.ts";
import type { DescribedPrice } from "../../analyze/explain/pool-answer.ts";
import { counted } from "../../krm/values/counted.ts";
import { type MoneyUnit, monthsBetween, monthWords, placeOfPrices } from "../../model/values/money.ts";
import { priceWords, spreadWords } from "../explain/pool-facts.ts";

/** A line for each price that changes; none if all stay the same. */
export function costLines(cost: DescribedCost | null): string[] {
  if (cost === null) return [];
  return [...envelopeLines(cost), ...nodeLines(cost)];
}

type Origin = Pick<DescribedCost, "currency" | "insteadOf" | "region" | "date">;

const POINTS = ["cheapest", "median", "dearest"] as const;
const UNITS = { perHour: "price an hour", perVcpu: "per vCPU" } as const;

/** A removed pool launches no nodes any more, so it has no new price. */
function envelopeLines({ before, after, ...origin }: DescribedCost): string[] {
  if (after === null) return [];
  const of = `(${placeOfPrices(origin)})`;
  if (after.types > 0 && after.perHour === null) return unpricedLines(before, after, origin);
  const lines = (["perHour", "perVcpu"] as const).flatMap((unit) => {
    const now = after[unit];
    const old = before?.[unit] ?? undefined;
    if (now === null || (old !== undefined && POINTS.every((point) => isSame(old[point], now[point])))) return [];
    const points = POINTS.map((point) => {
      const words = priceWords(now[point], origin);
      if (old === undefined || isSame(old[point], now[point])) return `${point} ${words}`;
      return `${point} ${priceWords(old[point], origin)} → ${words}`;
    });
    return [`${UNITS[unit]}: ${points.join(", ")} ${of}${unit === "perHour" ? unpricedWords(after) : ""}`];
  });
  return lines;
}

/** Spot without a price is bounded by the prices on demand. */
function unpricedLines(before: DescribedEnvelope | null, { atMost }: DescribedEnvelope, origin: Origin): string[] {
  const of = `(${placeOfPrices(origin)})`;
  const old = before?.atMost;
  if (atMost === undefined) return before?.perHour == null ? [] : [`no price of its types is known ${of}`];
  if (old !== undefined && POINTS.every((point) => isSame(old[point], atMost[point]))) return [];
  return [`price an hour: at most ${spreadWords(atMost, origin)} ${of}: on demand; Spot costs less`];
}

function unpricedWords({ unpriced, types }: DescribedEnvelope): string {
  return unpriced === 0 ? "" : `; ${unpriced} of ${counted(types, "type")} without a price`;
}

/** Equal prices of different types are the same in money. */
function isSame(a: DescribedPrice, b: DescribedPrice): boolean {
  return a.price === b.price && a.capacityType === b.capacityType;
}

/** Empty if no node is replaced or removed. */
function nodeLines({ nodes, ...origin }: DescribedCost): string[] {
  if (nodes === null) return [];
  const { unpriced, priced, perMonth, spot } = nodes;
  if (nodes.replacements.length === 0 && perMonth.before === perMonth.after) {
    const isOpen = spot !== undefined && spot.perMonth.before !== spot.perMonth.worst;
    return isOpen ? [`${spotOnlyWords(nodes, origin)} (${placeOfPrices(origin)})`] : [];
  }
  const without = unpriced.length === 0 ? "" : `; ${withoutWords(nodes, origin)}`;
  return [
    `${counted(priced, "node")} at list price: ${monthsWords(perMonth, origin)} a month, with the cheapest and the dearest replacements (${placeOfPrices(origin)})${without}`,
  ];
}

/** `$1,204 → at best $1,190, at worst $4,380`: with the cheapest replacements, and with the dearest. */
export function monthsWords({ before, after, worst }: BeforeAndAfter, unit: MoneyUnit): string {
  const [old, now] = [monthWords(before, unit), monthsBetween(after, worst, unit)];
  return old === now ? now : `${old} → ${now}`;
}

/** `without 2 nodes of unknown price and 3 nodes on Spot (at most $420 → $380 a month, on demand)`. */
export function withoutWords({ unpriced, spot }: Pick<DescribedSums, "unpriced" | "spot">, unit: MoneyUnit): string {
  const others = unpriced.length - (spot?.nodes ?? 0);
  return `without ${[
    ...(others === 0 ? [] : [`${counted(others, "node")} of unknown price`]),
    ...(spot === undefined
      ? []
      : [`${spotWords(spot)} (at most ${mostWords(spot.perMonth, unit)} a month, on demand)`]),
  ].join(" and ")}`;
}

/** `3 nodes on Spot at most $420 → $380 a month, on demand`: what is known if no node has a price. */
export function spotOnlyWords({ unpriced, spot }: Pick<DescribedSums, "unpriced" | "spot">, unit: MoneyUnit): string {
  if (spot === undefined) return "";
  const others = unpriced.length - spot.nodes;
  const without = others === 0 ? "" : `, without ${counted(others, "node")} of unknown price`;
  return `${spotWords(spot)} at most ${mostWords(spot.perMonth, unit)} a month, on demand${without}`;
}

function spotWords({ nodes }: NonNullable<DescribedSums["spot"]>): string {
  return `${counted(nodes, "node")} on Spot`;
}

/** `$420 → $380`: what Spot costs at most. */
export function mostWords({ before, worst }: BeforeAndAfter, unit: MoneyUnit): string {
  const [old, now] = [monthWords(before, unit), monthWords(worst, unit)];
  return old === now ? now : `${old} → ${now}`;
}
