/** When a change holds for the nodes that run: at once, by a time, at an unknown time, or never. */
import { type ReadBudget, readBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { longestLifetime, lifetimeBounds } from "../../karpenter/disruption/lifetime-bounds.ts";
import { counted } from "../../krm/values/counted.ts";
import type { FieldPath } from "../../krm/places/field-path.ts";
import { DEFAULT_BUDGETS } from "../../model/pools/disruption-reasons.ts";
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import { podsHolding } from "../disrupt/node-blockers.ts";
import type { NodeLife } from "../nodes/node-life.ts";
import { HORIZON, type LeavingNode, type RolloutPace, type Rollout, rolloutOf } from "./rollout.ts";
import {
  heldByPods,
  missingOf,
  whenReplaced,
  roomOf,
  type RunningPool,
  type NodeLifetime,
  nodeLifetimeOf,
  type Until,
} from "./node-lifetime.ts";

/** The bounds hold if nothing changes meanwhile, and only drift and expiry replace nodes. */
export interface Convergence {
  readonly until: Until;
  /** The earliest moment, in milliseconds since 1970; undefined if unknown. */
  readonly earliest: number | undefined;
  /** The latest moment, even if budgets and pods block; undefined if nothing bounds it. */
  readonly latest: number | undefined;
  readonly why: string;
  /** What is missing to know a latest moment. */
  readonly missing?: string | undefined;
  /** The field of the NodePool that decides; empty for the pool as a whole. */
  readonly path: FieldPath;
}

/** The nodes of a pool, as far as they are known. */
export interface ConvergingNodes {
  /** All that exist. */
  readonly all: readonly NodeLife[];
  /** Those that the change replaces, or may replace. */
  readonly affected: readonly NodeLife[];
  /** Whether the change replaces all of those for certain. */
  readonly sure: boolean;
}

export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds that replacing one node takes. */
  readonly nodeTime: number;
}

/** @param nodes undefined if they were not read: then it is only known that they were created before the moment */
export function convergenceOf(pool: RunningPool, nodes: ConvergingNodes | undefined, moment: Moment): Convergence {
  if (nodes !== undefined) return ofNodes(pool, nodes, moment);
  if (pool.replicas === 0) return atOnce("it has 0 replicas");
  const lifetime = nodeLifetimeOf(pool);
  const { until, why, missing, path, expiry } = lifetime;
  const longest = longestLifetime(lifetime);
  const { at } = moment;
  // The pool may have a single node.
  const alone = { budgets: budgetsOf(pool), room: undefined, counted: 1 };
  // The earliest moment is known only if drift waits for the window of a budget.
  const rollout =
    lifetime.blockedBy === undefined
      ? rolloutOf(alone, [{ expires: undefined, drifts: true }], at, moment.nodeTime)
      : undefined;
  return {
    until,
    earliest:
      until === "never" || expiry !== undefined || rollout === undefined || rollout.begins === at
        ? undefined
        : (rollout.ends ?? at + HORIZON),
    latest: longest === undefined ? undefined : at + longest,
    why: why + closedWords(lifetime, rollout?.begins, at),
    missing,
    path,
  };
}

/** For nodes that are deleted with their pool, or because its replicas decrease. Budgets do not apply to these. */
export function convergenceOfRemoval(
  pool: RunningPool,
  nodes: ConvergingNodes | undefined,
  { at }: Moment,
): Convergence {
  if (nodes?.affected.length === 0) return atOnce(noneWords(nodes));
  const drains = nodes?.affected.map((node) => drainOf(node, pool)) ?? [lifetimeBounds(pool).drain];
  const bounded = drains.filter((drain) => drain !== undefined);
  const path: FieldPath = ["spec", "template", "spec"];
  if (bounded.length < drains.length) {
    const why = `its nodes are deleted at once; ${heldByPods(pool)}${heldWords(nodes?.affected ?? [], at)}`;
    const missing = missingOf({ expiry: 0, drain: undefined }, pool);
    return { until: "open", earliest: undefined, latest: undefined, why, missing, path };
  }
  const latest = at + bounded.reduce((a, b) => Math.max(a, b), 0);
  const why = "its nodes are deleted at once, and terminationGracePeriod ends them even if pods block eviction";
  return { until: "by", earliest: undefined, latest, why, path };
}

