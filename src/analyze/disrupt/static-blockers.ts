/** What keeps Karpenter from replacing nodes of a static pool: its limit, surplus nodes. */
import { counted } from "../../krm/values/counted.ts";
import { type Blocker, blocker } from "./blocker.ts";
import { type DisruptedPool, type DisruptionWorld, nodesOfPool } from "./world.ts";

/**
 * `ComputeCommands` in pkg/controllers/disruption/staticdrift.go and repair.go (docs/upstream/karpenter.md#static-pools).
 *
 * @param gate with which Karpenter deletes a node before it has the replacement
 */
export function staticBlockers(
  { name, replicas, limit, refills }: DisruptedPool,
  gate: "TerminateFirstDrift" | "TerminateFirstRepair",
  world: DisruptionWorld,
): readonly Blocker[] {
  if (replicas === undefined) return [];
  const nodes = nodesOfPool(world, name);
  const active = nodes.filter(({ life }) => !life.deleting).length;
  const resource = `NodePool ${name}`;
  if (active > replicas) {
    const message = `${resource} has ${counted(active, "node")} and ${counted(replicas, "replica")}: Karpenter removes the others first`;
    return [blocker("surplus-replicas", resource, message)];
  }
  if (limit === undefined || limit > nodes.length || (world.gates.has(gate) && refills)) return [];
  const message = `${resource} has ${counted(nodes.length, "node")} and limits.nodes ${String(limit)}, which leaves no room for a replacement`;
  const change = `raise limits.nodes of ${resource} above ${String(replicas)}, or turn on the feature gate ${gate}`;
  return [blocker("static-at-limit", resource, message, { change })];
}
