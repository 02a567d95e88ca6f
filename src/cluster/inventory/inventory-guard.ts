/** The admission policy that lets only allowed writers write an inventory in the guest cluster. */
import type { KubeObject } from "../../model/kube-object.ts";
import { marks } from "../../model/marks.ts";
import { exceptWriters } from "../../render/admission-policies.ts";
import type { Settings } from "../../resolve/settings.ts";
import { GUEST_NAMESPACE, NAME_START } from "./location.ts";
import { appliedKind } from "../../model/applied-kinds.ts";

export const INVENTORY_GUARD = "karpenter.inventory.hypershift.io";

/** The request has no name in a CREATE, so the expression reads the object's. */
const OF_OTHERS = `!(request.operation == 'DELETE' ? oldObject : object).metadata.name.startsWith('${NAME_START}')`;

/** None if the RenderConfig turns admission policies off. */
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
