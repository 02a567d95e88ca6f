/** A world: what is in a cluster, the pods that want a node, and the instance types that there are. */
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import type { Feature } from "./features.ts";

/** Any Kubernetes object, or a part of one. */
export type Manifest = { [key: string]: unknown };

export interface WorldType {
  readonly name: string;
  readonly requirements: readonly NodeSelectorRequirement[];
  readonly offerings: readonly WorldOffering[];
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
}

export interface WorldOffering {
  readonly requirements: readonly NodeSelectorRequirement[];
  readonly price: number;
  readonly available: boolean;
  /** Of reserved capacity: how many instances are left. */
  readonly reservationCapacity?: number;
}

/** Pods that are alike but for their names. */
export interface Workload {
  readonly name: string;
  readonly namespace: string;
  readonly replicas: number;
  /** `metadata` and `spec` of each pod. */
  readonly template: Manifest;
  /** What makes the pods, with the labels that it selects; pods without an owner if undefined. */
  readonly owner?: { readonly kind: "ReplicaSet" | "StatefulSet"; readonly matchLabels: Manifest };
}

interface WorldOptions {
  readonly minValuesPolicy?: "Strict" | "BestEffort";
  readonly preferencePolicy?: "Respect" | "Ignore";
  readonly capacityBuffer?: true;
  readonly defaultConstraints?: readonly Manifest[];
}

export interface World {
  readonly seed: number;
  readonly features: readonly Feature[];
  readonly types: readonly WorldType[];
  readonly pools: readonly Manifest[];
  readonly daemons: readonly Manifest[];
  readonly workloads: readonly Workload[];
  /** Nodes, NodeClaims, pods on nodes, volumes, classes, CSINodes, namespaces. */
  readonly cluster: readonly Manifest[];
  readonly options: WorldOptions;
}

/** `<workload>-0`, `<workload>-1`, … */
export function podsOf({ name, namespace, replicas, template, owner }: Workload): Manifest[] {
  const { metadata, spec } = template as { metadata?: Manifest; spec: Manifest };
  const hash = owner?.kind === "ReplicaSet" ? { [HASH]: name } : {};
  const reference = { apiVersion: "apps/v1", kind: owner?.kind, name, uid: `owner-${name}`, controller: true };
  return Array.from({ length: replicas }, (_, at) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...metadata,
      ...(owner === undefined
        ? {}
        : { labels: { ...(metadata?.["labels"] as Manifest), ...hash }, ownerReferences: [reference] }),
      name: `${name}-${at}`,
      namespace,
    },
    spec,
  }));
}

const HASH = "pod-template-hash";

/** The ReplicaSets and StatefulSets of the pods. */
export function ownersOf({ workloads }: World): Manifest[] {
  return workloads.flatMap(({ name, namespace, template, owner }) =>
    owner === undefined
      ? []
      : [
          {
            apiVersion: "apps/v1",
            kind: owner.kind,
            metadata: { name, namespace },
            spec: {
              selector: {
                matchLabels: { ...owner.matchLabels, ...(owner.kind === "ReplicaSet" ? { [HASH]: name } : {}) },
              },
              template,
            },
          },
        ],
  );
}

/** All pods that want a node. */
export function pendingPods(world: World): Manifest[] {
  return world.workloads.flatMap(podsOf);
}

/** The names of the pods that stand for CapacityBuffers. */
export function bufferPodsOf(world: World): string[] {
  const isPlanned = world.options.capacityBuffer === true && world.cluster.some(({ kind }) => kind === "PodTemplate");
  const buffers = isPlanned ? world.cluster.filter(({ kind }) => kind === "CapacityBuffer") : [];
  return buffers.flatMap((buffer) => {
    // A world that is made smaller may lack any field.
    const { metadata, status } = buffer as {
      readonly metadata: { readonly namespace: string; readonly name: string };
      readonly status?: { readonly replicas?: number; readonly conditions?: readonly { readonly status: string }[] };
    };
    if (status?.conditions?.[0]?.status !== "True") return [];
    const start = `${metadata.namespace}/capacity-buffer-${metadata.name}`;
    return Array.from({ length: status.replicas ?? 0 }, (_, at) => `${start}-${at + 1}`);
  });
}

/** Of a pod in an outcome, `namespace/name`: those of the same kind are alike. */
export function kindOfPod(world: World): (pod: string) => string {
  const kinds = new Map<string, string>([
    ...world.workloads.flatMap(({ name, namespace, replicas }) =>
      Array.from({ length: replicas }, (_, at) => [`${namespace}/${name}-${at}`, `${namespace}/${name}`] as const),
    ),
    ...bufferPodsOf(world).map((pod) => [pod, pod.replace(/-\d+$/, "")] as const),
  ]);
  return (pod) => kinds.get(pod) ?? pod;
}
