/** Lists what may affect the node of a pod and is not considered. */
import { unknownForPods } from "../explain/unknown-parts.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { has } from "../../karpenter/requirements/requirement.ts";
import { MOST_TYPES } from "../../karpenter/catalogue/price-index.ts";
import type { Requirements } from "../../karpenter/requirements/requirements.ts";
import type { PodPool } from "./pool.ts";
import { usedOf } from "../explain/pool-limits.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";

/** @param isWaiting whether it is a pod of a cluster that waits for a node */
export function blindSpotsOfPod({ spec, volumes }: PodDemand, isWaiting = false): string[] {
  const { nodeName = "", runtimeClassName = "", schedulingGates = [] } = spec;
  const spots: readonly (readonly [boolean, string])[] = [
    [
      runtimeClassName !== "",
      `runtime class ${runtimeClassName}: it may add overhead, a node selector and tolerations`,
    ],
    [schedulingGates.length > 0, "scheduling gates: it waits until they are removed"],
    [nodeName !== "" && !isWaiting, `node ${nodeName}: it runs there already and is treated as pending`],
  ];
  return [...volumes.missing, ...spots.flatMap(([there, text]) => (there ? [text] : []))];
}

/** What decided that a pool takes the pod. */
interface Fit {
  readonly requirements: Requirements;
  /** Keys whose minValues the cheapest types may miss. */
  readonly missed: ReadonlyMap<string, number> | undefined;
}

/** The same for a pool that could take the pod: its limits, and its node class if that is unknown. */
export function blindSpotsOfPool({ pool, nodes, unread }: PodPool, { requests }: PodDemand, fit: Fit): string[] {
  const { name, nodeClassRef, nodeClass } = pool;
  const limits = usedOf(pool) === undefined ? (pool.spec.limits ?? {}) : {};
  const limited = Object.entries(limits).map(([resource, limit]) => `${resource} ${String(limit)}`);
  const used = `limits of pool ${name} (${limited.join(", ")}): how much of them is in use`;
  const isUnknown = nodes.capacity === undefined;
  const kubelet = valueAt(nodeClass?.value, ["spec", "kubelet"]);
  const set = KUBELET.filter((field) => isUnknown && valueAt(kubelet, [field]) !== undefined);
  const storage = isUnknown && requests.has("ephemeral-storage");
  const capacity = fit.requirements.get("karpenter.sh/capacity-type");
  const isReserved = capacity !== undefined && !has(capacity, "on-demand") && !has(capacity, "spot");
  const missed = [...(fit.missed ?? [])].map(
    ([key, found]) =>
      `minValues of ${key} in pool ${name}: Karpenter launches the ${String(MOST_TYPES)} cheapest types; by the known prices they have ${String(found)} of its values`,
  );
  return [
    ...(isReserved ? [`reserved capacity of pool ${name}: whether a reservation has an instance left`] : []),
    ...missed,
    ...(limited.length === 0 ? [] : [used]),
    ...(set.length === 0
      ? []
      : [
          `kubelet.${set.join(", kubelet.")} of node class ${nodeClassRef.name}: they change what its nodes have for pods`,
        ]),
    ...unreadSpots(unread),
    ...unknownForPods(pool),
    ...(storage ? [`node class ${nodeClassRef.name}: its volumes decide how much ephemeral storage a node has`] : []),
  ];
}

/** Expressions of a node class that are not read. */
export function unreadSpots(unread: PodPool["unread"]): string[] {
  return unread.map((text) => `${text}: anp does not read it, and it decides what nodes have for pods`);
}

const KUBELET = ["maxPods", "podsPerCore", "systemReserved", "kubeReserved", "evictionHard"] as const;
