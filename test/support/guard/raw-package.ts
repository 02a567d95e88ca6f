/** A Karpenter repository for a guard: a policy, bounds, Karpenter's users, and a NodePool. */
import { policy } from "../process/inputs.ts";

export const CONFIG = `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
metadata: {name: config}
spec:
  admission: {karpenterUsers: ["system:serviceaccount:kube-system:karpenter"]}
  maxExpireAfter: 168h
`;
export const RAW = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web} # its author's
spec: {template: {spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}, requirements: []}}}
`;
export const POLICY = policy();
