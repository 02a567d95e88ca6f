/** `spec.kubelet` of a wrapper: typed settings are checked, all others pass to the node. */
import * as z from "zod/mini";
import { withFieldCount, withKeywords } from "../schema/keywords.ts";
import { KUBELET_RULES } from "./kubelet-rules.ts";
import { everyEntry, keysAmong, mapOf } from "../schema/map-of.ts";
import { withRules } from "../schema/rule.ts";

export const RESERVED_RESOURCES = ["cpu", "memory", "ephemeral-storage", "pid"];

export const EVICTION_SIGNALS = [
  "memory.available",
  "nodefs.available",
  "nodefs.inodesFree",
  "imagefs.available",
  "imagefs.inodesFree",
  "pid.available",
];

export const notNegative = everyEntry({
  cel: "!self[k].startsWith('-')",
  message: "a reservation cannot be negative",
  test: (_key, value) => !value.startsWith("-"),
});

const notEmpty = everyEntry({
  cel: "self[k].size() > 0",
  message: "the value is empty",
  test: (_key, value) => value !== "",
});

const map = (value: z.ZodMiniString) => withFieldCount(mapOf(value), { min: 1, max: 20 });

const reserved = z.lazy(() =>
  withRules(map(z.string()), [keysAmong(RESERVED_RESOURCES, "resource"), notNegative, notEmpty]),
);

const thresholds = z.lazy(() =>
  withRules(map(z.string().check(z.maxLength(64))), [keysAmong(EVICTION_SIGNALS, "eviction signal"), notEmpty]),
);

const pods = withKeywords(z.int().check(z.minimum(1), z.maximum(2500)), { format: "int32" });
const percent = withKeywords(z.int().check(z.minimum(0), z.maximum(100)), { format: "int32" });

// The operator keeps unknown settings beside the typed ones and passes them to the node unread.
const shape = z.looseObject({
  maxPods: z.optional(pods),
  podsPerCore: z.optional(pods),
  systemReserved: z.optional(reserved),
  kubeReserved: z.optional(reserved),
  evictionHard: z.optional(thresholds),
  evictionSoft: z.optional(thresholds),
  // The operator drops durations that Go cannot read; the CRD accepts them
  // (docs/upstream/hypershift.md#kubelet-settings).
  evictionSoftGracePeriod: z.optional(
    z.lazy(() => withRules(map(z.string()), [keysAmong(EVICTION_SIGNALS, "eviction signal")])),
  ),
  evictionMaxPodGracePeriod: z.optional(withKeywords(z.int32(), { format: "int32" })),
  imageGCHighThresholdPercent: z.optional(percent),
  imageGCLowThresholdPercent: z.optional(percent),
  cpuCFSQuota: z.optional(z.boolean()),
});

/** As in docs/upstream/hypershift.md#openshiftec2nodeclass. */
export const nodeClassKubelet = withRules(
  withKeywords(shape, { "x-kubernetes-preserve-unknown-fields": true }),
  KUBELET_RULES,
);
