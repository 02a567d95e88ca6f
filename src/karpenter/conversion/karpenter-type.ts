/** Identifies the kind and version of an object that Karpenter converts. */
import { KARPENTER_AWS_GROUP, KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";

export type KarpenterVersion = "v1beta1" | "v1";

export type KarpenterKind = "NodePool" | "NodeClaim" | "EC2NodeClass";

const GROUPS: Readonly<Record<KarpenterKind, string>> = {
  NodePool: KARPENTER_GROUP,
  NodeClaim: KARPENTER_GROUP,
  EC2NodeClass: KARPENTER_AWS_GROUP,
};

/** Undefined for any other kind or version. */
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
