/** Creates pending pods on the control plane. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import { mustCreate } from "./pools.ts";

/** The rig has no scheduler, so its condition is written here: Karpenter acts on it. */
const UNSCHEDULABLE = { type: "PodScheduled", status: "False", reason: "Unschedulable" };

export async function createPending(controlPlane: ControlPlane, pods: readonly KubernetesObject[]): Promise<void> {
  await Promise.all(pods.map(async (pod) => markUnschedulable(controlPlane, await mustCreate(controlPlane, pod))));
}

/** @returns the pod with its status */
export async function markUnschedulable(controlPlane: ControlPlane, pod: KubernetesObject): Promise<KubernetesObject> {
  const path = `${await objectPath(controlPlane, pod)}/status`;
  const change = { status: { conditions: [UNSCHEDULABLE] } };
  const { status, text, body } = await controlPlane.request("system:admin", "PATCH", path, change);
  if (status !== 200) throw new Error(text);
  return body;
}
