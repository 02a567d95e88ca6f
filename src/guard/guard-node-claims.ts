/** The policy that lets nobody but Karpenter make NodeClaims. */
import { KARPENTER_GROUP } from "../krm/known-kinds.ts";
import type { KubeObject } from "../model/kube-object.ts";
import { isOneOf, OWNED_BY_POOL } from "../render/admission-policies.ts";
import { type GuardMaking, guardName, validating } from "./guard-objects.ts";

/** @param users Karpenter's */
export function guardNodeClaims(users: readonly string[], { form, action }: GuardMaking): KubeObject[] {
  return validating(guardName("nodeclaim", form), action, {
    rules: [{ group: KARPENTER_GROUP, resources: ["nodeclaims"], operations: ["CREATE"] }],
    validations: [
      {
        expression: `${isOneOf(users)} && ${OWNED_BY_POOL}`,
        message: "NodeClaims are Karpenter's alone to make: ask for nodes with a NodePool",
      },
    ],
  });
}
