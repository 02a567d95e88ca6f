/** Two control planes with a hosted cluster on them, and a Karpenter that serves the guest's pools. */
import type { ControlPlaneOptions } from "../controlplane/flags.ts";
import { createNodeClass } from "../karpenter/pools.ts";
import { type Karpenter, startKarpenter } from "../karpenter/start-karpenter.ts";
import { CONTROL_PLANE, nodeClass, userData } from "../watch/inputs.ts";
import { put, type Rig, startRig } from "../watch/rig.ts";
import { startKubelet } from "./kubelet.ts";

export interface KarpenterRig extends Rig {
  readonly karpenter: Karpenter;
}

/** The spec of the wrapper `default`. */
export const NODE_CLASS = { monitoring: "Basic" };

/** With the node class `default` and all that belongs to it; without a policy, and without pools. */
export async function startKarpenterRig(options: ControlPlaneOptions = {}): Promise<KarpenterRig> {
  const rig = await startRig(options);
  const karpenter = await startKarpenter(rig.guest);
  await createNodeClass(rig.guest);
  const endKubelet = startKubelet(rig.guest);
  await put(rig.management, CONTROL_PLANE);
  await put(rig.management, userData("default"));
  await put(rig.guest, nodeClass("default", NODE_CLASS));
  return {
    ...rig,
    karpenter,
    stop: async () => {
      await endKubelet();
      await karpenter.stop();
      await rig.stop();
    },
  };
}
