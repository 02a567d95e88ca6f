/** Pods that wait for a node: their wishes in, pending pods on the control plane out. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import { mustCreate } from "./pools.ts";

/** There is no scheduler in the rig: its verdict is what makes Karpenter act. */
const UNSCHEDULABLE = { type: "PodScheduled", status: "False", reason: "Unschedulable" };

export async function createPending(controlPlane: ControlPlane, pods: readonly KubernetesObject[]): Promise<void> {
  await Promise.all(
    pods.map(async (pod) => {
      const created = await mustCreate(controlPlane, pod);
      const path = `${await objectPath(controlPlane, created)}/status`;
      const change = { status: { conditions: [UNSCHEDULABLE] } };
      const { status, text } = await controlPlane.request("system:admin", "PATCH", path, change);
      if (status !== 200) throw new Error(text);
    }),
  );
}
