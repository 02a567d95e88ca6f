/** Where the inventory of a watch stands. */
import type { ClusterApi } from "../api/cluster-api.ts";
import { type Collection, CONFIG_MAPS } from "../api/served-kind.ts";
import { setIdOf } from "../objects/membership.ts";

/** Nobody can delete it, and with it the inventory. */
export const GUEST_NAMESPACE = "kube-system";

/** Of the ConfigMaps' names. */
export const NAME_START = "anp-inventory.";

export interface Place {
  readonly api: ClusterApi;
  readonly side: "management" | "guest";
  readonly collection: Collection;
  readonly set: string;
  readonly nameOf: (part: number) => string;
}

interface Watch {
  readonly name: string;
  readonly hostedCluster: string;
  readonly guest: ClusterApi;
  readonly management: ClusterApi | undefined;
}

/** Beside the policy, or, where there is no management cluster, in the guest cluster. */
export function placeOf({ name, hostedCluster, guest, management }: Watch): Place {
  const namespace = management === undefined ? GUEST_NAMESPACE : hostedCluster;
  return {
    api: management ?? guest,
    side: management === undefined ? "guest" : "management",
    collection: { ...CONFIG_MAPS, namespace },
    set: setIdOf(hostedCluster, name),
    // Both are words without a dot: RBAC may name it.
    nameOf: (part) => `${NAME_START}${hostedCluster}.${name}.${part}`,
  };
}

export function describePlace({ side, collection, nameOf }: Place, part = 0): string {
  return `the inventory ${collection.namespace}/${nameOf(part)} of the ${side} cluster`;
}
