/** What keeps Karpenter from considering a node at all: its state, annotations, pool and pods. */
import { type Blocker, blocker } from "./blocker.ts";
import type { NodeState } from "./node-state.ts";
import { podBlockers } from "./pod-blockers.ts";
import type { DisruptionWorld } from "./world.ts";

/**
 * How Karpenter's methods treat what holds a node: `graceful` respects all of it, `eventual` (drift) passes over pods if
 * the NodeClaim has a terminationGracePeriod, `repair` passes over pods, its annotation and whether it is initialized.
 */
export type Class = "graceful" | "eventual" | "repair";

/** Of a node, by the name that its Node has, else its NodeClaim. */
export function resourceOf({ life, pair }: NodeState): string {
  return pair.node === undefined ? `NodeClaim ${life.name}` : `Node ${life.name}`;
}

/**
 * `ValidateNodeDisruptable` and `ValidatePodsDisruptable` (pkg/controllers/state/statenode.go), and the pool of the node
 * (`NewCandidate`, pkg/controllers/disruption/types.go).
 */
export function nodeBlockers(node: NodeState, of: Class, world: DisruptionWorld): readonly Blocker[] {
  const resource = resourceOf(node);
  const { life, pair, nodePool } = node;
  if (!node.isManaged)
    return [blocker("node-not-of-karpenter", resource, "it has no NodeClaim: Karpenter did not make it")];
  if (pair.node === undefined)
    return [blocker("node-not-initialized", resource, "its NodeClaim has no Node yet"), ...goingBlockers(node)];
  const nominee = world.nominated.get(life.name);
  const pool = world.pools.get(nodePool ?? "");
  const hasNoTypes = pool?.knowsType(node.labels["node.kubernetes.io/instance-type"] ?? "") === "none";
  const own = [
    ...(of === "repair" && nodePool === undefined
      ? [blocker("repair-without-pool", resource, "it has no pool that could replace it")]
      : []),
    ...goingBlockers(node),
    ...startBlockers(node, of),
    ...(nominee === undefined
      ? []
      : [blocker("node-nominated", resource, `Karpenter expects the pending pod ${nominee} on it`)]),
    ...(of !== "repair" && node.annotations[DO_NOT_DISRUPT] === "true"
      ? [
          blocker("node-do-not-disrupt", resource, `it has the annotation ${DO_NOT_DISRUPT}`, {
            change: `remove the annotation from ${resource}, and from the template of its pool`,
          }),
        ]
      : []),
    ...(nodePool === undefined
      ? [
          blocker("node-not-of-karpenter", resource, "it has no label karpenter.sh/nodepool", {
            change: "restore the label karpenter.sh/nodepool",
          }),
        ]
      : []),
    ...(nodePool !== undefined && (pool === undefined || hasNoTypes) ? [withoutPool(nodePool, hasNoTypes)] : []),
  ];
  const isPassedOver = of === "repair" || (of === "eventual" && node.drainEnd !== undefined);
  return isPassedOver ? own : [...own, ...podsHolding(node, world.at)];
}

const DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt";

function withoutPool(pool: string, hasNoTypes: boolean): Blocker {
  const resource = `NodePool ${pool}`;
  return hasNoTypes
    ? blocker("pool-not-found", resource, `its NodePool ${pool} has no instance types`, {
        change: "restore the node class of the pool",
      })
    : blocker("pool-not-found", resource, `its NodePool ${pool} is not there`, {
        change: `apply NodePool ${pool} again, or delete its NodeClaims`,
      });
}

/** Being removed, or restarted. */
export function goingBlockers(node: NodeState): readonly Blocker[] {
  const { deleting, rebooting, terminating } = node.life;
  const resource = resourceOf(node);
  return [
    ...(rebooting ? [blocker("node-is-going", resource, "it is being rebooted")] : []),
    ...(deleting
      ? [
          blocker(
            "node-is-going",
            resource,
            terminating ? "its instance is terminating" : "it is being removed already",
          ),
        ]
      : []),
  ];
}

function startBlockers(node: NodeState, of: Class): readonly Blocker[] {
  if (node.isInitialized) return [];
  const resource = resourceOf(node);
  const change = `look at the conditions Registered and Initialized of NodeClaim ${node.life.claim!}`;
  if (!node.isRegistered) return [blocker("node-not-initialized", resource, "it is not registered yet", { change })];
  return of === "repair" ? [] : [blocker("node-not-initialized", resource, "it is not initialized yet", { change })];
}

/** First those with karpenter.sh/do-not-disrupt, then those of PodDisruptionBudgets, as Karpenter asks. */
export function podsHolding({ life }: Pick<NodeState, "life">, at: number): readonly Blocker[] {
  const all = life.pods.flatMap((pod) => podBlockers(pod, at));
  const isGuard = ({ code }: Blocker): boolean => code === "pod-do-not-disrupt";
  return [...all.filter(isGuard), ...all.filter((one) => !isGuard(one))];
}
