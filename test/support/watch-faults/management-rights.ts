/** The rights of anp in the management cluster, with the policy or without it: a control plane in, and RBAC says so. */
import { waitAccess } from "../controlplane/access.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import { NAMESPACE } from "../watch/inputs.ts";
import { allow } from "../watch-process/rbac.ts";

const KARPENTER = "karpenter.hypershift.openshift.io";
const READ = ["get", "list", "watch"];

const OTHERS = [
  { apiGroups: [KARPENTER], resources: ["autonodepolicies/status"], verbs: ["update", "patch"] },
  { apiGroups: ["hypershift.openshift.io"], resources: ["hostedcontrolplanes"], verbs: READ },
  { apiGroups: [""], resources: ["secrets"], verbs: READ },
  // Of a namespace itself, RBAC judges by the Roles in it.
  { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
  { apiGroups: ["cluster.x-k8s.io"], resources: ["clusters"], verbs: ["get"] },
  { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "get", "patch"] },
];

export async function allowManagement(
  management: ControlPlane,
  { policies = true, inventory = true } = {},
): Promise<void> {
  const ofPolicies = { apiGroups: [KARPENTER], resources: ["autonodepolicies"], verbs: READ };
  const ofInventory = { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "create", "patch"] };
  const rules = [...(policies ? [ofPolicies] : []), ...(inventory ? [ofInventory] : []), ...OTHERS];
  await allow(management, "plain-user", "anp-watch", rules, NAMESPACE);
  const reading = { verb: "list", group: KARPENTER, resource: "autonodepolicies", namespace: NAMESPACE };
  const inInventory = { verb: "get", group: "", resource: "configmaps", namespace: NAMESPACE };
  if (!inventory) await waitAccess(management, "plain-user", inInventory, false);
  if (!policies) await waitAccess(management, "plain-user", reading, false);
}