/** For nodes with replacements that do not meet the requirements either. */
export function neverConverges(path: FieldPath): Convergence {
  const why = "the replacement nodes do not meet the requirements either, and are replaced again";
  return { until: "never", earliest: undefined, latest: undefined, why, path };
}

const RANKS: readonly Until[] = ["at-once", "by", "open", "never"];

/**
 * The one that takes longest: `never`, then `open`, then the latest moment. Its earliest moment is that of all
 * together.
 */
export function lastOf<T extends Convergence>(all: readonly T[]): T | undefined {
  const [first, ...others] = all;
  if (first === undefined) return undefined;
  const last = others.reduce((a, b) => (isLater(b, a) ? b : a), first);
  const earliest = all.flatMap((one) => one.earliest ?? []);
  return {
    ...last,
    earliest: last.until === "never" || earliest.length === 0 ? undefined : Math.max(...earliest),
  };
}

function isLater(a: Convergence, b: Convergence): boolean {
  const rank = RANKS.indexOf(a.until) - RANKS.indexOf(b.until);
  if (rank !== 0) return rank > 0;
  return (a.latest ?? a.earliest ?? 0) > (b.latest ?? b.earliest ?? 0);
}

function ofNodes(pool: RunningPool, nodes: ConvergingNodes, moment: Moment): Convergence {
  if (nodes.affected.length === 0) return atOnce(noneWords(nodes));
  const ends = endsOf(pool, nodes, moment.at);
  const { until, latest, why, missing, path } = lastOf(ends)!;
  // A node of unknown age may expire at this moment.
  const unknown = until === "never" || !nodes.sure || ends.some(({ ageless }) => ageless);
  const fastest = unknown ? undefined : (rolloutOfNodes(pool, nodes, moment).ends ?? moment.at + HORIZON);
  const earliest = fastest && Math.max(fastest, ...ends.flatMap(({ heldTo }) => heldTo ?? []));
  return { until, earliest, latest, why, missing, path };
}

/** The fastest rollout by drift and expiry. */
export function rolloutOfNodes(pool: RunningPool, nodes: ConvergingNodes, { at, nodeTime }: Moment): Rollout {
  return rolloutOf(paceOf(pool, nodes.all), endsOf(pool, nodes, at), at, nodeTime);
}

function endsOf(pool: RunningPool, { all, affected }: ConvergingNodes, at: number): NodeEnd[] {
  const lifetime = nodeLifetimeOf(pool, all.filter(({ deleting }) => !deleting).length);
  return affected.map((node) => endOf(node, pool, lifetime, at));
}

/** The fastest rollout of so many of its nodes by drift alone. */
export function rolloutOfDrift(
  pool: RunningPool,
  all: readonly NodeLife[],
  affected: number,
  { at, nodeTime }: Moment,
): Rollout {
  const leaving = Array.from({ length: affected }, () => ({ expires: undefined, drifts: true }));
  return rolloutOf(paceOf(pool, all), leaving, at, nodeTime);
}

/** A node that is not initialized yet counts too: it drifts once it is initialized, or expires. */
function paceOf(pool: RunningPool, all: readonly NodeLife[]): RolloutPace {
  const staying = all.filter(({ deleting }) => !deleting).length;
  const counted = all.filter(({ terminating }) => !terminating).length;
  return { budgets: budgetsOf(pool), room: roomOf(pool, staying), counted };
}

interface NodeEnd extends Convergence, LeavingNode {
  /** It expires at an unknown time. */
  readonly ageless: boolean;
  /** It stays until then at least, as its pods are now; undefined if they do not say. */
  readonly heldTo: number | undefined;
}

