/** What differs between the plans of two sides for the same pods. */
import type { PlanAnswer } from "../../analyze/plan/plan-answer.ts";
import { counted } from "../../krm/values/counted.ts";
import { monthsBetween, monthWords, placeOfPrices } from "../../model/values/money.ts";
import type { Block, Fact, Span } from "../blocks/blocks.ts";

type Pod = PlanAnswer["nodeClaims"][number]["pods"][number];

/** Other pods are counted. */
const NAMES_SHOWN = 8;

/** `3 nodes, $420 a month → 2 nodes, $280 a month; 2 pods lose their node`. */
export function betweenPlans({ nodeClaims, unplaced, summary, prices, before }: PlanAnswer): Block[] {
  if (before === null) return [];
  const still = unplaced.length - before.lost.length;
  const sum = (one: PlanAnswer["summary"]): string => `${counted(one.nodes, "node")}${costOf(one, prices)}`;
  const words: (string | Span)[] = [
    { text: `${sum(before.summary)} → ${sum(summary)}`, tone: before.lost.length === 0 ? "good" : "info" },
    ...(before.lost.length === 0
      ? []
      : ["; ", { text: `${counted(before.lost.length, "pod")} without the node of before`, tone: "error" as const }]),
    ...(before.gained.length === 0
      ? []
      : ["; ", { text: `${counted(before.gained.length, "pod")} that had no node get one`, tone: "good" as const }]),
    ...(still === 0 ? [] : [`; ${counted(still, "pod")} without a node on both sides`]),
  ];
  const of = Map.groupBy(nodeClaims, ({ nodePool }) => nodePool);
  const earlier = Map.groupBy(before.nodeClaims, ({ nodePool }) => nodePool);
  const pools = [...new Set([...earlier.keys(), ...of.keys()])].map((pool): Fact => {
    const [then, now] = [earlier.get(pool) ?? [], of.get(pool) ?? []];
    return [pool, then.length === now.length ? "" : `${counted(then.length, "node")} → ${String(now.length)}`];
  });
  const moved: Fact[] = [
    ["lost", podsText(before.lost)],
    ["gained", podsText(before.gained)],
  ];
  const facts = [...pools, ...moved].filter(([, value]) => value !== "");
  return [
    { kind: "paragraph", words, ...asideOf(prices) },
    ...(facts.length === 0 ? [] : ([{ kind: "facts", facts, indent: 2 }] as const)),
  ];
}

/**
 * `, at best $280, at worst $1,204 a month`; `, at most $280 a month on demand` if what Spot costs is not known; empty
 * without prices.
 */
export function costOf({ monthly, atMost, worst }: PlanAnswer["summary"], prices: PlanAnswer["prices"]): string {
  if (prices === null) return "";
  if (monthly !== null) return `, ${monthsBetween(monthly, worst?.monthly, prices)} a month`;
  if (atMost === undefined) return "";
  const most = monthWords(atMost.monthly, prices);
  return worst === null || worst.monthly === atMost.monthly
    ? `, at most ${most} a month on demand`
    : `, at most ${most} a month on demand, at worst ${monthWords(worst.monthly, prices)}`;
}

/** The same among the changes of a diff, where nothing else says what the plans did not look at. */
export function plansOfDiff(plan: PlanAnswer): Block[] {
  const { summary, notConsidered } = plan;
  const pods = `plan for ${counted(summary.pods, "pod")}${notConsidered.length === 0 ? "" : `, with ${counted(notConsidered.length, "thing")} not looked at`}`;
  return [
    { kind: "heading", name: pods },
    ...betweenPlans(plan),
    ...(notConsidered.length === 0
      ? []
      : ([{ kind: "facts", facts: [["not looked at", notConsidered.join("; ")]], indent: 2 }] as const)),
  ];
}

export function asideOf(prices: PlanAnswer["prices"]): { readonly aside?: string } {
  if (prices === null) return {};
  return { aside: `list prices, ${placeOfPrices(prices)}` };
}

/** The name of its workload: without the number. */
export function nameOf({ namespace, name }: Pod): string {
  return `${namespace}/${stem(name)}`;
}

export function stem(name: string): string {
  const dash = name.lastIndexOf("-");
  return dash > 0 && /^\d+$/.test(name.slice(dash + 1)) ? name.slice(0, dash) : name;
}

export function podsText(pods: readonly Pod[]): string {
  const names = [...Map.groupBy(pods, nameOf)].map(([name, own]) =>
    own.length === 1 ? `${own[0]!.namespace}/${own[0]!.name}` : `${String(own.length)} × ${name}`,
  );
  const more = names.length - NAMES_SHOWN;
  return `${names.slice(0, NAMES_SHOWN).join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
}
