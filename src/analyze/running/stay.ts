/** Whether and how nodes of a pool go once they no longer fit it, whatever nodes there are. */
import {
  goesAtSomeTime,
  longestStay,
  type NodeStay,
  nodeStay,
  type StayingPool,
} from "../../karpenter/disruption/node-stay.ts";
import { type NodeLimit, replacedAnyway } from "../../karpenter/disruption/node-limit.ts";
import type { FieldPath } from "../../krm/field-path.ts";
import { formatGoDuration } from "../../model/go-duration.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";

/** What decides about the nodes of a pool that no longer fit. */
export interface RunningPool extends StayingPool {
  readonly limit?: NodeLimit | undefined;
  /** Of a static pool: how many nodes it always has. */
  readonly replicas?: number | undefined;
  /** Whether the template puts karpenter.sh/do-not-disrupt on its nodes. */
  readonly doNotDisrupt?: boolean | undefined;
}

/**
 * `at-once`: none has to go. `by`: each is gone by a time, whatever anybody does. `open`: drift or expiry takes it, and
 * nobody can tell by when. `never`: neither ever does.
 */
export type Until = "at-once" | "by" | "open" | "never";

/** What keeps drift away from all nodes of a pool. */
export type Halt = "budgets" | "limit" | "annotation";

export interface Stay extends NodeStay {
  readonly until: Exclude<Until, "at-once">;
  readonly halt: Halt | undefined;
  readonly why: string;
  /** Below the NodePool. */
  readonly path: FieldPath;
}

/** @param total how many nodes it has that are to stay; where nobody knows, it has one at least */
export function stayOf(pool: RunningPool, total?: number): Stay {
  const stay = nodeStay(pool);
  const halt = haltOf(pool, stay, total);
  return { ...stay, halt, ...judge(stay, halt, pool) };
}

/** See docs/upstream/karpenter.md#how-long-nodes-stay. */
function haltOf(pool: RunningPool, { drift }: NodeStay, total: number | undefined): Halt | undefined {
  if (drift === "never") return "budgets";
  if (pool.doNotDisrupt === true) return "annotation";
  const room = roomOf(pool, total ?? pool.replicas ?? 1);
  return room !== undefined && room <= 0 ? "limit" : undefined;
}

/**
 * Karpenter itself keeps a static pool within its limit; of others only a Hard one binds, and not below what is replaced
 * anyway. Undefined: any number.
 */
export function roomOf(
  { limit, replicas }: Pick<RunningPool, "limit" | "replicas">,
  total: number,
): number | undefined {
  const binds = limit !== undefined && (replicas !== undefined || limit.mode === "Hard");
  return binds ? Math.max(limit.nodes - total, replacedAnyway(limit, total, "Drifted") ?? -Infinity) : undefined;
}

/** @param halt of the pool, or of one node of it */
export function judge(stay: NodeStay, halt: Halt | undefined, pool: RunningPool): Pick<Stay, "until" | "why" | "path"> {
  const held = halt === undefined ? stay : { ...stay, drift: "never" as const };
  const longest = longestStay(stay);
  const until = longest !== undefined ? "by" : goesAtSomeTime(held) ? "open" : "never";
  return { until, why: whyOf(held, halt, pool), path: until === "by" ? LIFETIME : pathOf(halt) };
}

const LIFETIME: FieldPath = ["spec", "template", "spec"];

function pathOf(halt: Halt | undefined): FieldPath {
  switch (halt) {
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

const DRIFTING = { always: "as its budgets let them", sometimes: "while its budgets let them", never: "" } as const;

function whyOf({ drift, expiry, drain }: NodeStay, halt: Halt | undefined, pool: RunningPool): string {
  if (expiry !== undefined && drain !== undefined)
    return `each node is gone ${lengthText(expiry + drain)} after it was made at the latest: expireAfter and terminationGracePeriod end it, whatever budgets and pods say`;
  const held =
    drain === undefined
      ? "; without terminationGracePeriod a pod that may not be evicted holds its node for as long as it likes"
      : "";
  const kept = halt === undefined ? "" : keptWords(halt, pool);
  if (expiry === undefined)
    return halt === undefined
      ? `drifted nodes go ${DRIFTING[drift]}, and none by its age: expireAfter is Never${held}`
      : `expireAfter is Never, and ${kept}`;
  const age = `${lengthText(expiry)} after it was made each node begins to go`;
  return halt === undefined ? `drifted nodes go ${DRIFTING[drift]}; ${age}${held}` : `${kept}; ${age}${held}`;
}

function keptWords(halt: Halt, { limit, replicas }: RunningPool): string {
  switch (halt) {
    case "budgets":
      return "its budgets never let a drifted node go";
    case "annotation":
      return `${DO_NOT_DISRUPT} on its nodes keeps drift away`;
    case "limit": {
      const of = replicas === undefined ? "" : ` beside its ${replicas} replicas`;
      return `its limit of ${limit?.nodes === 1 ? "one node" : `${String(limit?.exact ?? limit?.nodes)} nodes`} leaves no place for a replacement${of}`;
    }
  }
}

/** `720h` and `1h30m`, as people write them. */
export function lengthText(milliseconds: number): string {
  const text = formatGoDuration(BigInt(Math.round(milliseconds * 1e6)));
  return text === "0s" ? text : text.replace(/(?<=[hm])0s$/, "").replace(/(?<=h)0m$/, "");
}
