/** Converts a NodeClaim between v1beta1 and v1, exactly as Karpenter's webhook does. */
import { KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { KUBELET_ANNOTATION, NODE_CLASS_ANNOTATION, withAnnotations, without } from "./convert-annotations.ts";
import { DEFAULT_EXPIRY } from "../../model/values/durations.ts";
import { kubeletJson } from "./convert-kubelet.ts";
import { type ClassKind, refJson, refToV1 } from "./convert-node-class-ref.ts";
import { restoredFields, withoutConversionAnnotations } from "./convert-node-pool.ts";
import type { Converted } from "./malformed-field.ts";
import { withUpstreamConditions } from "./convert-status.ts";
import { type Fields, fieldsOf, isFields, listOf, withChanges } from "../../krm/values/fields.ts";

/** What the conversion of an object depends on. */
export interface Beside {
  /** The NodePool of a NodeClaim in version v1, which the webhook looks up in the cluster. */
  readonly pool?: Fields | undefined;
  /** The node classes that its reference means; those of AWS by default. */
  readonly meant?: ClassKind | undefined;
}

export function nodeClaimToV1(claim: Fields, { pool, meant }: Beside): Fields {
  const { kubelet, nodeClassRef, ...spec } = fieldsOf(claim["spec"]);
  const converted = withChanges(claim, {
    apiVersion: `${KARPENTER_GROUP}/v1`,
    spec: withChanges(spec, {
      nodeClassRef: refToV1(nodeClassRef, meant),
      requirements: listOf(spec["requirements"]),
      // Without a pool Karpenter has no duration and writes Never.
      expireAfter: pool === undefined ? "Never" : expiryOf(pool),
    }),
  });
  return withUpstreamConditions(
    withAnnotations(converted, {
      ...without(KUBELET_ANNOTATION),
      [KUBELET_ANNOTATION]: isFields(kubelet) ? kubeletJson(kubelet) : undefined,
      [NODE_CLASS_ANNOTATION]: refJson(nodeClassRef),
    }),
  );
}

export function nodeClaimToV1beta1(claim: Fields): Converted {
  const { nodeClassRef, ...spec } = fieldsOf(claim["spec"]);
  const restored = restoredFields(claim, nodeClassRef);
  if ("refusal" in restored) return restored;
  const converted = withChanges(claim, {
    apiVersion: `${KARPENTER_GROUP}/v1beta1`,
    spec: withChanges(spec, {
      ...restored.value,
      requirements: listOf(spec["requirements"]),
      expireAfter: undefined,
      terminationGracePeriod: undefined,
    }),
  });
  return { value: withUpstreamConditions(withoutConversionAnnotations(converted)) };
}

/** The node lifetime of a v1 pool. */
export function expiryOf(pool: Fields): unknown {
  const template = fieldsOf(fieldsOf(fieldsOf(pool["spec"])["template"])["spec"]);
  return template["expireAfter"] ?? DEFAULT_EXPIRY;
}
