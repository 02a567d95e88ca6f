/** Lists what may affect the node of a pod and is not considered. */
import { valueAt } from "../../krm/places/field-path.ts";
import { readNodeClass } from "../../resolve/read-node-class.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import { usedOf } from "../explain/pool-limits.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";

export function blindSpotsOfPod({ spec, resource, requests }: PodDemand): string[] {
  const { affinity = {}, volumes = [], nodeName = "", runtimeClassName = "" } = spec;
  const hasVolumes = volumes.some(
    (volume) => (volume.persistentVolumeClaim ?? volume.ephemeral ?? undefined) !== undefined,
  );
  const claims = valueAt(resource.value, ["spec", "volumeClaimTemplates"]);
  const spots: readonly (readonly [boolean, string])[] = [
    [
      isFilled(spec.topologySpreadConstraints),
      "topology spread: it may need a node in a certain zone, or one more node",
    ],
    [isFilled(affinity.podAffinity), "pod affinity: it may need to be beside other pods"],
    [isFilled(affinity.podAntiAffinity), "pod anti-affinity: it may need to be away from other pods"],
    [hasVolumes || isFilled(claims), "volumes: they may be in a certain zone"],
    [
      requests.has("ephemeral-storage"),
      "ephemeral storage: how much a node has depends on the volumes of its node class",
    ],
    [
      runtimeClassName !== "",
      `runtime class ${runtimeClassName}: it may add overhead, a node selector and tolerations`,
    ],
    [isFilled(spec.schedulingGates), "scheduling gates: it waits until they are removed"],
    [nodeName !== "", `node ${nodeName}: it runs there already and is treated as pending`],
  ];
  return spots.flatMap(([there, text]) => (there ? [text] : []));
}

const KUBELET = ["maxPods", "podsPerCore", "systemReserved", "kubeReserved", "evictionHard"] as const;

/** The same for the limits and the node class of a pool that could take the pod. */
export function blindSpotsOfPool(pool: ResolvedPool, bundle: Bundle): string[] {
  const { name, nodeClassRef } = pool;
  const limits = usedOf(pool) === undefined ? (pool.spec.limits ?? {}) : {};
  const limited = Object.entries(limits).map(([resource, limit]) => `${resource} ${String(limit)}`);
  const wrapper = bundle.nodeClasses.find((nodeClass) => nodeClass.name === nodeClassRef.name);
  const kubelet = wrapper === undefined ? undefined : readNodeClass(wrapper).value?.spec.kubelet;
  const set = KUBELET.filter((field) => kubelet?.[field] !== undefined);
  return [
    ...(limited.length === 0 ? [] : [`limits of pool ${name} (${limited.join(", ")}): how much of them is in use`]),
    ...(set.length === 0
      ? []
      : [
          `kubelet.${set.join(", kubelet.")} of node class ${nodeClassRef.name}: they change what its nodes have for pods`,
        ]),
  ];
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "object" && value !== null && Object.values(value).some(isFilled);
}
