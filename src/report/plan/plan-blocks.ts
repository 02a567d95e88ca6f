/** A plan as blocks: the sum, the nodes that Karpenter makes, and the pods without a node. */
import type { PlanAnswer } from "../../analyze/plan/plan-answer.ts";
import { counted } from "../../krm/values/counted.ts";
import { HOURS_A_MONTH, type MoneyUnit, monthWords, moneyWords } from "../../model/values/money.ts";
import type { Block, Fact, Span, TableColumn } from "../blocks/blocks.ts";
import { asideOf, betweenPlans, costOf, nameOf, podsText, stem } from "./between-plans.ts";
import { savingsBlocks } from "./savings-blocks.ts";

type Claim = PlanAnswer["nodeClaims"][number];

/** Other types are counted. */
/** The workloads whose price is shown; JSON has all. */
const PODS_PRICED = 3;
const TYPES_SHOWN = 3;

/** @param wide whether each new node is one line */
export function planBlocks(plan: PlanAnswer, wide = false): Block[] {
  const { nodeClaims, existing, unplaced, limits, notConsidered } = plan;
  const alike = alikeClaims(nodeClaims);
  const there: Fact[] = existing.map(({ node, pods }) => [node, podsText(pods)]);
  const ofLimits = [...Map.groupBy(limits, ({ nodePool }) => nodePool)].map(([pool, own]): Fact => [
    pool,
    own.map(limitText).join("; "),
  ]);
  const without = [
    ...Map.groupBy(unplaced, ({ name, namespace, why }) => `${namespace}/${stem(name)} ${why}`).values(),
  ];
  return [
    ...betweenPlans(plan),
    ...(plan.before === null ? [] : ([{ kind: "gap" }] as const)),
    headline(plan),
    ...(wide
      ? ([{ kind: "gap" }, claimTable(nodeClaims)] as const)
      : alike.flatMap((claims): Block[] => [{ kind: "gap" }, ...claimBlocks(claims)])),
    ...(there.length === 0
      ? []
      : ([{ kind: "gap" }, title("nodes that are there"), { kind: "facts", facts: there, indent: 2 }] as const)),
    ...(ofLimits.length === 0
      ? []
      : ([{ kind: "gap" }, title("limits of pools"), { kind: "facts", facts: ofLimits, indent: 2 }] as const)),
    ...without.flatMap((pods): Block[] => [{ kind: "gap" }, ...unplacedBlocks(pods)]),
    ...savingsBlocks(plan),
    ...(notConsidered.length === 0
      ? []
      : ([{ kind: "gap" }, title("not looked at"), { kind: "list", items: notConsidered, indent: 2 }] as const)),
  ];
}

/** `cpu 100: 40 in use, 8 planned, 52 left`. */
function limitText({ resource, limit, used, planned, left }: PlanAnswer["limits"][number]): string {
  return `${resource} ${limit}: ${used === null ? "" : `${used} in use, `}${planned} planned, ${left} left`;
}

function title(words: string): Block {
  return { kind: "paragraph", words: [{ text: words, tone: "strong" }] };
}

/** `4 nodes for 30 pods, $280 a month; 2 pods without a node`. */
function headline({ summary, unplaced, existing, notConsidered, prices }: PlanAnswer): Block {
  const { nodes, pods, placed } = summary;
  const there = existing.reduce((count, own) => count + own.pods.length, 0);
  const cost = nodes === 0 ? "" : costOf(summary, prices);
  const isSure = notConsidered.length === 0;
  const words: (string | Span)[] = [
    { text: `${counted(nodes, "node")} for ${counted(placed - there, "pod")}${cost}`, tone: isSure ? "good" : "info" },
    ...(there === 0 ? [] : ["; ", { text: `${counted(there, "pod")} on nodes that are there` }]),
    ...(unplaced.length === 0
      ? []
      : ["; ", { text: `${counted(unplaced.length, "pod")} without a node`, tone: "error" as const }]),
    ...(isSure
      ? []
      : ["; ", { text: `${counted(notConsidered.length, "thing")} not looked at`, tone: "info" as const }]),
  ];
  const range = rangeText(summary, prices);
  if (range !== "") words.push(`; ${range}`);
  if (pods === 0) return { kind: "paragraph", words: "there is no pod to plan" };
  return {
    kind: "paragraph",
    words,
    ...(cost === "" ? {} : asideOf(prices)),
  };
}

/** `3 to 4 nodes, $420 to $560 a month, as Karpenter chooses among ties`. */
function rangeText({ range }: PlanAnswer["summary"], prices: PlanAnswer["prices"]): string {
  if (range === null) return "";
  const text = ({ least, most }: { least: number; most: number }, of: (amount: number) => string): string =>
    least === most ? of(most) : `${String(least)} to ${of(most)}`;
  const month = (hourly: number): string => monthWords(hourly * HOURS_A_MONTH, prices ?? "");
  const { nodes, placed, hourly } = range;
  const isSame = [nodes, placed, hourly].every((one) => one === null || one.least === one.most);
  if (range.tried > 0 && isSame) return "";
  const parts = [
    text(nodes, (count) => counted(count, "node")),
    ...(placed.least === placed.most ? [] : [`for ${text(placed, (count) => counted(count, "pod"))}`]),
    ...(hourly === null || hourly.least === hourly.most
      ? []
      : [`${month(hourly.least)} to ${month(hourly.most)} a month`]),
  ];
  if (range.tried === 0) return "other sums are possible, as Karpenter chooses among ties";
  return `${parts.join(", ")}${range.complete ? "" : ", or beyond"}, as Karpenter chooses among ties`;
}

