/** `limits.nodes` of a pool: what may be launched and replaced, and how many nodes have to go. */
import { type DisruptionReason, REPLACING_REASONS } from "../../model/disruption-reasons.ts";
import { parseQuantity } from "../../model/quantity.ts";
import { budgetNodes } from "./budget-nodes.ts";
import { DRIFTED } from "./drifted-floor.ts";

export type NodeLimitMode = "Hard" | "Soft";

/** The modes are those of docs/design.md#the-node-limits-rfc. */
export interface NodeLimit {
  readonly nodes: number;
  readonly mode: NodeLimitMode;
  /** What budgets let go of drifted nodes at least, which no limit holds back: a number or a percentage. */
  readonly driftedFloor?: string;
  /** Where it is larger than JavaScript counts: `nodes` is then the largest number that it does count. */
  readonly exact?: bigint;
}

/** Undefined where the pool has no limit on nodes. Parts of a node count as a whole one, as Quantity.Value has it. */
export function nodeLimitOf(
  limits: Readonly<Record<string, string | number>> | undefined,
  mode: NodeLimitMode,
  driftedFloor?: string,
): NodeLimit | undefined {
  const given = limits?.["nodes"];
  const quantity = given === undefined ? undefined : parseQuantity(String(given));
  if (quantity === undefined) return undefined;
  const whole = quantity.nano / NANO + (quantity.nano % NANO > 0n ? 1n : 0n);
  const said = { mode, ...(driftedFloor === undefined ? {} : { driftedFloor }) };
  if (whole <= BigInt(Number.MAX_SAFE_INTEGER)) return { nodes: Number(whole), ...said };
  return { nodes: Number.MAX_SAFE_INTEGER, ...said, exact: whole };
}

const NANO = 1_000_000_000n;

/**
 * How many nodes more the limit has room for while nodes of a reason are replaced; undefined where it holds nothing
 * back. Below zero there are more nodes than it allows.
 */
export function roomToReplace(
  limit: NodeLimit | undefined,
  nodes: number,
  reason: DisruptionReason,
): number | undefined {
  return limit?.mode === "Hard" && REPLACING_REASONS.includes(reason) ? limit.nodes - nodes : undefined;
}

/** How many nodes may be replaced for a reason whatever room a limit has; undefined where that is for no reason. */
export function replacedAnyway(
  limit: NodeLimit | undefined,
  counted: number,
  reason: DisruptionReason,
): number | undefined {
  if (limit?.driftedFloor === undefined || reason !== DRIFTED) return undefined;
  return Number(budgetNodes(limit.driftedFloor, counted));
}

/** Both modes stop provisioning; nodes that are going do not count (docs/upstream/karpenter.md#node-limits). */
export function mayProvision(limit: NodeLimit | undefined, active: number): boolean {
  return limit === undefined || active < limit.nodes;
}

/**
 * How many nodes have to go at once: those above a Hard limit. A Soft one is about provisioning alone, and Karpenter's
 * own never removes a node.
 */
export function surplusOf(limit: NodeLimit | undefined, active: number): number {
  return limit?.mode === "Hard" ? Math.max(0, active - limit.nodes) : 0;
}

/**
 * The most nodes that stock Karpenter can come to by launching: it counts the limit down between batches of pods and
 * not within one, so that the last batch starts from one node below.
 */
export function worstCase(limit: NodeLimit, active: number, batch: number): number {
  return active < limit.nodes ? Math.max(active, limit.nodes - 1) + batch : active;
}
