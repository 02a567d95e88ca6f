/** How many nodes of a pool budgets count, and how many of them use up a budget. */
import { type DisruptionReason, waitsForReady } from "../../model/pools/disruption-reasons.ts";
import type { NodeLife } from "../nodes/node-life.ts";

export interface CountedNodes {
  /** The base of percentages: initialized nodes with an instance that is not terminating. */
  readonly counted: number;
  /** Of these, how many use up a budget because they are being disrupted. */
  readonly going: number;
  /** Of these, how many use up a budget because they are not ready. */
  readonly notReady: number;
}

/** `NodePoolStatsFromNodes` (docs/upstream/karpenter.md#budgets). @param nodes those of one pool */
export function countNodes(nodes: readonly NodeLife[]): CountedNodes {
  const counted = nodes.filter(({ terminating, initialized, rebooting }) => !terminating && (initialized || rebooting));
  const staying = counted.filter(({ deleting, rebooting }) => !deleting && !rebooting);
  return {
    counted: counted.length,
    going: counted.length - staying.length,
    notReady: staying.filter(({ ready }) => !ready).length,
  };
}

/** How many nodes use up the budgets for a reason. */
export function consumingFor({ going, notReady }: CountedNodes, reason: DisruptionReason): number {
  return waitsForReady(reason) ? going + notReady : going;
}