const MOST_NAMED = 5;

function orOthers(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more <= 1 ? names.join(" or ") : `${names.slice(0, MOST_NAMED).join(" or ")} or others`;
}

/** Claims that differ only in the numbers of their pods are shown once. */
export function alikeClaims(claims: readonly Claim[]): readonly (readonly Claim[])[] {
  return [...Map.groupBy(claims, likeness).values()];
}

function likeness({ nodePool, instanceTypes, zones, capacityTypes, pods, requests }: Claim): string {
  const counts = [...Map.groupBy(pods, nameOf)].map(([name, own]) => `${name} ${own.length}`).toSorted();
  return JSON.stringify([nodePool, instanceTypes, zones, capacityTypes, counts, requests]);
}

function claimBlocks(claims: readonly Claim[]): Block[] {
  const [first] = claims as [Claim];
  const { nodePool, instanceTypes, zones, capacityTypes, pods, share, uses, limitedBy, price, ties } = first;
  const count = claims.length;
  const more = instanceTypes.length - TYPES_SHOWN;
  const types = `${instanceTypes.slice(0, TYPES_SHOWN).join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
  const full = share.map(({ resource, part }) => `${(part * 100).toFixed(0)}% of ${resource}`);
  const each = count === 1 ? "" : "each ";
  const facts: Fact[] = [
    ["pods", `${each}${podsText(pods)}`],
    ["types", types],
    ["zones", zones.join(", ")],
    ["offered", capacityTypes.join(", ")],
    ["full", limitedBy === null ? "" : `${full.join(", ")} (${instanceTypes[0]!})`],
    ["price", priceWords(first, each)],
    ["a pod", price === null ? "" : podPrices(uses, price)],
    ["ties", ties.map(({ key, taken, instead }) => `${key} ${taken}: could be ${orOthers(instead)} as well`)],
  ];
  return [
    { kind: "heading", name: nodePool, about: counted(count, "node") },
    { kind: "facts", facts, indent: 2 },
  ];
}

/** `each $1.38 an hour (m5a.8xlarge, on-demand; less on Spot), at worst $2.41 (m5dn.8xlarge, on-demand)`. */
function priceWords({ capacityTypes, price, atMost, worst }: Claim, each: string): string {
  const best = price ?? atMost;
  if (best == null) return "";
  const isLess = price !== null && capacityTypes.includes("spot") && price.basis.endsWith("on-demand");
  const spot = price === null ? "; Spot costs less" : isLess ? "; less on Spot" : "";
  const least = `${each}${price === null ? "at most " : ""}${moneyWords(best.hourly, best)} an hour (${best.basis}${spot})`;
  if (worst === null || worst.hourly === best.hourly) return least;
  return `${least}, at worst ${moneyWords(worst.hourly, worst)} (${worst.basis})`;
}

/** `$0.064 an hour for shop/web, $0.032 for shop/api`. */
function podPrices(uses: Claim["uses"], unit: MoneyUnit): string {
  return uses
    .slice(0, PODS_PRICED)
    .map(({ namespace, name, hourlyEach }, at) => {
      return `${moneyWords(hourlyEach ?? 0, unit)}${at === 0 ? " an hour" : ""} for ${namespace}/${name}`;
    })
    .join(", ");
}

/** A line for each node. */
function claimTable(claims: readonly Claim[]): Block {
  const columns: TableColumn[] = [
    { head: "POOL", min: 12 },
    { head: "TYPE", min: 10 },
    { head: "MORE", right: true, goes: 2 },
    { head: "ZONES", min: 10, goes: 3 },
    { head: "CAPACITY", goes: 4 },
    { head: "PODS", right: true },
    { head: "FULL" },
    { head: "AN HOUR", right: true, goes: 1 },
    { head: "NAMES", min: 14 },
  ];
  const rows = claims.map(({ nodePool, instanceTypes, zones, capacityTypes, pods, share, price }) => ({
    cells: [
      nodePool,
      instanceTypes[0]!,
      instanceTypes.length === 1 ? "" : `+${String(instanceTypes.length - 1)}`,
      zones.join(","),
      capacityTypes.join(","),
      String(pods.length),
      share.length === 0 ? "" : `${(share[0]!.part * 100).toFixed(0)}% ${share[0]!.resource}`,
      price === null ? "" : moneyWords(price.hourly, price),
      podsText(pods),
    ],
  }));
  return { kind: "table", label: "Nodes", columns, rows };
}

function unplacedBlocks(pods: readonly PlanAnswer["unplaced"][number][]): Block[] {
  const [{ why, attempts }] = pods as [PlanAnswer["unplaced"][number]];
  const facts = attempts.map(({ nodePool, why: reason }): Fact => [nodePool, reason]);
  return [
    {
      kind: "heading",
      name: nameOf(pods[0]!),
      about: counted(pods.length, "pod"),
      verdict: { words: "gets no node", tone: "error", ...(attempts.length === 1 ? {} : { more: why }) },
    },
    { kind: "facts", facts, indent: 2 },
  ];
}
