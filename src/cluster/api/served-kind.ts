/** The kinds that a watch reads and writes, and their API paths. */
import { HYPERSHIFT_GROUP, HYPERSHIFT_KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";

export interface ServedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
}

/** A collection of objects; cluster-scoped kinds have no namespace. */
export interface Collection extends ServedKind {
  readonly namespace?: string | undefined;
}

export const AUTO_NODE_POLICIES: ServedKind = {
  apiVersion: `${HYPERSHIFT_KARPENTER_GROUP}/v1beta1`,
  kind: "AutoNodePolicy",
  plural: "autonodepolicies",
};

export const OPENSHIFT_NODE_POOLS: ServedKind = {
  apiVersion: `${HYPERSHIFT_KARPENTER_GROUP}/v1beta1`,
  kind: "OpenshiftNodePool",
  plural: "openshiftnodepools",
};

export const OPENSHIFT_EC2_NODE_CLASSES: ServedKind = {
  apiVersion: `${HYPERSHIFT_KARPENTER_GROUP}/v1`,
  kind: "OpenshiftEC2NodeClass",
  plural: "openshiftec2nodeclasses",
};

export const WRAPPER_KINDS = [OPENSHIFT_NODE_POOLS, OPENSHIFT_EC2_NODE_CLASSES] as const;

export const HOSTED_CONTROL_PLANES: ServedKind = {
  apiVersion: `${HYPERSHIFT_GROUP}/v1beta1`,
  kind: "HostedControlPlane",
  plural: "hostedcontrolplanes",
};

/** HyperShift creates one for a hosted cluster, named after its infrastructure. */
export const CAPI_CLUSTERS: ServedKind = {
  apiVersion: "cluster.x-k8s.io/v1beta1",
  kind: "Cluster",
  plural: "clusters",
};

export const SECRETS: ServedKind = { apiVersion: "v1", kind: "Secret", plural: "secrets" };
export const CONFIG_MAPS: ServedKind = { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps" };
export const NAMESPACES: ServedKind = { apiVersion: "v1", kind: "Namespace", plural: "namespaces" };
export const NODE_CLAIMS: ServedKind = { apiVersion: "karpenter.sh/v1", kind: "NodeClaim", plural: "nodeclaims" };
export const NODES: ServedKind = { apiVersion: "v1", kind: "Node", plural: "nodes" };
export const PODS: ServedKind = { apiVersion: "v1", kind: "Pod", plural: "pods" };
export const POD_DISRUPTION_BUDGETS: ServedKind = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
};
export const EVENTS: ServedKind = { apiVersion: "events.k8s.io/v1", kind: "Event", plural: "events" };

export const LEASES: ServedKind = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", plural: "leases" };

export const CUSTOM_RESOURCE_DEFINITIONS: ServedKind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
};

/** The name of the CustomResourceDefinition of a kind. */
export function crdNameOf({ apiVersion, plural }: ServedKind): string {
  return `${plural}.${apiVersion.split("/")[0]}`;
}

/** The parameters of a URL, without undefined ones. */
export function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `?${new URLSearchParams(given).toString()}`;
}

export function pathOf({ apiVersion, plural, namespace }: Collection, name?: string): string {
  const start = `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}`;
  const within = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${start}${within}/${plural}${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
}
