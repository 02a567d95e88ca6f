/** Whether and how Karpenter replaces nodes that no longer fit their pool, by its settings. */
import {
  goesAtSomeTime,
  longestLifetime,
  type LifetimeBounds,
  lifetimeBounds,
  type LifetimeFields,
} from "../../karpenter/disruption/lifetime-bounds.ts";
import { type NodeLimit, replacedAnyway } from "../../karpenter/disruption/node-limit.ts";
import type { FieldPath } from "../../krm/places/field-path.ts";
import { formatGoDuration } from "../../model/values/go-duration.ts";
import { TERMINATION_TIMESTAMP } from "../../model/requirements/reserved-keys.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";

/** The settings of a pool that decide how its outdated nodes are replaced. */
export interface RunningPool extends LifetimeFields {
  readonly limit?: NodeLimit | undefined;
  /** The replicas of a static pool. */
  readonly replicas?: number | undefined;
  /**
   * Whether Karpenter deletes a drifted node of a static pool first if its limit has no room (TerminateFirstDrift).
   * Undefined if that is not known.
   */
  readonly terminatesFirst?: boolean | undefined;
  /** Whether the template puts karpenter.sh/do-not-disrupt on its nodes. */
  readonly doNotDisrupt?: boolean | undefined;
}

/**
 * `at-once`: no node is replaced. `by`: each is replaced by a known time, even if budgets and pods block. `open`: drift
 * or expiry replaces it at an unknown time. `never`: neither ever does.
 */
export type Until = "at-once" | "by" | "open" | "never";

/** What prevents drift from replacing any node of a pool. */
export type Blocked = "budgets" | "limit" | "annotation";

export interface NodeLifetime extends LifetimeBounds {
  readonly until: Exclude<Until, "at-once">;
  readonly blockedBy: Blocked | undefined;
  readonly why: string;
  /** What is missing to know a latest time; undefined if it is known, or if something else keeps it open. */
  readonly missing: string | undefined;
  /** From the root of the NodePool. */
  readonly path: FieldPath;
}

/** @param total how many nodes it has that are not being deleted; if unknown, at least one is assumed */
export function nodeLifetimeOf(pool: RunningPool, total?: number): NodeLifetime {
  const bounds = lifetimeBounds(pool);
  const blockedBy = blockedByOf(pool, bounds, total);
  return { ...bounds, blockedBy, ...whenReplaced(bounds, blockedBy, pool) };
}

/** See docs/upstream/karpenter.md#how-long-nodes-stay. */
function blockedByOf(pool: RunningPool, { drift }: LifetimeBounds, total: number | undefined): Blocked | undefined {
  if (drift === "never") return "budgets";
  if (pool.doNotDisrupt === true) return "annotation";
  const room = roomOf(pool, total ?? pool.replicas ?? 1);
  return room !== undefined && room <= 0 ? "limit" : undefined;
}

/**
 * How many replacement nodes may exist beside the others; undefined: any number. Karpenter keeps a static pool within
 * its limit. For other pools only a Hard limit applies, and never below the number that is replaced in any case.
 */
export function roomOf(
  { limit, replicas, terminatesFirst = false }: Pick<RunningPool, "limit" | "replicas" | "terminatesFirst">,
  total: number,
): number | undefined {
  const isFull = limit !== undefined && limit.nodes <= total;
  const isStatic = replicas !== undefined && !(terminatesFirst && isFull);
  const binds = limit !== undefined && (isStatic || limit.mode === "Hard");
  return binds ? Math.max(limit.nodes - total, replacedAnyway(limit, total, "Drifted") ?? -Infinity) : undefined;
}

/** @param blockedBy what blocks drift for the pool, or for one node of it */
export function whenReplaced(
  bounds: LifetimeBounds,
  blockedBy: Blocked | undefined,
  pool: RunningPool,
): Pick<NodeLifetime, "until" | "why" | "missing" | "path"> {
  const held = blockedBy === undefined ? bounds : { ...bounds, drift: "never" as const };
  const longest = longestLifetime(bounds);
  const until = longest !== undefined ? "by" : goesAtSomeTime(held) ? "open" : "never";
  const missing = until === "open" ? missingOf(bounds, pool) : undefined;
  return { until, why: whyOf(held, blockedBy, pool), missing, path: until === "by" ? LIFETIME : pathOf(blockedBy) };
}

