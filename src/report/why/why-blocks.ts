/** Why a node, a pod or the nodes of a pool are still there, as blocks. */
import type { WhyAnswer } from "../../analyze/why/why-answer.ts";
import { counted, someOf } from "../../krm/values/counted.ts";
import { monthWords } from "../../model/values/money.ts";
import type { Block, Fact, TableColumn, Verdict, Words } from "../blocks/blocks.ts";

type Reason = WhyAnswer["reasons"][number];
type Blocker = Reason["blockers"][number];
type Removal = Reason["removal"];

/** Of each reason; the JSON has all. */
const MOST_SHOWN = 10;

/** @param wide whether each cell of a table has the whole sentence */
export function whyBlocks(answer: WhyAnswer, wide: boolean): Block[] {
  const { kind, notConsidered } = answer;
  const own = kind === "node" ? nodeBlocks(answer) : kind === "pod" ? podBlocks(answer) : poolBlocks(answer, wide);
  return [...own, ...listed("not looked at", notConsidered)];
}

function nodeBlocks({ node, nodePool, reasons, drain, monthly, notes }: WhyAnswer): Block[] {
  const cost =
    monthly === null
      ? ""
      : `, ${monthWords(monthly.monthly, monthly.currency)} a month that it stays (${monthly.basis})`;
  const pool = nodePool === null ? "of no NodePool" : `of NodePool ${nodePool}`;
  const after = drain!.after === null ? "as long as they run" : `for ${drain!.after} at most`;
  return [
    { kind: "heading", name: node!, about: `${pool}${cost}`, verdict: overall(reasons) },
    ...reasons.flatMap((one): Block[] => [{ kind: "gap" }, ...reasonBlocks(one)]),
    ...listed(`if it goes now, these hold it ${after}`, drain!.held.map(blockerWords)),
    ...listed("what lets it go", changesOf(reasons)),
    ...listed("also", notes),
  ];
}

/** Whether Karpenter would take the node for some reason. */
function overall(reasons: readonly Reason[]): Verdict {
  const open = reasons.filter(({ disruptable }) => disruptable).map(({ reason }) => reason);
  return open.length === 0
    ? { words: "stays", tone: "info" }
    : { words: `may go: ${open.join(", ")}`, tone: "warning" };
}

function reasonBlocks(one: Reason): Block[] {
  const { reason, disruptable, blockers, removal } = one;
  const until = endOf(blockers);
  const verdict: Verdict = disruptable
    ? { words: `may go now${conditionOf(reason, removal)}`, tone: "good" }
    : { words: until === null ? "stays" : `stays until ${until}`, tone: "info" };
  const items = [...shown(blockers.map(blockerWords)), ...removalWords(one)];
  return [
    { kind: "heading", name: reason, verdict },
    ...(items.length === 0 ? [] : [{ kind: "list", items, indent: 2 } as const]),
  ];
}

/** Of what anp does not know. */
function conditionOf(reason: string, removal: Removal): string {
  if (FREE.includes(reason)) return "";
  if (removal === null) return ", if its pods fit elsewhere";
  return removal.outcome === "unknown" ? ", if a replacement is cheaper" : "";
}

/** What becomes of the node if nothing else holds it; nothing for what the blockers say already. */
function removalWords({ disruptable, removal }: Reason): readonly string[] {
  if (removal === null || removal.outcome === "stays") return [];
  const { outcome, message } = removal;
  if (outcome === "unknown") return [message];
  const [does, would] = DOES[outcome];
  return [`${disruptable ? does : `if nothing held it, ${would}`}: ${message}`];
}

const DOES = {
  delete: ["Karpenter deletes it", "Karpenter would delete it"],
  replace: ["Karpenter replaces it", "Karpenter would replace it"],
  "terminate-first": ["Karpenter deletes it first, and then replaces it", "Karpenter would delete and then replace it"],
} as const;

/** For these Karpenter does not ask where the pods of the node go. */
const FREE: readonly string[] = ["Empty", "Expired"];

