/** The ConfigMaps that hold the inventory of a watch. */
import type { ClusterApi } from "../api/cluster-api.ts";
import { type Collection, CONFIG_MAPS } from "../api/served-kind.ts";
import { setIdOf } from "../objects/membership.ts";

/** This namespace cannot be deleted. */
export const GUEST_NAMESPACE = "kube-system";

/** Prefix of the names of the ConfigMaps. */
export const NAME_START = "anp-inventory.";

export interface InventoryLocation {
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

/** In the namespace of the policy, or in the guest cluster if there is no management cluster. */
export function inventoryLocation({ name, hostedCluster, guest, management }: Watch): InventoryLocation {
  const namespace = management === undefined ? GUEST_NAMESPACE : hostedCluster;
  return {
    api: management ?? guest,
    side: management === undefined ? "guest" : "management",
    collection: { ...CONFIG_MAPS, namespace },
    set: setIdOf(hostedCluster, name),
    // Neither name has a dot, so the names are unique. RBAC can list them.
    nameOf: (part) => `${NAME_START}${hostedCluster}.${name}.${part}`,
  };
}

export function describeLocation({ side, collection, nameOf }: InventoryLocation, part = 0): string {
  return `the inventory ${collection.namespace}/${nameOf(part)} of the ${side} cluster`;
}
