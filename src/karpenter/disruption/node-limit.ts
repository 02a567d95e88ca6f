/** Computes from `limits.nodes` how many nodes may be launched, replaced and must be removed. */
import { type DisruptionReason, REPLACING_REASONS } from "../../model/pools/disruption-reasons.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import { budgetNodes } from "./disruption-budget.ts";
import { DRIFTED } from "./drifted-floor.ts";

export type NodeLimitMode = "Hard" | "Soft";

/** The modes are those of docs/design.md#the-node-limits-rfc. */
export interface NodeLimit {
  readonly nodes: number;
  readonly mode: NodeLimitMode;
  /** The minimum number or percentage of drifted nodes that budgets allow; the limit does not block these. */
  readonly driftedFloor?: string;
  /** Set if the limit exceeds JavaScript's safe integers; `nodes` is then the largest safe integer. */
  readonly exact?: bigint;
}

/** Undefined if the pool has no node limit. Fractions are rounded up, as in Quantity.Value. */
export function nodeLimitOf(
  limits: Readonly<Record<string, string | number>> | undefined,
  mode: NodeLimitMode,
  driftedFloor?: string,
): NodeLimit | undefined {
  const given = limits?.["nodes"];
  const quantity = given === undefined ? undefined : parseQuantity(String(given));
  if (quantity === undefined) return undefined;
  const whole = quantity.nano / NANO + (quantity.nano % NANO > 0n ? 1n : 0n);
  const rest = { mode, ...(driftedFloor === undefined ? {} : { driftedFloor }) };
  if (whole <= BigInt(Number.MAX_SAFE_INTEGER)) return { nodes: Number(whole), ...rest };
  return { nodes: Number.MAX_SAFE_INTEGER, ...rest, exact: whole };
}

const NANO = 1_000_000_000n;

/**
 * How many more nodes the limit allows while nodes are replaced for a reason; undefined if it does not apply. Negative
 * if there are more nodes than it allows.
 */
export function roomToReplace(
  limit: NodeLimit | undefined,
  nodes: number,
  reason: DisruptionReason,
): number | undefined {
  return limit?.mode === "Hard" && REPLACING_REASONS.includes(reason) ? limit.nodes - nodes : undefined;
}

/**
 * How many nodes may be replaced for a reason regardless of the limit; undefined if the reason has no such exception.
 */
export function replacedAnyway(
  limit: NodeLimit | undefined,
  counted: number,
  reason: DisruptionReason,
): number | undefined {
  if (limit?.driftedFloor === undefined || reason !== DRIFTED) return undefined;
  return Number(budgetNodes(limit.driftedFloor, counted));
}

/** Both modes stop provisioning. Terminating nodes do not count (docs/upstream/karpenter.md#node-limits). */
export function mayProvision(limit: NodeLimit | undefined, active: number): boolean {
  return limit === undefined || active < limit.nodes;
}

/**
 * How many nodes must be removed: those above a Hard limit. A Soft limit restricts provisioning only, and Karpenter
 * itself never removes nodes for a limit.
 */
export function surplusOf(limit: NodeLimit | undefined, active: number): number {
  return limit?.mode === "Hard" ? Math.max(0, active - limit.nodes) : 0;
}

/**
 * The highest number of nodes that Karpenter can reach by launching: it checks the limit between batches of pods, not
 * within one, so the last batch may start one node below the limit.
 */
export function worstCase(limit: NodeLimit, active: number, batch: number): number {
  return active < limit.nodes ? Math.max(active, limit.nodes - 1) + batch : active;
}
