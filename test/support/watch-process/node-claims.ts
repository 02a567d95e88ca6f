/** Karpenter's NodeClaims as tests compare them: a control plane in, which node is whose and what is to become of it out. */
import { valueAt } from "../../../src/krm/places/field-path.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";

export interface NodeOfPool {
  readonly uid: string;
  readonly pool: string;
  readonly instanceType: string;
  /** Launched, registered and initialized. */
  readonly ready: boolean;
  /** Karpenter's reason to replace it, or that it is being deleted; undefined for one that stays. */
  readonly leaving: string | undefined;
}

export async function nodesOf(on: ControlPlane, pool?: string): Promise<NodeOfPool[]> {
  const { status, body, text } = await on.request("system:admin", "GET", "/apis/karpenter.sh/v1/nodeclaims");
  if (status !== 200) throw new Error(text);
  const all = (body.items ?? []).map(nodeOfPool);
  return all.filter((node) => pool === undefined || node.pool === pool);
}

function nodeOfPool(claim: KubernetesObject): NodeOfPool {
  const { metadata } = claim;
  const conditions = (valueAt(claim, ["status", "conditions"]) ?? []) as Record<string, string>[];
  const isTrue = (type: string) => conditions.find((one) => one["type"] === type && one["status"] === "True");
  const deleted = metadata?.["deletionTimestamp"] === undefined ? undefined : "deleted";
  return {
    uid: metadata?.uid ?? "",
    pool: metadata?.labels?.["karpenter.sh/nodepool"] ?? "",
    instanceType: metadata?.labels?.["node.kubernetes.io/instance-type"] ?? "",
    ready: isTrue("Initialized") !== undefined,
    leaving: deleted ?? isTrue("Drifted")?.["reason"] ?? isTrue("Consolidatable")?.["reason"],
  };
}
