/** Attempts to create NodeClaims by hand, with and without the fields that link them to a pool. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create } from "../controlplane/objects.ts";
import { collectionPath, objectPath } from "../controlplane/rest-path.ts";
import type { UserName } from "../controlplane/users.ts";
import { denialIn } from "./guarded.ts";

export const CLAIM_DENIED = "NodeClaim resources cannot be created directly. Use OpenshiftNodePool instead.";

const POOL_LABEL = "karpenter.sh/nodepool";

const pool = { apiVersion: "karpenter.sh/v1", kind: "NodePool", name: "web", uid: "0a1b2c3d" };
const labels = { [POOL_LABEL]: "web" };

export function claim(metadata: object): KubernetesObject {
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: { name: "web-1", ...metadata },
    spec: {
      nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
      requirements: [{ key: "node.kubernetes.io/instance-type", operator: "In", values: ["m5.xlarge"] }],
    },
  };
}

export type NamedClaim = readonly [what: string, claim: KubernetesObject];

/** Each of these would bypass every policy. */
export const BY_HAND: readonly NamedClaim[] = [
  ["nothing", claim({})],
  ["a label of something else", claim({ labels: { team: "web" }, ownerReferences: [pool] })],
  ["an owner without the label", claim({ ownerReferences: [pool] })],
  ["the label without an owner", claim({ labels })],
  ["the label and no owners", claim({ labels, ownerReferences: [] })],
  ["an owner of another kind", claim({ labels, ownerReferences: [{ ...pool, kind: "NodeClaim" }] })],
  [
    "a NodePool of HyperShift as owner",
    claim({ labels, ownerReferences: [{ ...pool, apiVersion: "hypershift.openshift.io/v1beta1" }] }),
  ],
  [
    "a NodePool of a group that begins like Karpenter's",
    claim({ labels, ownerReferences: [{ ...pool, apiVersion: "karpenter.sh.example.com/v1" }] }),
  ],
  ["an owner with another name", claim({ labels, ownerReferences: [{ ...pool, name: "other" }] })],
  ["the label of another pool", claim({ labels: { [POOL_LABEL]: "other" }, ownerReferences: [pool] })],
];

export const OWNED: readonly NamedClaim[] = [
  ["label and owner", claim({ labels, ownerReferences: [pool] })],
  [
    "an owner beside another",
    claim({ labels, ownerReferences: [{ ...pool, kind: "NodeClaim", name: "other" }, pool] }),
  ],
];

/** By the name of the claim: `allowed`, or the message of the denial. */
export async function judgeClaims(
  controlPlane: ControlPlane,
  user: UserName,
  claims: readonly NamedClaim[],
): Promise<Record<string, string>> {
  const verdicts = claims.map(async ([what, object]) => {
    const { status, body } = await create(controlPlane, user, object, { dryRun: true });
    return [what, status === 201 ? "allowed" : denialIn(body)];
  });
  return Object.fromEntries(await Promise.all(verdicts)) as Record<string, string>;
}

export function all(claims: readonly NamedClaim[], outcome: string): Record<string, string> {
  return Object.fromEntries(claims.map(([what]) => [what, outcome]));
}

const FINALIZER = "karpenter.sh/termination";

/**
 * The requests of Karpenter for a NodeClaim, in its order (pkg/controllers/provisioning/provisioner.go, `Create`;
 * pkg/controllers/nodeclaim/lifecycle), with the status of each. It removes its objects.
 */
export async function liveOf(controlPlane: ControlPlane, user: UserName): Promise<Record<string, number>> {
  const owner = { ...pool, blockOwnerDeletion: true };
  const made = claim({ labels, ownerReferences: [owner], annotations: { "karpenter.sh/nodepool-hash": "1" } });
  const unnamed = { ...made, metadata: { ...made.metadata, name: undefined, generateName: "web-" } };
  const post = await controlPlane.request(user, "POST", await collectionPath(controlPlane, made), unnamed);
  const path = await objectPath(controlPlane, post.body);
  const patch = async (change: object, subresource = "") =>
    (await controlPlane.request(user, "PATCH", `${path}${subresource}`, change)).status;
  return {
    "POST with generateName": post.status,
    "PATCH of the finalizer": await patch({ metadata: { finalizers: [FINALIZER] } }),
    "PATCH of labels and annotations": await patch({
      metadata: { labels: { "karpenter.sh/registered": "true" }, annotations: { "karpenter.sh/stored-version": "v1" } },
    }),
    "PATCH of the status": await patch({ status: { providerID: "aws:///us-east-1a/i-0a1b" } }, "/status"),
    DELETE: (await controlPlane.request(user, "DELETE", path)).status,
    "PATCH of the finalizer away": await patch({ metadata: { finalizers: [] } }),
  };
}
