/** One object of each of Karpenter's kinds in both versions, as the API server reads them where anp converts. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";

const REFERENCE = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
const SELECTORS = {
  role: "KarpenterNodeRole",
  subnetSelectorTerms: [{ tags: { "karpenter.sh/discovery": "shop" } }],
  securityGroupSelectorTerms: [{ tags: { "karpenter.sh/discovery": "shop" } }],
};
const METADATA_OPTIONS = {
  httpEndpoint: "enabled",
  httpProtocolIPv6: "disabled",
  httpPutResponseHopLimit: 2,
  httpTokens: "required",
};

interface Both {
  readonly v1beta1: KubernetesObject;
  readonly v1: KubernetesObject;
}

export function nodePool(name: string): Both {
  const requirements = [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }];
  return {
    v1beta1: {
      apiVersion: "karpenter.sh/v1beta1",
      kind: "NodePool",
      metadata: { name },
      spec: {
        template: { spec: { kubelet: { maxPods: 50 }, nodeClassRef: { name: "default" }, requirements } },
        disruption: {
          budgets: [{ nodes: "10%" }],
          consolidationPolicy: "WhenUnderutilized",
          expireAfter: "48h",
        },
      },
    },
    v1: {
      apiVersion: "karpenter.sh/v1",
      kind: "NodePool",
      metadata: {
        name,
        annotations: {
          "compatibility.karpenter.sh/v1beta1-kubelet-conversion": '{"maxPods":50}',
          "compatibility.karpenter.sh/v1beta1-nodeclass-reference": '{"name":"default"}',
        },
      },
      spec: {
        template: { spec: { expireAfter: "48h", nodeClassRef: REFERENCE, requirements } },
        disruption: {
          budgets: [{ nodes: "10%" }],
          consolidateAfter: "0s",
          consolidationPolicy: "WhenEmptyOrUnderutilized",
        },
      },
    },
  };
}

/** Of the pool of that name, which gives it 48 hours. */
export function nodeClaim(name: string, pool: string): Both {
  const metadata = { name, labels: { "karpenter.sh/nodepool": pool } };
  return {
    v1beta1: {
      apiVersion: "karpenter.sh/v1beta1",
      kind: "NodeClaim",
      metadata,
      spec: { nodeClassRef: { name: "default" }, requirements: [] },
    },
    v1: {
      apiVersion: "karpenter.sh/v1",
      kind: "NodeClaim",
      metadata: {
        ...metadata,
        annotations: { "compatibility.karpenter.sh/v1beta1-nodeclass-reference": '{"name":"default"}' },
      },
      spec: { expireAfter: "48h", nodeClassRef: REFERENCE, requirements: [] },
    },
  };
}

export function ec2NodeClass(name: string): Both {
  return {
    v1beta1: {
      apiVersion: "karpenter.k8s.aws/v1beta1",
      kind: "EC2NodeClass",
      metadata: { name },
      spec: { amiFamily: "AL2023", metadataOptions: METADATA_OPTIONS, ...SELECTORS },
    },
    v1: {
      apiVersion: "karpenter.k8s.aws/v1",
      kind: "EC2NodeClass",
      metadata: { name },
      spec: { amiSelectorTerms: [{ alias: "al2023@latest" }], metadataOptions: METADATA_OPTIONS, ...SELECTORS },
    },
  };
}
