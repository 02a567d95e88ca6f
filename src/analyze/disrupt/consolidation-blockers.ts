/** What keeps Karpenter from consolidating a node, empty or not. */
import { CAPACITY_TYPE, ZONE } from "../../model/requirements/label-keys.ts";
import { evictionCost } from "../../karpenter/disruption/node-limit-candidates.ts";
import { counted } from "../../krm/values/counted.ts";
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import { type Blocker, blocker } from "./blocker.ts";
import { resourceOf } from "./node-blockers.ts";
import type { NodeState } from "./node-state.ts";
import type { DisruptedPool, DisruptionWorld } from "./world.ts";

/** `ShouldDisrupt` in pkg/controllers/disruption/emptiness.go. */
export function emptyBlockers(node: NodeState, pool: DisruptedPool, world: DisruptionWorld): readonly Blocker[] {
  if (pool.replicas !== undefined) return [ofStaticPool(pool)];
  const moving = movingPods(node, world);
  const resource = resourceOf(node);
  return [
    ...whenOff(pool),
    ...(world.buffered.has(node.life.name)
      ? [
          blocker("buffer-pods", resource, "Karpenter keeps room on it for pods of a CapacityBuffer", {
            change: "lower the replicas of the CapacityBuffer",
          }),
        ]
      : []),
    ...(moving.length === 0 ? [] : [blocker("not-empty", resource, notEmpty(moving))]),
    ...waitBlockers(node, pool, world.at),
  ];
}

/** `ShouldDisrupt` in pkg/controllers/disruption/consolidation.go. */
export function underutilizedBlockers(
  node: NodeState,
  pool: DisruptedPool,
  world: DisruptionWorld,
): readonly Blocker[] {
  if (pool.replicas !== undefined) return [ofStaticPool(pool)];
  const resource = resourceOf(node);
  const isEmpty = movingPods(node, world).length === 0;
  const ofPool = `NodePool ${pool.name}`;
  return [
    ...typeBlockers(node, pool),
    ...[CAPACITY_TYPE, ZONE]
      .filter((key) => node.labels[key] === undefined)
      .map((key) =>
        blocker("node-label-missing", resource, `it has no label ${key}, so Karpenter cannot compare its price`, {
          change: `restore the label ${key}, or delete the node`,
        }),
      ),
    ...whenOff(pool),
    ...(isEmpty ? [blocker("empty", resource, "it is empty: Karpenter takes it for the reason Empty")] : []),
    ...(!isEmpty && pool.policy === "WhenEmpty"
      ? [
          blocker(
            "only-empty-consolidated",
            ofPool,
            `consolidationPolicy of ${ofPool} is WhenEmpty, and it is not empty`,
            {
              change: `set consolidationPolicy: WhenEmptyOrUnderutilized in ${ofPool}`,
            },
          ),
        ]
      : []),
    ...waitBlockers(node, pool, world.at),
  ];
}

function typeBlockers(node: NodeState, { name, knowsType }: DisruptedPool): readonly Blocker[] {
  const type = node.labels["node.kubernetes.io/instance-type"];
  if (type !== undefined && knowsType(type) !== "no") return [];
  const which =
    type === undefined ? "it has no label with its instance type" : `its instance type ${type} is not known`;
  const message = `${which}, so Karpenter cannot compare its price`;
  return [blocker("type-not-found", `NodePool ${name}`, message, { change: "delete the node to replace it" })];
}

function notEmpty(moving: readonly string[]): string {
  const [first, ...others] = moving;
  return `it is not empty: ${first!}${others.length === 0 ? "" : ` and ${counted(others.length, "more pod")}`} would have to move`;
}

/** The pods that count. A node whose pods cost nothing to move is empty (`IsEmpty` in disruption/types.go). */
function movingPods({ life }: NodeState, { profile }: DisruptionWorld): readonly string[] {
  return life.pods.filter((pod) => pod.reschedulable && evictionCost(pod, profile) > 0).map(({ name }) => name);
}

/** The condition Consolidatable (pkg/controllers/nodeclaim/disruption/consolidation.go). */
function waitBlockers(node: NodeState, { name, consolidateAfter }: DisruptedPool, at: number): readonly Blocker[] {
  const { text, length } = consolidateAfter;
  if (node.isConsolidatable || length === undefined || !node.isInitialized) return [];
  const since = node.lastPodEvent ?? node.initializedAt;
  if (since === undefined || at >= since + length)
    return [blocker("consolidate-after", `NodeClaim ${node.life.claim!}`, NOT_MARKED)];
  const event = node.lastPodEvent === undefined ? "it was initialized" : "its last pod came or went";
  const message = `consolidateAfter ${text} of NodePool ${name} is not over: ${event} at ${formatRfc3339(since)}`;
  const until = since + length;
  const change = `lower consolidateAfter of NodePool ${name}`;
  return [blocker("consolidate-after", `NodePool ${name}`, message, { until, change })];
}

const NOT_MARKED =
  "its NodeClaim does not have the condition Consolidatable, which Karpenter sets after consolidateAfter";

function ofStaticPool({ name, replicas }: DisruptedPool): Blocker {
  const message = `NodePool ${name} is static: Karpenter keeps its ${counted(replicas!, "replica")}, used or not`;
  return blocker("static-pool", `NodePool ${name}`, message, { change: `lower replicas of NodePool ${name}` });
}

function whenOff({ name, consolidateAfter }: DisruptedPool): readonly Blocker[] {
  if (consolidateAfter.length !== undefined) return [];
  const message = `consolidateAfter of NodePool ${name} is Never, which turns consolidation off`;
  const change = `set a duration as consolidateAfter of NodePool ${name}`;
  return [blocker("consolidation-off", `NodePool ${name}`, message, { change })];
}
