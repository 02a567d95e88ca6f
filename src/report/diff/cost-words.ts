/** Texts for the costs of a change: prices with region and date, nodes by the month. */
import type { BeforeAndAfter, DescribedCost, DescribedEnvelope } from "../../analyze/diff/diff-answer.ts";
import type { DescribedPrice } from "../../analyze/explain/pool-answer.ts";
import { counted } from "../../krm/values/counted.ts";
import { type MoneyUnit, monthWords, placeOfPrices } from "../../model/values/money.ts";
import { priceWords } from "../explain/pool-facts.ts";

/** A line for each price that changes; none if all stay the same. */
export function costLines(cost: DescribedCost | null): string[] {
  if (cost === null) return [];
  return [...envelopeLines(cost), ...nodeLines(cost)];
}

const POINTS = ["cheapest", "median", "dearest"] as const;
const UNITS = { perHour: "price an hour", perVcpu: "per vCPU" } as const;

/** A removed pool launches no nodes any more, so it has no new price. */
function envelopeLines({ before, after, ...origin }: DescribedCost): string[] {
  if (after === null) return [];
  const of = `(${placeOfPrices(origin)})`;
  if (after.types > 0 && after.perHour === null)
    return before?.perHour === undefined || before.perHour === null ? [] : [`no price of its types is known ${of}`];
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

function unpricedWords({ unpriced, types }: DescribedEnvelope): string {
  return unpriced === 0 ? "" : `; ${unpriced} of ${counted(types, "type")} without a price`;
}

/** Equal prices of different types are the same in money. */
function isSame(a: DescribedPrice, b: DescribedPrice): boolean {
  return a.price === b.price && a.capacityType === b.capacityType;
}

/** Empty if no node is replaced or removed. */
function nodeLines({ nodes, ...origin }: DescribedCost): string[] {
  if (nodes === null || (nodes.replacements.length === 0 && nodes.perHour.before === nodes.perHour.after)) return [];
  const { unpriced, priced, perMonth } = nodes;
  const without = unpriced.length === 0 ? "" : `; without ${counted(unpriced.length, "node")} of unknown price`;
  return [
    `${counted(priced, "node")} at list price: ${monthsWords(perMonth, origin)} a month with the cheapest replacements (${placeOfPrices(origin)})${without}`,
  ];
}

/** `$1,204 → $1,190`. @param which of the later amount, such as `at best ` */
export function monthsWords({ before, after }: BeforeAndAfter, unit: MoneyUnit, which = ""): string {
  const [old, now] = [monthWords(before, unit), monthWords(after, unit)];
  return old === now ? `${which}${now}` : `${old} → ${which}${now}`;
}
