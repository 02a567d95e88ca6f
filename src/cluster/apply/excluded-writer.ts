/** Whether a plan's admission policies would lock us out of what they guard, and why. */
import type { ClusterApi } from "../api/cluster-api.ts";
import { INVENTORY_GUARD } from "../inventory/inventory-guard.ts";
import type { Step } from "../plan/step.ts";

/** Excluded by every admission policy (docs/upstream/hypershift.md#admission-policy). */
const OPERATOR = "system:hosted-cluster-config";

/** The one that guards NodeClaims does not concern whoever writes pools and classes. */
const GUARDS = ["karpenter.nodepool.hypershift.io", "karpenter.ec2nodeclass.hypershift.io", INVENTORY_GUARD];

/** Undefined when applying them would lock nobody of ours out. */
export async function refusalOf(
  steps: readonly Step[],
  api: ClusterApi,
  allowedWriters: readonly string[],
): Promise<string | undefined> {
  if (!steps.some(({ kind, name }) => kind === "ValidatingAdmissionPolicy" && GUARDS.includes(name))) return undefined;
  if (!steps.some(({ action }) => action === "create" || action === "update" || action === "prune")) return undefined;
  const answer = await api.whoAmI();
  const hint =
    "add the user to RenderConfig.spec.admission.allowedWriters, or use the credentials of system:hosted-cluster-config";
  if (!answer.ok)
    return `nothing is applied: who we are to the guest cluster cannot be told (${answer.error.message}), and the admission policies must not lock us out; ${hint}`;
  if (answer.value === OPERATOR || allowedWriters.includes(answer.value)) return undefined;
  return `nothing is applied: the admission policies would deny ${answer.value} to write NodePools and EC2NodeClasses; ${hint}`;
}
