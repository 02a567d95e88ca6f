/** Why a node does not expire now: only its age counts, not its pods or budgets. */
import { DEFAULT_EXPIRY } from "../../model/values/durations.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import { type Blocker, blocker } from "./blocker.ts";
import { goingBlockers, nodeBlockers } from "./node-blockers.ts";
import type { NodeState } from "./node-state.ts";
import type { DisruptionWorld } from "./world.ts";

/** `Reconcile` in pkg/controllers/nodeclaim/expiration/controller.go. */
export function expiryBlockers(node: NodeState, world: DisruptionWorld): readonly Blocker[] {
  if (!node.isManaged) return nodeBlockers(node, "eventual", world);
  const { expireAfter = DEFAULT_EXPIRY, created, claim } = node.life;
  const resource = `NodeClaim ${claim!}`;
  const going = goingBlockers(node).filter(() => node.life.deleting);
  if (going.length > 0) return going;
  const length = parseGoMilliseconds(expireAfter);
  if (length === undefined) {
    const change = `delete ${resource}: a new expireAfter of the pool is for new nodes`;
    return [blocker("never-expires", resource, `expireAfter of its NodeClaim is ${expireAfter}`, { change })];
  }
  const until = created === undefined ? undefined : created + length;
  if (until !== undefined && until <= world.at) return [];
  const made = created === undefined ? "" : `: it was created at ${formatRfc3339(created)}`;
  const message = `expireAfter ${expireAfter} of its NodeClaim is not over${made}`;
  return [blocker("not-expired", resource, message, { until })];
}
