/** The objects of a cluster for `anp explain --live`: pools of two providers, pending pods, wrappers. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import type { LiveObject } from "./put-objects.ts";

/** A CRD with any fields: of Karpenter on Azure, as its chart installs it. */
export const AKS_CRD: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "aksnodeclasses.karpenter.azure.com" },
  spec: {
    group: "karpenter.azure.com",
    scope: "Cluster",
    names: {
      kind: "AKSNodeClass",
      listKind: "AKSNodeClassList",
      plural: "aksnodeclasses",
      singular: "aksnodeclass",
    },
    versions: ["v1beta1", "v1alpha2"].map((name) => ({
      name,
      served: true,
      storage: name === "v1beta1",
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    })),
  },
};

const poolOf = (name: string, nodeClassRef: object, requirements: readonly object[]): LiveObject => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name },
  spec: { template: { spec: { nodeClassRef, requirements } }, disruption: { consolidateAfter: "1m" } },
});

/** With user data that must not be shown. */
export const NODE_CLASS: LiveObject = {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "default" },
  spec: {
    amiFamily: "Custom",
    userData: "secret",
    role: "KarpenterNodeRole",
    amiSelectorTerms: [{ id: "ami-1" }],
    subnetSelectorTerms: [{ id: "subnet-1" }],
    securityGroupSelectorTerms: [{ id: "sg-1" }],
  },
};

/** The images of the class are for arm64, and its pool asks for amd64. */
export const CLUSTER: readonly LiveObject[] = [
  {
    ...NODE_CLASS,
    status: {
      amis: [
        {
          id: "ami-1",
          name: "arm",
          requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["arm64"] }],
        },
      ],
    },
  },
  {
    apiVersion: "karpenter.azure.com/v1beta1",
    kind: "AKSNodeClass",
    metadata: { name: "default" },
    spec: { imageFamily: "Ubuntu" },
  },
  poolOf("web", { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" }, [
    { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
  ]),
  poolOf("azure", { group: "karpenter.azure.com", kind: "AKSNodeClass", name: "default" }, []),
];

const podOf = (name: string, metadata: object, spec: object, reason: string): LiveObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default", ...metadata },
  spec: {
    containers: [{ name: "main", image: "main", resources: { requests: { cpu: "1" } } }],
    ...spec,
  },
  status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason }] },
});

const owned = (kind: string, name: string, labels: object = {}) => ({
  labels,
  ownerReferences: [
    { apiVersion: "apps/v1", kind, name, controller: true, uid: "7d5a4b5e-0000-4000-8000-000000000001" },
  ],
});

const SHOP = owned("ReplicaSet", "shop-5d9f", { "pod-template-hash": "5d9f" });

/** Two pods of a Deployment and one without an owner are pending. The others have a node or are gated. */
export const PODS: readonly LiveObject[] = [
  {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent", namespace: "default" },
    spec: {
      selector: { matchLabels: { app: "agent" } },
      template: {
        metadata: { labels: { app: "agent" } },
        spec: { containers: [{ name: "agent", image: "agent", resources: { requests: { cpu: "1" } } }] },
      },
    },
  },
  podOf("shop-5d9f-a", SHOP, {}, "Unschedulable"),
  podOf("shop-5d9f-b", SHOP, {}, "Unschedulable"),
  podOf("shop-5d9f-c", SHOP, { nodeName: "node-a" }, "Unschedulable"),
  podOf("gated", {}, { schedulingGates: [{ name: "example.com/wait" }] }, "SchedulingGated"),
  podOf("agent-a", owned("DaemonSet", "agent"), {}, "Unschedulable"),
  podOf("lone", {}, {}, "Unschedulable"),
];

/** A node of the pool web, and the pod that holds it. */
export const HELD: readonly LiveObject[] = [
  {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: { name: "web-a", labels: { "karpenter.sh/nodepool": "web" } },
    spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" }, requirements: [] },
    status: { nodeName: "node-held", providerID: "aws:///us-east-1a/i-1" },
  },
  {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "node-held", labels: { "karpenter.sh/nodepool": "web", "karpenter.sh/registered": "true" } },
    spec: { providerID: "aws:///us-east-1a/i-1" },
  },
  podOf("held", { annotations: { "karpenter.sh/do-not-disrupt": "true" } }, { nodeName: "node-held" }, "Running"),
];

/** It has no NodePool yet. */
export const WRAPPERS: readonly LiveObject[] = [
  {
    apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
    kind: "OpenshiftNodePool",
    metadata: { name: "batch" },
    spec: {
      template: { spec: { requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] } },
    },
  },
];

/** As HyperShift's operator renders the wrapper, with a requirement of the policy and a changed weight. */
export function madeByOperator(uid: string): LiveObject {
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
  const pool = poolOf("batch", nodeClassRef, [
    { key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m7g"] },
  ]);
  return {
    ...pool,
    metadata: {
      name: "batch",
      ownerReferences: [
        {
          apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
          kind: "OpenshiftNodePool",
          name: "batch",
          uid,
          controller: true,
        },
      ],
    },
    spec: { ...pool.spec, weight: 7 },
  };
}

/** Conflicts with the wrapper's requirements. */
export const POLICY: KubernetesObject = {
  apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
  kind: "AutoNodePolicy",
  metadata: { name: "default", namespace: "clusters-shop" },
  spec: {
    nodePoolDefaults: { requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["arm64"] }] },
  },
};
