/** Checks that a plan's admission policies would not deny anp's own user. */
import type { ClusterApi } from "../api/cluster-api.ts";
import { INVENTORY_GUARD } from "../inventory/inventory-guard.ts";
import type { Step } from "../plan/step.ts";

/** Excluded by every admission policy (docs/upstream/hypershift.md#admission-policy). */
const OPERATOR = "system:hosted-cluster-config";

/** Not the guard of NodeClaims: anp writes none. */
const GUARDS = ["karpenter.nodepool.hypershift.io", "karpenter.ec2nodeclass.hypershift.io", INVENTORY_GUARD];

/** Why nothing may be applied; undefined if the policies allow anp's user. */
export async function writerProblem(
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
    return `nothing is applied: anp cannot find out its own user in the guest cluster (${answer.error.message}), and the admission policies might deny it; ${hint}`;
  if (answer.value === OPERATOR || allowedWriters.includes(answer.value)) return undefined;
  return `nothing is applied: the admission policies would not allow ${answer.value} to write NodePools and EC2NodeClasses; ${hint}`;
}
