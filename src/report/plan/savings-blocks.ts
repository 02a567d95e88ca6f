/** What runs beside the same pods packed anew, and the constraints that cost most, as blocks. */
import type { PlanAnswer } from "../../analyze/plan/plan-answer.ts";
import { counted } from "../../krm/values/counted.ts";
import { HOURS_A_MONTH, monthWords } from "../../model/values/money.ts";
import type { Block, Fact } from "../blocks/blocks.ts";

type Savings = NonNullable<PlanAnswer["savings"]>;
type Constraint = Savings["constraints"][number];
type Between = Savings["packed"]["nodes"];
type Prices = PlanAnswer["prices"];

export function savingsBlocks({ savings, prices }: PlanAnswer): Block[] {
  if (savings === null) return [];
  const { running, constraints, tried, of } = savings;
  const facts: Fact[] = [
    ["what runs", runningText(running, prices)],
    ["packed anew", packedText(savings, prices)],
  ];
  const rest =
    tried === of
      ? `of ${counted(of, "constraint")}`
      : `of the ${String(tried)} on which most is spent, of ${counted(of, "constraint")}`;
  const items = constraints.map((one) => constraintText(one, prices));
  return [
    { kind: "gap" },
    { kind: "paragraph", words: [{ text: "savings", tone: "strong" }] },
    { kind: "facts", facts, indent: 2 },
    ...(of > 0
      ? ([
          { kind: "gap" },
          {
            kind: "paragraph",
            words:
              items.length === 0
                ? `no constraint costs anything, ${rest}`
                : `left out alone, these save most, ${rest}:`,
            indent: 2,
          },
          { kind: "list", items, indent: 4 },
        ] as const)
      : []),
  ];
}

function runningText({ nodes, unpriced, hourly }: Savings["running"], prices: Prices): string {
  const cost = hourly === null ? `; of ${String(unpriced)} no price is known` : `, ${month(hourly, prices)} a month`;
  return `${counted(nodes, "node")} that Karpenter made${prices === null ? "" : cost}`;
}

function packedText({ running, packed }: Savings, prices: Prices): string {
  const { nodes, hourly, unplaced, notConsidered } = packed;
  const cost = hourly === null ? "" : `, at best ${span(hourly, (one) => month(one, prices))} a month`;
  const less =
    hourly === null || running.hourly === null || hourly.least !== hourly.most
      ? ""
      : `: ${moneyText(running.hourly - hourly.most, prices)}`;
  const without = unplaced === 0 ? "" : `; ${counted(unplaced, "pod")} would have no node`;
  const unknown = notConsidered === 0 ? "" : `; ${counted(notConsidered, "thing")} not looked at, which --empty names`;
  return `${span(nodes, String, " node", " nodes")}${cost}${less}${without}${unknown}`;
}

function month(hourly: number, prices: Prices): string {
  return monthWords(hourly * HOURS_A_MONTH, prices ?? "");
}

/** `3 to 4 nodes`. */
function span({ least, most }: Between, words: (one: number) => string, one = "", many = one): string {
  return `${least === most ? "" : `${words(least)} to `}${words(most)}${most === 1 ? one : many}`;
}

const WORDS: Readonly<Record<Constraint["kind"], (key: string) => string>> = {
  "topology-spread": (key) => `topology spread over ${key}`,
  "pod-anti-affinity": (key) => `pod anti-affinity over ${key}`,
  "pod-affinity": (key) => `pod affinity over ${key}`,
  "node-selection": (key) => `selection of nodes by ${key}`,
  requirement: (key) => `requirement on ${key}`,
  "min-values": (key) => `minValues on ${key}`,
  taints: () => "taints",
  "default-spread": () => "default topology spread",
};

/** `without the topology spread over kubernetes.io/hostname of Deployment shop/web: 6 nodes less, $840 a month less`. */
function constraintText({ kind, key, resource, place, nodes, hourly, sure }: Constraint, prices: Prices): string {
  const where = place === null ? "" : ` (${place})`;
  const count = lessText(nodes, nodesText, (less) => span(less, String, " node", " nodes"));
  const words = (less: Between): string => `${span(less, (one) => month(one, prices))} a month`;
  const money = hourly === null ? "" : `, ${lessText(hourly, (one) => moneyText(one, prices), words)}`;
  const isOne = [nodes, hourly].every((less) => less === null || less.least === less.most);
  const [about, beyond] = sure ? ["", ""] : isOne ? ["about ", ""] : ["", ", or beyond"];
  return `without the ${WORDS[kind](key ?? "")} of ${resource}${where}: ${about}${count}${money}${beyond}`;
}

/** `6 nodes less`, `1 to 2 nodes less`, `up to 2 nodes less`, `1 node more to 2 nodes less`. */
function lessText(less: Between, alone: (one: number) => string, words: (less: Between) => string): string {
  const { least, most } = less;
  if (least === most) return alone(most);
  if (least < 0) return `${alone(least)} to ${alone(most)}`;
  return `${least === 0 ? `up to ${words({ least: most, most })}` : words(less)} less`;
}

function nodesText(less: number): string {
  if (less === 0) return "as many nodes";
  return `${counted(Math.abs(less), "node")} ${less > 0 ? "less" : "more"}`;
}

function moneyText(hourly: number, prices: Prices): string {
  if (Math.abs(hourly) < 1e-6) return "for the same money";
  return `${month(Math.abs(hourly), prices)} a month ${hourly > 0 ? "less" : "more"}`;
}
