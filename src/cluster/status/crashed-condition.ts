/** Ready of a policy whose cluster cannot have a pass, because each ends its process. */
import { POLICY_NAME } from "../../model/auto-node-policy.ts";
import { identityOf } from "../api/live-object.ts";
import { AUTO_NODE_POLICIES } from "../api/served-kind.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { type Condition, withCondition } from "./condition.ts";

/** The next pass that ends says what is then. What cannot be written here is in the log. */
export async function writeCrashed(
  { management, hostedCluster: namespace, dryRun }: WatchedCluster,
  message: string,
): Promise<void> {
  if (management === undefined || dryRun) return;
  const collection = { ...AUTO_NODE_POLICIES, namespace };
  const policies = await management.list(collection);
  const policy = policies.ok ? policies.value.items.find(({ metadata }) => metadata.name === POLICY_NAME) : undefined;
  if (policy === undefined) return;
  const { metadata, status } = policy;
  const existing = (status?.["conditions"] ?? []) as readonly Condition[];
  const { generation: observedGeneration } = metadata;
  const observed = observedGeneration === undefined ? {} : { observedGeneration };
  const ready = { type: "Ready", status: "False", reason: "PassCrashed", message, ...observed } as const;
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const conditions = withCondition(existing, ready, now);
  if (conditions !== undefined) await management.patchStatus(collection, identityOf(policy), { conditions });
}
