/** A Karpenter repository that is to have a guard: a policy, bounds and who Karpenter is, and a NodePool as it stands. */
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
