/** Installs and removes another party's admission policy that refuses every change of a NodePool. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { apply, remove, until } from "../controlplane/objects.ts";
import { ADMIN, nodePool, OPERATOR, put } from "../watch/rig.ts";

export const REFUSAL = "no pool may be changed today";

const apiVersion = "admissionregistration.k8s.io/v1";
const metadata = { name: "closed.example.com" };
const rule = { apiGroups: ["karpenter.sh"], apiVersions: ["v1"], resources: ["nodepools"], operations: ["UPDATE"] };
const OBJECTS: KubernetesObject[] = [
  {
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata,
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: "object.spec == oldObject.spec", message: REFUSAL }],
    },
  },
  {
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata,
    spec: { policyName: metadata.name, validationActions: ["Deny"] },
  },
];

/** Until it is in force, which shows on this pool. */
export async function closePools(on: ControlPlane, pool: string): Promise<void> {
  for (const object of OBJECTS) await put(on, object);
  await until("the API server refuses changes", async () => {
    const changed = { ...nodePool(pool), spec: { weight: 7 } };
    return (await apply(on, OPERATOR, changed, { dryRun: true, force: true })).status === 422;
  });
}

export async function openPools(on: ControlPlane): Promise<void> {
  for (const object of OBJECTS.toReversed()) await remove(on, ADMIN, object);
}
