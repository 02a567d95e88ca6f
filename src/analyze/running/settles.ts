/** When a change holds for nodes that run: at once, by a time, at some time, or never. */
import { type ReadBudget, readBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { longestStay, nodeStay } from "../../karpenter/disruption/node-stay.ts";
import type { FieldPath } from "../../krm/field-path.ts";
import { DEFAULT_BUDGETS } from "../../model/disruption-reasons.ts";
import { formatRfc3339 } from "../../model/rfc3339.ts";
import { type HeldPod, whyHeld } from "../nodes/held-pod.ts";
import type { NodeLife } from "../nodes/node-life.ts";
import { HORIZON, type LeavingNode, type Pace, type Roll, rollOf } from "./roll.ts";
import { judge, roomOf, type RunningPool, type Stay, stayOf, type Until } from "./stay.ts";

/** The bounds hold as long as nothing is changed meanwhile, and nothing but drift and expiry takes nodes. */
export interface Settles {
  readonly until: Until;
  /** Milliseconds since 1970: not before; undefined where nobody can tell. */
  readonly earliest: number | undefined;
  /** By then, whatever budgets and pods say; undefined where nothing bounds it. */
  readonly latest: number | undefined;
  readonly why: string;
  /** The field of the NodePool that decides; empty for the pool as a whole. */
  readonly path: FieldPath;
}

/** The nodes of a pool, as far as they are known. */
export interface SettlingNodes {
  /** All that exist. */
  readonly all: readonly NodeLife[];
  /** Those that have to go, or may have to. */
  readonly affected: readonly NodeLife[];
  /** Whether all of those have to. */
  readonly sure: boolean;
}

export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds that replacing one node takes. */
  readonly nodeTime: number;
}

/** @param nodes undefined where nobody counted them: their ages then lie before the moment, and no more is known */
export function settlesOf(pool: RunningPool, nodes: SettlingNodes | undefined, moment: Moment): Settles {
  if (nodes !== undefined) return ofNodes(pool, nodes, moment);
  if (pool.replicas === 0) return atOnce("it keeps no node");
  const stay = stayOf(pool);
  const { until, why, path, expiry } = stay;
  const longest = longestStay(stay);
  const { at } = moment;
  // A node that is about to expire may be the only one.
  const alone = { budgets: budgetsOf(pool), room: undefined, counted: 1 };
  // A moment says something only where that waits for a window.
  const roll =
    stay.halt === undefined ? rollOf(alone, [{ expires: undefined, drifts: true }], at, moment.nodeTime) : undefined;
  return {
    until,
    earliest:
      until === "never" || expiry !== undefined || roll === undefined || roll.begins === at
        ? undefined
        : (roll.ends ?? at + HORIZON),
    latest: longest === undefined ? undefined : at + longest,
    why: why + closedWords(stay, roll?.begins, at),
    path,
  };
}

/** Nodes that are deleted with their pool, or because it is to have fewer: no budget is asked. */
export function settlesOnRemoval(pool: RunningPool, nodes: SettlingNodes | undefined, { at }: Moment): Settles {
  if (nodes?.affected.length === 0) return atOnce(noneWords(nodes));
  const drains = nodes?.affected.map((node) => drainOf(node, pool)) ?? [nodeStay(pool).drain];
  const bounded = drains.filter((drain) => drain !== undefined);
  const path: FieldPath = ["spec", "template", "spec"];
  if (bounded.length < drains.length) {
    const why = `its nodes are deleted at once; without terminationGracePeriod a pod that may not be evicted holds its node for as long as it likes${heldWords(nodes?.affected ?? [], at)}`;
    return { until: "open", earliest: undefined, latest: undefined, why, path };
  }
  const latest = at + bounded.reduce((a, b) => Math.max(a, b), 0);
  const why = "its nodes are deleted at once, and terminationGracePeriod ends them, whatever pods say";
  return { until: "by", earliest: undefined, latest, why, path };
}

/** Nodes that are replaced by such as do not fit either. */
export function settlesNever(path: FieldPath): Settles {
  const why = "the nodes that come instead do not fit either, and are replaced in their turn";
  return { until: "never", earliest: undefined, latest: undefined, why, path };
}

const RANKS: readonly Until[] = ["at-once", "by", "open", "never"];

/** The one that takes longest: what never comes to an end, then what nobody can tell. Its bounds are those of all. */
export function lastOf<T extends Settles>(all: readonly T[]): T | undefined {
  const [first, ...others] = all;
  if (first === undefined) return undefined;
  const last = others.reduce((a, b) => (isLater(b, a) ? b : a), first);
  const earliest = all.flatMap((one) => one.earliest ?? []);
  return {
    ...last,
    earliest: last.until === "never" || earliest.length === 0 ? undefined : Math.max(...earliest),
  };
}

function isLater(a: Settles, b: Settles): boolean {
  const rank = RANKS.indexOf(a.until) - RANKS.indexOf(b.until);
  if (rank !== 0) return rank > 0;
  return (a.latest ?? a.earliest ?? 0) > (b.latest ?? b.earliest ?? 0);
}

