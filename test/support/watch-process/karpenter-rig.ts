/** Two control planes with a hosted cluster on them, and a Karpenter that serves the guest's pools. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { ControlPlaneOptions } from "../controlplane/flags.ts";
import { createNodeClass, mustCreate } from "../karpenter/pools.ts";
import { type Karpenter, startKarpenter } from "../karpenter/start-karpenter.ts";
import { CONTROL_PLANE, nodeClass, userData } from "../watch/inputs.ts";
import { ADMIN, put, type Rig, startRig } from "../watch/rig.ts";
import { startKubelet } from "./kubelet.ts";
import { KWOK_SERVED_CLASS } from "./kwok-pools.ts";

export interface KarpenterRig extends Rig {
  readonly karpenter: Karpenter;
}

/** The spec of the wrapper `default`. */
export const NODE_CLASS = { monitoring: "Basic" };

const SERVE_EC2_NODE_CLASSES = { SERVE_EC2NODECLASSES: "true" };

/** One that anp does not render: of the class it was made from kwok takes the one of its own that has the same name. */
async function createReadyEC2NodeClass(guest: ControlPlane): Promise<void> {
  const terms = [{ id: "ami-1" }];
  const spec = {
    amiFamily: "Custom",
    amiSelectorTerms: terms,
    subnetSelectorTerms: [{ id: "subnet-1" }],
    securityGroupSelectorTerms: [{ id: "sg-1" }],
    instanceProfile: "nodes",
  };
  const { group, kind, name } = KWOK_SERVED_CLASS;
  const object = await mustCreate(guest, { apiVersion: `${group}/v1`, kind, metadata: { name }, spec });
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const ready = { type: "Ready", status: "True", reason: "Ready", message: "", lastTransitionTime };
  const path = `/apis/${group}/v1/ec2nodeclasses/${name}/status`;
  const { status, text } = await guest.request(ADMIN, "PUT", path, { ...object, status: { conditions: [ready] } });
  if (status !== 200) throw new Error(text);
}

/** With the node class `default` and all that belongs to it; without a policy, and without pools. */
export async function startKarpenterRig(options: ControlPlaneOptions = {}): Promise<KarpenterRig> {
  const rig = await startRig(options);
  // The one that is nearer to HyperShift's 1.13.
  const karpenter = await startKarpenter(rig.guest, undefined, SERVE_EC2_NODE_CLASSES, "1.14");
  await createNodeClass(rig.guest, KWOK_SERVED_CLASS.name);
  await createReadyEC2NodeClass(rig.guest);
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
