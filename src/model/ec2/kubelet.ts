/** `spec.kubelet` of an EC2NodeClass: twelve settings up to Karpenter 1.14, any from 1.15 on. */
import * as z from "zod/mini";
import { withKeywords } from "../schema/keywords.ts";
import { imageGCThresholds } from "../node-classes/kubelet-rules.ts";
import { keysAmong, mapOf, type StringMap } from "../schema/map-of.ts";
import { EVICTION_SIGNALS, notNegative, RESERVED_RESOURCES } from "../node-classes/node-class-kubelet.ts";
import { QUANTITY_PATTERN } from "../values/quantity.ts";
import { type Rule, withRules } from "../schema/rule.ts";

const QUANTITY = new RegExp(QUANTITY_PATTERN);

/** A percentage with up to two decimal places, a quantity, or an empty text. */
const THRESHOLD = new RegExp(`^((\\d{1,2}(\\.\\d{1,2})?|100(\\.0{1,2})?)%||${QUANTITY_PATTERN.slice(1, -1)})$`);

const reserved = z.lazy(() =>
  withRules(
    mapOf(z.string().check(z.regex(QUANTITY, { error: "is not a Kubernetes quantity, such as 100m or 1Gi" }))),
    [keysAmong(RESERVED_RESOURCES, "resource"), notNegative],
  ),
);

const thresholds = z.lazy(() =>
  withRules(
    mapOf(
      z
        .string()
        .check(z.regex(THRESHOLD, { error: "is neither a percentage (10%) nor a Kubernetes quantity (100Mi)" })),
    ),
    [keysAmong(EVICTION_SIGNALS, "eviction signal")],
  ),
);

export const count = z.optional(withKeywords(z.int32().check(z.minimum(0)), { format: "int32" }));
export const percent = z.optional(withKeywords(z.int().check(z.minimum(0), z.maximum(100)), { format: "int32" }));

interface Evictions {
  readonly evictionSoft?: StringMap | undefined;
  readonly evictionSoftGracePeriod?: StringMap | undefined;
}

/** An empty map needs no partner: only entries do. */
export function partnerOf(one: keyof Evictions, other: keyof Evictions): Rule<Evictions> {
  const missing = (kubelet: Evictions): string | undefined =>
    Object.keys(kubelet[one] ?? {}).find((signal) => !Object.hasOwn(kubelet[other] ?? {}, signal));
  return {
    cel: `!has(self.${one}) || self.${one}.all(k, has(self.${other}) && k in self.${other})`,
    message: `the signal is not in ${other}`,
    hint: `add it to ${other}, or remove it here`,
    test: (kubelet) => missing(kubelet) === undefined,
    at: (kubelet) => [one, missing(kubelet) ?? ""],
  };
}

const settings = {
  clusterDNS: z.optional(z.array(z.string())),
  maxPods: count,
  podsPerCore: count,
  systemReserved: z.optional(reserved),
  kubeReserved: z.optional(reserved),
  evictionHard: z.optional(thresholds),
  evictionSoft: z.optional(thresholds),
  evictionSoftGracePeriod: z.optional(
    z.lazy(() => withRules(mapOf(z.string()), [keysAmong(EVICTION_SIGNALS, "eviction signal")])),
  ),
  evictionMaxPodGracePeriod: z.optional(withKeywords(z.int32(), { format: "int32" })),
  imageGCHighThresholdPercent: percent,
  imageGCLowThresholdPercent: percent,
  cpuCFSQuota: z.optional(z.boolean()),
};

/**
 * In the order of Karpenter's own type, in which it writes them (docs/upstream/karpenter.md#ec2nodeclasses-of-v1beta1).
 */
export const KUBELET_SETTINGS = Object.keys(settings) as readonly (keyof typeof settings)[];

export const ec2Kubelet = withRules(z.strictObject(settings), [
  imageGCThresholds,
  partnerOf("evictionSoft", "evictionSoftGracePeriod"),
  partnerOf("evictionSoftGracePeriod", "evictionSoft"),
]);

/** Karpenter 1.15 accepts any setting and reports a wrong one in the node class's conditions. */
export const openKubelet = withKeywords(z.looseObject({}), { "x-kubernetes-preserve-unknown-fields": true });