function ofNodes(pool: RunningPool, nodes: SettlingNodes, moment: Moment): Settles {
  if (nodes.affected.length === 0) return atOnce(noneWords(nodes));
  const ends = endsOf(pool, nodes, moment.at);
  const { until, latest, why, path } = lastOf(ends)!;
  // One whose age nobody knows may expire this moment.
  const unknown = until === "never" || !nodes.sure || ends.some(({ ageless }) => ageless);
  const earliest = unknown ? undefined : (rollOfNodes(pool, nodes, moment).ends ?? moment.at + HORIZON);
  return { until, earliest, latest, why, path };
}

/** How nodes go at the earliest, by drift and expiry. */
export function rollOfNodes(pool: RunningPool, nodes: SettlingNodes, { at, nodeTime }: Moment): Roll {
  return rollOf(paceOf(pool, nodes.all), endsOf(pool, nodes, at), at, nodeTime);
}

function endsOf(pool: RunningPool, { all, affected }: SettlingNodes, at: number): NodeEnd[] {
  const stay = stayOf(pool, all.filter(({ deleting }) => !deleting).length);
  return affected.map((node) => endOf(node, pool, stay, at));
}

/** How long drift alone takes for so many of its nodes, which all may go. */
export function rollOfDrift(
  pool: RunningPool,
  all: readonly NodeLife[],
  affected: number,
  { at, nodeTime }: Moment,
): Roll {
  const leaving = Array.from({ length: affected }, () => ({ expires: undefined, drifts: true }));
  return rollOf(paceOf(pool, all), leaving, at, nodeTime);
}

/** A node that is no candidate yet counts as one: it is drifted once it is initialized, or expires. */
function paceOf(pool: RunningPool, all: readonly NodeLife[]): Pace {
  const staying = all.filter(({ deleting }) => !deleting).length;
  const counted = all.filter(({ terminating }) => !terminating).length;
  return { budgets: budgetsOf(pool), room: roomOf(pool, staying), counted };
}

interface NodeEnd extends Settles, LeavingNode {
  /** It expires, and nobody knows when. */
  readonly ageless: boolean;
}

/** The NodeClaim's own lifetime counts, which it has of the template as that was (docs/upstream/karpenter.md#how-long-nodes-stay). */
function endOf(node: NodeLife, pool: RunningPool, { halt: ofPool, drift }: Stay, at: number): NodeEnd {
  const drain = drainOf(node, pool);
  const own = { drift, expiry: nodeStay({ expireAfter: node.expireAfter ?? pool.expireAfter }).expiry, drain };
  const name = node.claim ?? node.name;
  const ageless = node.created === undefined && own.expiry !== undefined;
  if (node.deleting) {
    const latest = drain === undefined ? undefined : Math.max(at, (node.deletedAt ?? at) + drain);
    const ended = drain === undefined ? heldWords([node], at) || ", and its pods may hold it" : "";
    const why = `${name} is going already${ended}`;
    const until = latest === undefined ? "open" : "by";
    return {
      until,
      earliest: at,
      latest,
      why,
      path: ["spec", "template", "spec"],
      expires: at,
      drifts: false,
      ageless: false,
    };
  }
  const halt = ofPool ?? (node.doNotDisrupt ? "annotation" : undefined);
  const { until, why, path } = judge(own, halt, pool);
  const expires = own.expiry === undefined ? undefined : (node.created ?? at - own.expiry) + own.expiry;
  const latest = until === "by" ? Math.max(at, (node.created ?? at) + own.expiry!) + drain! : undefined;
  const held = until === "open" && drain === undefined ? heldWords([node], at) : "";
  const made = node.created === undefined ? "" : `, made ${formatRfc3339(node.created)}`;
  const words = `${name}${made}: ${why}${held}`;
  return { until, earliest: undefined, latest, why: words, path, expires, drifts: halt === undefined, ageless };
}

function drainOf({ terminationGracePeriod: own }: NodeLife, pool: RunningPool): number | undefined {
  if (own === null) return undefined;
  return nodeStay({ terminationGracePeriod: own ?? pool.terminationGracePeriod }).drain;
}

/** What holds nodes at the moment, the first of it. */
function heldWords(nodes: readonly NodeLife[], at: number): string {
  for (const { pods } of nodes) {
    const why = pods.map((pod: HeldPod) => whyHeld(pod, at)).find((words) => words !== undefined);
    if (why !== undefined) return `; ${why}`;
  }
  return "";
}

function closedWords({ drift, until }: Stay, begins: number | undefined, at: number): string {
  if (drift !== "sometimes" || until !== "open" || begins === at) return "";
  return begins === undefined
    ? "; the budgets let none go within a year"
    : `; the budgets let none go before ${formatRfc3339(begins)}`;
}

function noneWords({ all }: SettlingNodes): string {
  if (all.length === 1) return "its node does not have to go";
  return all.length === 0 ? "it has no nodes" : `none of its ${String(all.length)} nodes has to go`;
}

function atOnce(why: string): Settles {
  return { until: "at-once", earliest: undefined, latest: undefined, why, path: [] };
}

function budgetsOf({ budgets = DEFAULT_BUDGETS }: RunningPool): ReadBudget[] {
  return budgets.map(readBudget);
}
