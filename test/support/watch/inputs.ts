/** Builds the objects of the watch suites. */
import type { ClusterSpec } from "../../../src/cluster/run/run.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";

const GROUP = "karpenter.hypershift.openshift.io";

export const NAMESPACE = "clusters-c1";

/** The settings of a watched cluster that a test does not change. */
export const SETTINGS = {
  source: { paths: [], policyDir: undefined, config: undefined },
  render: {},
  onPolicyUnreadable: "Hold",
  adopt: new Set<string>(),
  allowEmpty: false,
  maxPrune: 5,
  nodeLimits: "Disruption",
  installCrds: false,
  dryRun: false,
} satisfies Partial<ClusterSpec>;

export interface Entry {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export const TYPE = "node.kubernetes.io/instance-type";
export const ARCH = "kubernetes.io/arch";

export function isIn(key: string, ...values: string[]): Entry {
  return { key, operator: "In", values };
}

export function policy(requirements: readonly Entry[], rootVolume?: object): KubernetesObject {
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "AutoNodePolicy",
    metadata: { name: "default", namespace: NAMESPACE },
    spec: {
      nodePoolDefaults: { requirements },
      ...(rootVolume === undefined ? {} : { ec2NodeClassDefaults: { rootVolume } }),
    },
  };
}

export function pool(name: string, requirements: readonly Entry[] = [], more: object = {}): KubernetesObject {
  const nodeClassRef = { group: GROUP, kind: "OpenshiftEC2NodeClass", name: "default" };
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "OpenshiftNodePool",
    metadata: { name },
    spec: { template: { spec: { nodeClassRef, requirements } }, ...more },
  };
}

export function nodeClass(name: string, spec: object = { monitoring: "Detailed" }): KubernetesObject {
  return { apiVersion: `${GROUP}/v1`, kind: "OpenshiftEC2NodeClass", metadata: { name }, spec: { ...spec } };
}

export const CONTROL_PLANE: KubernetesObject = {
  apiVersion: "hypershift.openshift.io/v1beta1",
  kind: "HostedControlPlane",
  metadata: { name: "c1", namespace: NAMESPACE },
  spec: { infraID: "c1-x7k2p", platform: { aws: { resourceTags: [{ key: "team", value: "a" }] } } },
};

export const TOKEN = "bearer-token-of-the-ignition-server";

/** The user data of a node class. */
export function userData(name: string, text = TOKEN): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: `user-data-${name}`,
      namespace: NAMESPACE,
      labels: { "hypershift.openshift.io/managed-by-karpenter": "true", "hypershift.openshift.io/ami": "ami-0a1b" },
      annotations: { "hypershift.openshift.io/nodePool": `${NAMESPACE}/${name}-karpenter` },
    },
    data: { value: Buffer.from(text).toString("base64") },
  };
}

/** The API server only has to serve the kind. */
export const HOSTED_CONTROL_PLANE_CRD = openCrd("hypershift.openshift.io", "HostedControlPlane");

/** The Cluster of Cluster API, of which anp reads the deletionTimestamp. */
export const CAPI_CLUSTER_CRD = openCrd("cluster.x-k8s.io", "Cluster");

/** As HyperShift creates it for CONTROL_PLANE. */
export const CAPI_CLUSTER: KubernetesObject = {
  apiVersion: "cluster.x-k8s.io/v1beta1",
  kind: "Cluster",
  metadata: { name: "c1-x7k2p", namespace: NAMESPACE },
};

/** A namespaced kind that accepts all fields. */
function openCrd(group: string, kind: string): KubernetesObject {
  const singular = kind.toLowerCase();
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      names: { kind, plural: `${singular}s`, singular },
      scope: "Namespaced",
      versions: [{ name: "v1beta1", served: true, storage: true, schema }],
    },
  };
}
