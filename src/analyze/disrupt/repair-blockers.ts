/** What keeps Karpenter from repairing a node: its gate, its conditions, other unhealthy nodes. */
import { budgetNodes } from "../../karpenter/disruption/disruption-budget.ts";
import { repairPolicies } from "../../karpenter/disruption/repair-policies.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { type Blocker, blocker } from "./blocker.ts";
import { goingBlockers, nodeBlockers, resourceOf } from "./node-blockers.ts";
import type { NodeState } from "./node-state.ts";
import type { DisruptionWorld } from "./world.ts";

/**
 * From 1.15 `ShouldDisrupt` in pkg/controllers/disruption/repair.go; before, `Reconcile` in
 * pkg/controllers/node/health/controller.go, which asks for nothing but the condition (docs/upstream/karpenter.md#repair).
 */
export function repairBlockers(node: NodeState, world: DisruptionWorld): readonly Blocker[] {
  const isMethod = world.profile === "karpenter-1.15";
  const own = isMethod || !node.isManaged ? nodeBlockers(node, "repair", world) : goingBlockers(node);
  const resource = resourceOf(node);
  if (!node.isManaged || node.pair.node === undefined) return own;
  const gate = world.gates.has("NodeRepair")
    ? []
    : [
        blocker("repair-off", "Deployment karpenter", "Karpenter's feature gate NodeRepair is off", {
          change: "turn on the feature gate NodeRepair",
        }),
      ];
  const isVetoed = isMethod && node.annotations[DO_NOT_REPAIR] === "true";
  const veto = isVetoed
    ? [
        blocker("repair-blocked", resource, `it has the annotation ${DO_NOT_REPAIR}`, {
          change: `remove the annotation from ${resource}, and from the template of its pool`,
        }),
      ]
    : [];
  return [...own, ...gate, ...conditionBlockers(node, world), ...veto];
}

const DO_NOT_REPAIR = "karpenter.sh/do-not-repair";

function conditionBlockers(node: NodeState, world: DisruptionWorld): readonly Blocker[] {
  const resource = resourceOf(node);
  if (!world.isRepairKnown)
    return [blocker("repair-unknown", resource, "it is not known which conditions its provider calls unhealthy")];
  const found = unhealthyOf(node, world);
  const [first] = found.toSorted((a, b) => a.from - b.from);
  if (first === undefined)
    return [blocker("healthy", resource, "none of its conditions is one that Karpenter repairs")];
  if (first.from <= world.at) return [];
  const message = `Karpenter repairs ${first.type}=${first.status} only after a while`;
  return [blocker("unhealthy-tolerated", resource, message, { until: first.from })];
}

/** The conditions that Karpenter repairs, with the moment from which it does. */
function unhealthyOf({ conditions, life, rebootedAt = 0 }: NodeState, { profile }: DisruptionWorld) {
  const policies = repairPolicies(profile);
  return conditions.flatMap(({ type, status, reason, since }) => {
    const policy = policies.find((one) => one.type === type && one.status === status);
    const start = Math.max(since ?? 0, life.created ?? 0, rebootedAt);
    return policy === undefined ? [] : [{ type, status, from: start + policy.toleration(reason) }];
  });
}

/** Karpenter repairs no node of a pool of which more are unhealthy, however short. */
const MOST_UNHEALTHY = "20%";

/** `breakerTrippedPools` in repair.go; before 1.15 `isNodePoolHealthy`. */
export function shareBlockers({ nodePool = "" }: NodeState, world: DisruptionWorld): readonly Blocker[] {
  const { nodes, unhealthy } = sharesOf(world).get(nodePool) ?? { nodes: 0, unhealthy: 0 };
  if (!world.isRepairKnown || unhealthy <= Number(budgetNodes(MOST_UNHEALTHY, nodes))) return [];
  const resource = `NodePool ${nodePool}`;
  const message = `${String(unhealthy)} of ${String(nodes)} nodes of ${resource} are unhealthy, and Karpenter repairs none if more than ${MOST_UNHEALTHY} are`;
  const change = "look for a common cause, such as the network, the image or a DaemonSet";
  return [blocker("repair-unhealthy-share", resource, message, { change })];
}

/** By pool. */
const sharesOf = memoizeByObject((world: DisruptionWorld) => {
  const nodes = Map.groupBy(
    world.nodes.filter(({ pair }) => pair.node !== undefined),
    (node) => node.nodePool ?? "",
  );
  return new Map(
    [...nodes].map(([pool, own]) => {
      const unhealthy = own.filter((one) => unhealthyOf(one, world).length > 0).length;
      return [pool, { nodes: own.length, unhealthy }];
    }),
  );
});