/**
 * The lifetime of the NodeClaim applies, which was copied from the template at its creation
 * (docs/upstream/karpenter.md#how-long-nodes-stay).
 */
function endOf(node: NodeLife, pool: RunningPool, { blockedBy: ofPool, drift }: NodeLifetime, at: number): NodeEnd {
  const drain = drainOf(node, pool);
  const own = { drift, expiry: lifetimeBounds({ expireAfter: node.expireAfter ?? pool.expireAfter }).expiry, drain };
  const name = node.claim ?? node.name;
  const ageless = node.created === undefined && own.expiry !== undefined;
  if (node.deleting) {
    const latest = drain === undefined ? undefined : Math.max(at, (node.deletedAt ?? at) + drain);
    const ended = drain === undefined ? heldWords([node], at) || ", and its pods may block that" : "";
    const why = `${name} is being deleted already${ended}`;
    const until = latest === undefined ? "open" : "by";
    return {
      until,
      earliest: at,
      latest,
      why,
      missing: until === "open" ? missingOf({ expiry: 0, drain }, pool) : undefined,
      path: ["spec", "template", "spec"],
      expires: at,
      drifts: false,
      ageless: false,
      heldTo: undefined,
    };
  }
  const blockedBy = ofPool ?? (node.doNotDisrupt ? "annotation" : undefined);
  const { until, why, missing, path } = whenReplaced(own, blockedBy, pool);
  const expires = own.expiry === undefined ? undefined : (node.created ?? at - own.expiry) + own.expiry;
  const latest = until === "by" ? Math.max(at, (node.created ?? at) + own.expiry!) + drain! : undefined;
  const holders = until === "open" && drain === undefined ? heldWords([node], at) : "";
  const made = node.created === undefined ? "" : `, created ${formatRfc3339(node.created)}`;
  const words = `${name}${made}: ${why}${holders}`;
  const drifts = blockedBy === undefined;
  const held = drain === undefined ? heldUntil(node, at) : undefined;
  const heldTo = held && Math.min(held, expires ?? Infinity);
  return { until, earliest: undefined, latest, why: words, missing, path, expires, drifts, ageless, heldTo };
}

function drainOf({ terminationGracePeriod: own }: NodeLife, pool: RunningPool): number | undefined {
  if (own === null) return undefined;
  return lifetimeBounds({ ...pool, ...(own === undefined ? {} : { terminationGracePeriod: own, hasDrainEnd: false }) })
    .drain;
}

/** The first thing that holds one of the nodes at the moment, and how many more hold them. */
function heldWords(nodes: readonly NodeLife[], at: number): string {
  const [first, ...others] = nodes.flatMap((life) => podsHolding({ life }, at));
  if (first === undefined) return "";
  return `; ${first.message}${others.length === 0 ? "" : `, and ${counted(others.length, "other")} hold${others.length === 1 ? "s" : ""} ${nodes.length === 1 ? "it" : "them"} too`}`;
}

/** Until when drift passes over a node at least, because annotations of its pods end then; undefined if none does. */
function heldUntil(life: NodeLife, at: number): number | undefined {
  const ends = podsHolding({ life }, at).flatMap(({ until }) => until ?? []);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

function closedWords({ drift, until }: NodeLifetime, begins: number | undefined, at: number): string {
  if (drift !== "sometimes" || until !== "open" || begins === at) return "";
  return begins === undefined
    ? "; the budgets allow no disruption within a year"
    : `; the budgets allow no disruption before ${formatRfc3339(begins)}`;
}

function noneWords({ all }: ConvergingNodes): string {
  if (all.length === 1) return "its node is not affected";
  return all.length === 0 ? "it has no nodes" : `none of its ${String(all.length)} nodes is affected`;
}

function atOnce(why: string): Convergence {
  return { until: "at-once", earliest: undefined, latest: undefined, why, path: [] };
}

function budgetsOf({ budgets = DEFAULT_BUDGETS }: RunningPool): ReadBudget[] {
  return budgets.map(readBudget);
}