/** If all of them end by themselves, the last of these times. */
function endOf(blockers: readonly Blocker[]): string | null {
  const ends = blockers.map(({ until }) => until);
  const known = ends.filter((end) => end !== null);
  return known.length === ends.length && known.length > 0 ? known.toSorted().at(-1)! : null;
}

function blockerWords({ message, until }: Blocker): Words {
  return until === null || message.includes(until) ? message : `${message} (until ${until})`;
}

function shown(items: readonly Words[]): readonly Words[] {
  const left = items.length - MOST_SHOWN;
  return left <= 0 ? items : [...items.slice(0, MOST_SHOWN), `and ${String(left)} more`];
}

/** With one of these, nothing that a user changes lets the node go for the reason. */
const MOOT: readonly string[] = [
  "not-drifted",
  "healthy",
  "empty",
  "not-empty",
  "repair-unknown",
  "not-cheaper",
  "needs-more-nodes",
  "pods-do-not-fit",
  "waits-for-node",
];

/** Each once, for the reasons that it helps. */
function changesOf(all: readonly Reason[]): readonly string[] {
  const reasons = all.filter(({ blockers }) => !blockers.some(({ code }) => MOOT.includes(code)));
  const changes = reasons.flatMap(({ blockers, reason }) => blockers.map(({ change }) => ({ change, reason })));
  const byChange = Map.groupBy(
    changes.filter(({ change }) => change !== null),
    ({ change }) => change!,
  );
  return [...byChange].map(
    ([change, own]) => `${change} (${[...new Set(own.map(({ reason }) => reason))].join(", ")})`,
  );
}

function listed(title: string, items: readonly Words[]): Block[] {
  if (items.length === 0) return [];
  return [
    { kind: "gap" },
    { kind: "paragraph", words: [{ text: title, tone: "strong" }] },
    { kind: "list", items: shown(items), indent: 2 },
  ];
}

function poolBlocks({ nodePool, nodes }: WhyAnswer, wide: boolean): Block[] {
  const reasons = nodes[0]?.reasons.map(({ reason }) => reason) ?? [];
  const columns: TableColumn[] = [
    { head: "NODE", min: 12 },
    ...reasons.map((reason) => ({ head: reason.toUpperCase(), min: 8 })),
  ];
  const cellOf = ({ disruptable, blockers }: Reason): Words => {
    const [first, ...more] = blockers;
    if (disruptable || first === undefined) return [{ text: "may go", tone: "good" }];
    if (wide) return first.message;
    return `${first.code}${more.length === 0 ? "" : ` +${String(more.length)}`}`;
  };
  const rows = nodes.map((one) => ({ cells: [one.node, ...one.reasons.map(cellOf)] }));
  const open = nodes.filter((one) => one.reasons.some(({ disruptable }) => disruptable)).length;
  return [
    { kind: "heading", name: nodePool!, about: `${counted(nodes.length, "node")}, ${String(open)} may go now` },
    ...(nodes.length === 0
      ? []
      : ([{ kind: "gap" }, { kind: "table", label: "Nodes by reason", columns, rows }] as const)),
  ];
}

function podBlocks({ pod, node }: WhyAnswer): Block[] {
  const { name, why, movable, held, planned, attempts } = pod!;
  const about = node === null ? {} : { about: `on ${node}` };
  const verdict: Verdict = movable!
    ? { words: "may be evicted", tone: "good" }
    : { words: "is not evicted now", tone: "info" };
  const facts: Fact[] = [
    ...(planned === null ? [] : [[planned.nodePool, someOf(planned.instanceTypes, MOST_SHOWN)] as const]),
    ...attempts.map((one) => [one.nodePool, one.why] as const),
  ];
  return [
    { kind: "heading", name, ...about, ...(movable === null ? {} : { verdict }) },
    { kind: "list", items: [why, ...held.map(blockerWords)], indent: 2 },
    ...(facts.length === 0 ? [] : ([{ kind: "gap" }, { kind: "facts", facts, indent: 2 }] as const)),
    ...listed(
      "what lets it go",
      held.flatMap(({ change }) => change ?? []),
    ),
  ];
}
