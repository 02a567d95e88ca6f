/** Why Karpenter does not take a node now, by reason: every blocker, not the first. */
import { type Blocker, blocker, type LeavingReason } from "./blocker.ts";
import { budgetBlockers } from "./budget-room.ts";
import { emptyBlockers, underutilizedBlockers } from "./consolidation-blockers.ts";
import { expiryBlockers } from "./expiry-blockers.ts";
import { nodeBlockers, resourceOf } from "./node-blockers.ts";
import type { NodeState } from "./node-state.ts";
import { repairBlockers, shareBlockers } from "./repair-blockers.ts";
import { staticBlockers } from "./static-blockers.ts";
import type { DisruptionWorld } from "./world.ts";

/**
 * What keeps a node from going for a reason now: what concerns the node (`candidateBlockers`), then what its pool allows
 * in this round (`roundBlockers`). Whether its pods fit elsewhere is not looked at here.
 */
export function blockersOf(node: NodeState, reason: LeavingReason, world: DisruptionWorld): readonly Blocker[] {
  return [...candidateBlockers(node, reason, world), ...roundBlockers(node, reason, world)];
}

/**
 * Empty if the node is a candidate of Karpenter's method for the reason: `NewCandidate` (disruption/types.go) and
 * `ShouldDisrupt` of the method (emptiness.go, consolidation.go, drift.go, staticdrift.go, repair.go). In Karpenter's
 * order: the first one with an event is the one that Karpenter reports. Underutilized is for single-node and multi-node
 * consolidation alike; both pass over nodes that Emptiness takes.
 */
export function candidateBlockers(node: NodeState, reason: LeavingReason, world: DisruptionWorld): readonly Blocker[] {
  if (reason === "Expired") return expiryBlockers(node, world);
  if (reason === "Unhealthy") return repairBlockers(node, world);
  const pool = world.pools.get(node.nodePool ?? "");
  const own = nodeBlockers(node, reason === "Drifted" ? "eventual" : "graceful", world);
  // Without its pool or its Node nothing else is known.
  if (pool === undefined || !node.isManaged || node.pair.node === undefined) return own;
  if (reason === "Drifted") return [...own, ...driftBlockers(node)];
  const ofMethod = reason === "Empty" ? emptyBlockers : underutilizedBlockers;
  return [...own, ...ofMethod(node, pool, world)];
}

/**
 * What the pool of a node does not allow now, whichever node: `ComputeCommands` of the methods asks it for one candidate
 * after the other, and counts down.
 */
function roundBlockers(node: NodeState, reason: LeavingReason, world: DisruptionWorld): readonly Blocker[] {
  const pool = world.pools.get(node.nodePool ?? "");
  if (reason === "Expired" || pool === undefined || !node.isManaged) return [];
  if (reason === "Unhealthy") {
    const share = shareBlockers(node, world);
    // Up to 1.14 repair asks no budget. Budgets do not count nodes that are not initialized.
    if (world.profile !== "karpenter-1.15") return share;
    const ofBudget = node.isInitialized ? budgetBlockers(pool, reason, world) : [];
    return [...share, ...ofBudget, ...staticBlockers(pool, "TerminateFirstRepair", world)];
  }
  // For other reasons Karpenter does not come to the budgets of a static pool.
  if (pool.replicas !== undefined && reason !== "Drifted") return [];
  return [...budgetBlockers(pool, reason, world), ...staticBlockers(pool, "TerminateFirstDrift", world)];
}

function driftBlockers(node: NodeState): readonly Blocker[] {
  if (node.drifted !== undefined) return [];
  return [blocker("not-drifted", resourceOf(node), "its NodeClaim does not have the condition Drifted")];
}
