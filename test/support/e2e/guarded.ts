/** Attempts of a user to write a guarded object, in a dry run: `allowed`, or the message of the denial. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { collectionPath, objectPath } from "../controlplane/rest-path.ts";
import type { UserName } from "../controlplane/users.ts";

export const ATTEMPTS = [
  "CREATE",
  "DELETE",
  "DELETE of all",
  "UPDATE of the spec",
  "UPDATE of an annotation",
  "UPDATE of a label",
  "UPDATE of a finalizer",
  "UPDATE of the status",
] as const;

export type Attempt = (typeof ATTEMPTS)[number];

const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };

export const POOL: KubernetesObject = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: { template: { spec: { nodeClassRef, requirements: [] } } },
};

const NODE_CLASS: KubernetesObject = {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "default" },
  spec: { amiFamily: "Custom", amiSelectorTerms: [{ id: "ami-0a1b" }] },
};

export const GUARDED = [
  ["NodePool", POOL],
  ["EC2NodeClass", NODE_CLASS],
] as const;

export const DENIED = {
  NodePool: "NodePool resources cannot be modified directly. Use OpenshiftNodePool instead.",
  EC2NodeClass: "EC2NodeClass resources cannot be modified directly. Use OpenshiftEC2NodeClass instead.",
};

export const STATUS_DENIED = "The status of NodePools, NodeClaims and EC2NodeClasses is Karpenter's alone to write.";

/** Any user may write without changing the spec (docs/upstream/hypershift.md#admission-policy). */
export const METADATA: readonly Attempt[] = ["UPDATE of an annotation", "UPDATE of a label", "UPDATE of a finalizer"];

/** Karpenter may also write the status. */
export const SPEC_UNCHANGED: readonly Attempt[] = [...METADATA, "UPDATE of the status"];

/** The expected result of each attempt if these are allowed. */
export function expected(kind: keyof typeof DENIED, allowed: readonly Attempt[]): Record<string, string> {
  const denied = (what: Attempt): string => (what === "UPDATE of the status" ? STATUS_DENIED : DENIED[kind]);
  return Object.fromEntries(ATTEMPTS.map((what) => [what, allowed.includes(what) ? "allowed" : denied(what)]));
}

export async function outcomesOf(
  controlPlane: ControlPlane,
  user: UserName,
  object: KubernetesObject,
): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const what of ATTEMPTS) entries.push([what, await attempt(controlPlane, user, what, object)]);
  return Object.fromEntries(entries);
}

const OTHER_SPEC = { NodePool: { weight: 5 }, EC2NodeClass: { detailedMonitoring: true } };

const CONDITION = {
  type: "Ready",
  status: "True",
  reason: "Tested",
  message: "",
  lastTransitionTime: "2026-01-05T09:00:00Z",
};

export async function attempt(
  controlPlane: ControlPlane,
  user: UserName,
  what: Attempt,
  object: KubernetesObject,
): Promise<string> {
  const { status, body, text } = await send(controlPlane, user, what, object);
  if (status < 300) return "allowed";
  if (status !== 422) throw new Error(`${user} ${what}: ${status} ${text}`);
  return denialIn(body);
}

/** The message of the policy, without the names of the policy and its binding. */
export function denialIn({ message = "" }: KubernetesObject): string {
  return message.replace(/^.* denied request: /, "");
}

async function send(controlPlane: ControlPlane, user: UserName, what: Attempt, object: KubernetesObject) {
  const path = await objectPath(controlPlane, object);
  const collection = await collectionPath(controlPlane, object);
  const patch = (change: object, subresource = "") =>
    controlPlane.request(user, "PATCH", `${path}${subresource}?dryRun=All`, change);
  switch (what) {
    case "CREATE": {
      const another = { ...object, metadata: { name: "another" } };
      return controlPlane.request(user, "POST", `${collection}?dryRun=All`, another);
    }
    case "DELETE":
      return controlPlane.request(user, "DELETE", `${path}?dryRun=All`);
    case "DELETE of all":
      return controlPlane.request(user, "DELETE", `${collection}?dryRun=All`);
    case "UPDATE of the spec":
      return patch({ spec: OTHER_SPEC[object.kind as keyof typeof OTHER_SPEC] });
    case "UPDATE of an annotation":
      return patch({ metadata: { annotations: { "karpenter.sh/nodepool-hash": "1" } } });
    case "UPDATE of a label":
      return patch({ metadata: { labels: { "example.com/team": "a" } } });
    case "UPDATE of a finalizer":
      return patch({ metadata: { finalizers: ["karpenter.sh/termination"] } });
    case "UPDATE of the status":
      return patch({ status: { conditions: [CONDITION] } }, "/status");
  }
}
