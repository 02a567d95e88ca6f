/** Renders the admission policy that lets only Karpenter write statuses it launches from. */
import type { KubeObject } from "../model/kube-object.ts";
import { isOneOf } from "../render/admission-policies.ts";
import { statusMessage, statusRules } from "../render/status-protection.ts";
import { type GuardMaking, guardName, validating } from "./guard-objects.ts";

/** @param users Karpenter's users */
export function guardStatuses(users: readonly string[], { form, action }: GuardMaking): KubeObject[] {
  return validating(guardName("status", form), action, {
    rules: statusRules({ nodeClaims: true, others: true }).map((rule) => ({ ...rule, operations: ["UPDATE"] })),
    validations: [{ expression: isOneOf(users), message: statusMessage() }],
  });
}
