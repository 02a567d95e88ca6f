/** Wrappers whose pools a Karpenter with its kwok provider serves, and pods that wait for their nodes: names in, manifests out. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { type Entry, pool } from "../watch/inputs.ts";

/** anp renders no pool of another provider, so this Karpenter with kwok serves classes of AWS as well. */
export const KWOK_SERVED_CLASS = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "served-by-kwok" };

/** Only pods that ask for it get its nodes. */
export function kwokPool(name: string, requirements: readonly Entry[] = [], more: object = {}): KubernetesObject {
  const taints = [{ key: name, effect: "NoSchedule" }];
  const spec = { nodeClassRef: KWOK_SERVED_CLASS, requirements, taints };
  // Nodes without pods on them are to stay, unless a change asks for others.
  return pool(name, [], { template: { spec }, disruption: { consolidateAfter: "Never" }, ...more });
}

/** @param cpu by which the NodeClaim for it is known: no other pod may ask for as much */
export function podFor(poolName: string, cpu: string): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: poolName, namespace: "default" },
    spec: {
      containers: [{ name: "main", image: "example.com/none", resources: { requests: { cpu } } }],
      tolerations: [{ key: poolName, operator: "Exists" }],
    },
  };
}