/** The fields of the template without which a node has no latest time. */
export function missingOf(
  { expiry, drain }: Pick<LifetimeBounds, "expiry" | "drain">,
  { hasDrainEnd = false }: Pick<RunningPool, "hasDrainEnd">,
): string {
  return [
    expiry === undefined ? "expireAfter is Never" : "",
    drain !== undefined ? "" : hasDrainEnd ? `${TERMINATION_TIMESTAMP} is set` : "terminationGracePeriod is not set",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

const LIFETIME: FieldPath = ["spec", "template", "spec"];

function pathOf(blockedBy: Blocked | undefined): FieldPath {
  switch (blockedBy) {
    case "budgets":
      return ["spec", "disruption", "budgets"];
    case "limit":
      return ["spec", "limits", "nodes"];
    case "annotation":
      return ["spec", "template", "metadata", "annotations", DO_NOT_DISRUPT];
    case undefined:
      return LIFETIME;
  }
}

const DRIFTING = { always: "as its budgets allow", sometimes: "while its budgets allow it", never: "" } as const;

function whyOf({ drift, expiry, drain }: LifetimeBounds, blockedBy: Blocked | undefined, pool: RunningPool): string {
  if (expiry !== undefined && drain !== undefined)
    return `each node is deleted at most ${lengthText(expiry + drain)} after its creation: expireAfter and terminationGracePeriod override budgets and pods`;
  const held = drain === undefined ? `; ${heldByPods(pool)}` : "";
  const replaced = isDeletedFirst(pool)
    ? "by its feature gate TerminateFirstDrift Karpenter deletes drifted nodes before it has replacements,"
    : "drifted nodes are replaced";
  const blocked = blockedBy === undefined ? "" : blockedWords(blockedBy, pool);
  if (expiry === undefined)
    return blockedBy === undefined
      ? `${replaced} ${DRIFTING[drift]}, and no node expires: expireAfter is Never${held}`
      : `expireAfter is Never, and ${blocked}`;
  const age = `each node expires ${lengthText(expiry)} after its creation`;
  return blockedBy === undefined ? `${replaced} ${DRIFTING[drift]}; ${age}${held}` : `${blocked}; ${age}${held}`;
}

/** A static pool without room beside its replicas (docs/upstream/karpenter.md#static-pools). */
function isDeletedFirst({ terminatesFirst, replicas, limit }: RunningPool): boolean {
  return terminatesFirst === true && replicas !== undefined && limit !== undefined && limit.nodes <= replicas;
}

/** For a pool without a limit on how long a pod may block the deletion of its node. */
export function heldByPods({ hasDrainEnd = false }: Pick<RunningPool, "hasDrainEnd">): string {
  const unbounded = "a pod that cannot be evicted keeps its node without a time limit";
  return hasDrainEnd
    ? `Karpenter uses ${TERMINATION_TIMESTAMP} of the template instead of terminationGracePeriod, and ${unbounded}`
    : `without terminationGracePeriod, ${unbounded}`;
}

function blockedWords(blockedBy: Blocked, { limit, replicas, terminatesFirst }: RunningPool): string {
  switch (blockedBy) {
    case "budgets":
      return "its budgets never allow a drifted node to be replaced";
    case "annotation":
      return `${DO_NOT_DISRUPT} on its nodes blocks drift`;
    case "limit": {
      const of = replicas === undefined ? "" : ` beside its ${replicas} replicas`;
      const state = terminatesFirst === false ? " (it is off)" : "";
      const gate = `, unless the feature gate TerminateFirstDrift of Karpenter 1.15 is on${state}, which deletes drifted nodes first`;
      const unless = replicas === undefined || terminatesFirst === true ? "" : gate;
      return `its limit of ${limit?.nodes === 1 ? "one node" : `${String(limit?.exact ?? limit?.nodes)} nodes`} leaves no room for a replacement${of}${unless}`;
    }
  }
}

/** Durations without zero units, such as `720h` and `1h30m`. */
export function lengthText(milliseconds: number): string {
  const text = formatGoDuration(BigInt(Math.round(milliseconds * 1e6)));
  return text === "0s" ? text : text.replace(/(?<=[hm])0s$/, "").replace(/(?<=h)0m$/, "");
}
