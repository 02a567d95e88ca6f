/** Any of Karpenter's objects between v1beta1 and v1, as its conversion webhook does it. */
import { KARPENTER_AWS_GROUP, KARPENTER_GROUP } from "../../krm/known-kinds.ts";
import { ec2NodeClassToV1, ec2NodeClassToV1beta1 } from "./convert-ec2-node-class.ts";
import { nodeClaimToV1, nodeClaimToV1beta1 } from "./convert-node-claim.ts";
import { nodePoolToV1, nodePoolToV1beta1 } from "./convert-node-pool.ts";
import type { Converted } from "./converted.ts";
import { misshapen } from "./misshapen.ts";
import type { Fields } from "./plain-fields.ts";

export type KarpenterVersion = "v1beta1" | "v1";

export type KarpenterKind = "NodePool" | "NodeClaim" | "EC2NodeClass";

const GROUPS: Readonly<Record<KarpenterKind, string>> = {
  NodePool: KARPENTER_GROUP,
  NodeClaim: KARPENTER_GROUP,
  EC2NodeClass: KARPENTER_AWS_GROUP,
};

/** Undefined for what is none of the three kinds in one of the two versions. */
export function karpenterType(object: {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}): { readonly kind: KarpenterKind; readonly version: KarpenterVersion } | undefined {
  const { apiVersion, kind } = object;
  if (typeof kind !== "string" || !Object.hasOwn(GROUPS, kind)) return undefined;
  const known = kind as KarpenterKind;
  const version = (["v1beta1", "v1"] as const).find((name) => apiVersion === `${GROUPS[known]}/${name}`);
  return version === undefined ? undefined : { kind: known, version };
}

/**
 * An object that has the version already, or is none of Karpenter's, is given back as it is.
 * @param pool the NodePool that a NodeClaim was made for, in version v1: the webhook looks it up in the cluster
 */
export function convertAsWebhook(object: Fields, to: KarpenterVersion, pool?: Fields): Converted {
  const type = karpenterType(object);
  if (type === undefined || type.version === to) return { value: object };
  const refusal = misshapen(object, type.kind, type.version);
  if (refusal !== undefined) return { refusal };
  switch (type.kind) {
    case "NodePool":
      return to === "v1" ? { value: nodePoolToV1(object) } : nodePoolToV1beta1(object);
    case "NodeClaim":
      return to === "v1" ? { value: nodeClaimToV1(object, pool) } : nodeClaimToV1beta1(object);
    case "EC2NodeClass":
      return to === "v1" ? { value: ec2NodeClassToV1(object) } : ec2NodeClassToV1beta1(object);
  }
}
