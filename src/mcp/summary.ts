/** A few lines that say what an answer is about, before its data. */
import type { FindingsAnswer } from "../analyze/check/check-answer.ts";
import type { ExplainAnswer } from "../analyze/check/explain-answer.ts";
import type { DescribedDiff } from "../analyze/diff/diff-answer.ts";
import type { PlanAnswer } from "../analyze/plan/plan-answer.ts";
import type { SimulateAnswer } from "../analyze/simulate/simulate-answer.ts";
import type { WhyAnswer } from "../analyze/why/why-answer.ts";
import { counted, someOf } from "../krm/values/counted.ts";

const MOST_NAMED = 50;

/** @param answer the whole answer of the command */
export function summaryOf(command: string, answer: unknown): readonly string[] {
  const of = Object.hasOwn(SUMMARIES, command) ? SUMMARIES[command] : undefined;
  return of === undefined ? [] : of(answer);
}

const SUMMARIES: Readonly<Record<string, (answer: unknown) => string[]>> = {
  explain: (answer) => {
    const { nodePools, outputs = [], pods = [] } = answer as ExplainAnswer;
    const named = nodePools.slice(0, MOST_NAMED).map(({ name, hostedCluster, verdict }) => {
      return `${hostedCluster === undefined ? "" : `${hostedCluster}/`}${name}: ${verdict}`;
    });
    const without = pods.filter(({ takenBy }) => takenBy === null).length;
    return [
      `${counted(nodePools.length, "pool")}: ${countsOf(nodePools.map(({ verdict }) => verdict))}`,
      ...named,
      ...(nodePools.length > named.length ? [`and ${nodePools.length - named.length} more pools`] : []),
      ...(outputs.length === 0 ? [] : [`${counted(outputs.length, "pool")} as they run`]),
      ...(pods.length === 0
        ? []
        : [`${counted(pods.length, "pod or workload", "pods or workloads")}: ${without} without a pool`]),
    ];
  },
  check: (answer) => {
    const { findings } = answer as FindingsAnswer;
    if (findings.length === 0) return ["no findings"];
    return [
      `${counted(findings.length, "finding")}: ${countsOf(findings.map(({ severity }) => severity))}`,
      `by code: ${countsOf(findings.map(({ code }) => code))}`,
    ];
  },
  diff: (answer) => {
    const { summary, policies, changes, incomplete = [], refused = [] } = answer as DescribedDiff;
    const { pools, others, nodes, settles } = summary;
    return [
      changes.length + policies.length === 0
        ? "no changes"
        : `${counted(pools, "NodePool")} and ${counted(others, "other object")} change`,
      ...changes
        .slice(0, MOST_NAMED)
        .map(({ resource: { kind, name }, action, effect }) => `${kind}/${name}: ${action}: ${effect}`),
      ...policies.map(({ action, relation }) => `a policy is ${action}: ${relation}`),
      ...(nodes === null
        ? ["the nodes were not counted: give nodeData"]
        : [
            `of ${counted(nodes.total, "node")} ${nodes.replaced} are replaced, ${nodes.removed} removed, ${nodes.unknown} unknown`,
          ]),
      ...(settles === null
        ? []
        : [
            `the slowest change is done: ${settles.until}${settles.latest === null ? "" : `, ${settles.latest} at the latest`}`,
          ]),
      ...(incomplete.length + refused.length === 0
        ? []
        : [`not all was compared: ${incomplete.length + refused.length} parts`]),
    ];
  },
  simulate: (answer) => {
    const { nodePools, at } = answer as SimulateAnswer;
    const blocked = nodePools.filter(({ disruption }) => disruption.some(({ allowed }) => allowed === 0)).length;
    return [`${counted(nodePools.length, "pool")} at ${at}: ${blocked} let some reason disrupt no node`];
  },
  plan: (answer) => {
    const { summary, unplaced } = answer as PlanAnswer;
    const { nodes, pods, placed, hourly, worst, currency } = summary;
    if (pods === 0) return ["no pods were given: name files in pods, or nodeData"];
    const price =
      hourly === null
        ? "price unknown"
        : `${hourly.toFixed(4)}${worst === null ? "" : ` to at worst ${worst.hourly.toFixed(4)}`} ${currency ?? ""} per hour`;
    return [
      `${counted(nodes, "node")} for ${placed} of ${counted(pods, "pod")}, ${price}`,
      ...(unplaced.length === 0 ? [] : [`${unplaced.length} without a node`]),
    ];
  },
  why: (answer) => {
    const { kind, node, nodePool, reasons, nodes, pod } = answer as WhyAnswer;
    if (kind === "pod")
      return [
        `pod ${pod!.name}: ${pod!.why}`,
        ...pod!.held.slice(0, MOST_HELD).map(({ message }) => `held: ${message}`),
      ];
    if (kind === "node")
      return [
        `node ${node ?? ""} of ${nodePool === null ? "no pool" : `pool ${nodePool}`}`,
        ...reasons.map(reasonWords),
      ];
    const free = nodes.filter((one) => one.reasons.some(({ disruptable }) => disruptable)).map((one) => one.node);
    return [
      `pool ${nodePool ?? ""}: ${counted(nodes.length, "node")}, nothing known keeps Karpenter from taking ${free.length}`,
      ...(free.length === 0 ? [] : [`these may go: ${someOf(free, MOST_NAMED)}`]),
    ];
  },
};

const MOST_HELD = 5;

/** `Drifted: stays: the budget of 0 allows none (and 2 more)`. */
function reasonWords({ reason, disruptable, blockers }: WhyAnswer["reasons"][number]): string {
  const [first] = blockers;
  const more = blockers.length > 1 ? ` (and ${blockers.length - 1} more)` : "";
  return `${reason}: ${disruptable ? "may go now" : "stays"}${first === undefined ? "" : `: ${first.message}${more}`}`;
}

/** Such as `2 ok, 1 narrowed`, the most frequent first. */
function countsOf(words: readonly string[]): string {
  const groups = [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length] as const);
  return groups
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([word, count]) => `${count} ${word}`)
    .join(", ");
}
