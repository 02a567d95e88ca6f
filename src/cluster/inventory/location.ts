/** The ConfigMaps that hold the inventory of a watch, and the admission policy that guards them. */
import type { ClusterApi } from "../api/cluster-api.ts";
import { type Collection, CONFIG_MAPS } from "../api/served-kind.ts";
import { setIdOf } from "../objects/membership.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { marks } from "../../model/objects/marks.ts";
import { exceptWriters } from "../../render/admission-policies.ts";
import type { Settings } from "../../resolve/settings.ts";
import { appliedKind } from "../../model/objects/applied-kinds.ts";

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

export const INVENTORY_GUARD = "karpenter.inventory.hypershift.io";

/** The request has no name in a CREATE, so the expression reads the object's. */
const OF_OTHERS = `!(request.operation == 'DELETE' ? oldObject : object).metadata.name.startsWith('${NAME_START}')`;

/**
 * The policy that lets only allowed writers write an inventory in the guest cluster. None if the RenderConfig turns
 * admission policies off.
 */
export function inventoryGuard({ config }: Pick<Settings, "config">): KubeObject[] {
  const { mode = "SpecEqual", allowedWriters = [] } = config.admission ?? {};
  if (mode === "None") return [];
  const operations = ["CREATE", "UPDATE", "DELETE"];
  const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations, resources: ["configmaps"] }];
  const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": GUEST_NAMESPACE } };
  const message = "What anp has made is written by anp alone.";
  return [
    guard("ValidatingAdmissionPolicy", INVENTORY_GUARD, {
      failurePolicy: "Fail",
      matchConstraints: { namespaceSelector, resourceRules },
      matchConditions: exceptWriters(allowedWriters),
      validations: [{ expression: OF_OTHERS, message }],
    }),
    guard("ValidatingAdmissionPolicyBinding", "karpenter-binding.inventory.hypershift.io", {
      policyName: INVENTORY_GUARD,
      validationActions: ["Deny"],
    }),
  ];
}

function guard(kind: string, name: string, spec: KubeObject["spec"]): KubeObject {
  const metadata = { name, ...marks("AutoNodePolicy", "default") };
  return { apiVersion: appliedKind(kind).apiVersion, kind, metadata, spec };
}
