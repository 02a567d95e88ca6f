/** The settings of the kubelet as Karpenter's AWS provider validates them since 1.15. */
import * as z from "zod/mini";
import { imageGCThresholds, percentOf } from "../node-classes/kubelet-rules.ts";
import { EVICTION_SIGNALS, notNegative, RESERVED_RESOURCES } from "../node-classes/node-class-kubelet.ts";
import { keysAmong, mapOf } from "../schema/map-of.ts";
import { memoize } from "../schema/memoize.ts";
import { type Rule, withRules } from "../schema/rule.ts";
import { parseGoDuration } from "../values/go-duration.ts";
import { parseQuantity } from "../values/quantity.ts";
import { count, partnerOf, percent } from "./kubelet.ts";

/** A setting that is null is absent; this one is not a pointer in Go, and parses null. */
const duration = z
  .string({ error: "write a duration, such as 30s or 1h30m" })
  .check(z.refine((text) => parseGoDuration(text) !== undefined, { error: "no duration, such as 30s or 1h30m" }));

export const KUBELET_DURATIONS: ReadonlySet<string> = new Set(
  [
    "cpuManagerReconcilePeriod evictionPressureTransitionPeriod fileCheckFrequency httpCheckFrequency",
    "imageMaximumGCAge imageMinimumGCAge nodeStatusReportFrequency nodeStatusUpdateFrequency",
    "runtimeRequestTimeout shutdownGracePeriod shutdownGracePeriodCriticalPods streamingConnectionIdleTimeout",
    "syncFrequency volumeStatsAggPeriod",
  ].flatMap((line) => line.split(" ")),
);

const orNull = <S extends z.ZodMiniType>(type: S) => z.optional(z.nullable(type));

function struct(fields: Readonly<Record<string, z.ZodMiniType>>): z.ZodMiniType {
  return z.strictObject(Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, orNull(type)])));
}

function each(names: Iterable<string>, type: z.ZodMiniType): Record<string, z.ZodMiniType> {
  return Object.fromEntries(Array.from(names, (name) => [name, z.optional(type)]));
}

/** The settings of KubeletConfiguration v1beta1 (docs/upstream/karpenter.md#kubelet-settings), by their type in Go. */
const kubeletFields = memoize((): Readonly<Record<string, z.ZodMiniType>> => {
  const named = (type: z.ZodMiniType, ...lines: string[]) => each(lines.join(" ").split(" "), type);
  const quantity = z.union([z.number(), z.string()], { error: "no quantity, such as 100m or 1Gi" }).check(
    z.refine((value) => parseQuantity(String(value).trim()) !== undefined, {
      error: "no quantity, such as 100m or 1Gi",
    }),
  );
  const nanoseconds = z.union([z.int(), duration], { error: "no duration, such as 30s or 1h30m" });
  const [verbosity, int64] = [z.uint32(), z.int()];
  const logOptions = struct({ splitStream: z.boolean(), infoBufferSize: quantity });
  return {
    ...named(
      z.string(),
      "address apiVersion cgroupDriver cgroupRoot clusterDomain configMapAndSecretChangeDetectionStrategy",
      "containerLogMaxSize containerRuntimeEndpoint contentType cpuManagerPolicy hairpinMode healthzBindAddress kind",
      "imagePullCredentialsVerificationPolicy imageServiceEndpoint kubeReservedCgroup kubeletCgroups",
      "memoryManagerPolicy memoryReservationPolicy podCIDR podLogsDir providerID reservedSystemCPUs resolvConf",
      "showHiddenMetricsForVersion staticPodPath staticPodURL systemCgroups systemReservedCgroup tlsCertFile",
      "tlsMinVersion tlsPrivateKeyFile topologyManagerPolicy topologyManagerScope volumePluginDir",
    ),
    ...named(
      z.boolean(),
      "cgroupsPerQOS cpuCFSQuota enableContentionProfiling enableControllerAttachDetach enableDebugFlagsHandler",
      "enableDebuggingHandlers enableProfilingHandler enableServer enableSystemLogHandler enableSystemLogQuery",
      "failCgroupV1 failSwapOn kernelMemcgNotification localStorageCapacityIsolation makeIPTablesUtilChains",
      "mergeDefaultEvictionSettings protectKernelDefaults registerNode rotateCertificates runOnce seccompDefault",
      "serializeImagePulls serverTLSBootstrap singleProcessOOMKill",
    ),
    ...named(
      z.int32(),
      "containerLogMaxFiles containerLogMaxWorkers eventBurst eventRecordQPS healthzPort iptablesDropBit",
      "iptablesMasqueradeBit kubeAPIBurst kubeAPIQPS maxParallelImagePulls nodeLeaseDurationSeconds",
      "nodeStatusMaxImages oomScoreAdj port readOnlyPort registryBurst registryPullQPS",
    ),
    ...named(int64, "maxOpenFiles podPidsLimit"),
    ...named(z.number(), "memoryThrottlingFactor"),
    ...each(KUBELET_DURATIONS, duration),
    ...named(duration, "containerLogMonitorInterval cpuCFSQuotaPeriod"),
    ...named(
      z.array(z.nullable(z.string())),
      "allowedUnsafeSysctls clusterDNS enforceNodeAllocatable preloadedImagesVerificationAllowlist tlsCipherSuites",
    ),
    ...named(z.array(z.nullable(z.int32())), "tlsCurvePreferences"),
    ...named(
      mapOf(z.nullable(z.string())),
      "cpuManagerPolicyOptions defaultPodSysctls qosReserved topologyManagerPolicyOptions",
    ),
    ...named(mapOf(z.nullable(z.boolean())), "featureGates"),
    ...named(mapOf(z.nullable(z.array(z.nullable(z.string())))), "staticPodURLHeader"),
    ...named(struct({ maxContainerRestartPeriod: duration }), "crashLoopBackOff"),
    ...named(struct({ swapBehavior: z.string() }), "memorySwap"),
    ...named(struct({ idsPerPod: int64 }), "userNamespaces"),
    ...named(struct({ endpoint: z.string(), samplingRatePerMillion: z.int32() }), "tracing"),
    ...named(
      z.array(z.nullable(struct({ numaNode: z.int32(), limits: mapOf(z.nullable(quantity)) }))),
      "reservedMemory",
    ),
    ...named(
      z.array(z.nullable(struct({ priority: z.int32(), shutdownGracePeriodSeconds: int64 }))),
      "shutdownGracePeriodByPodPriority",
    ),
    authentication: z.optional(
      struct({
        x509: struct({ clientCAFile: z.string() }),
        webhook: z.strictObject({ enabled: orNull(z.boolean()), cacheTTL: z.optional(duration) }),
        anonymous: struct({ enabled: z.boolean() }),
      }),
    ),
    authorization: z.optional(
      struct({
        mode: z.string(),
        webhook: z.strictObject(each(["cacheAuthorizedTTL", "cacheUnauthorizedTTL"], duration)),
      }),
    ),
    logging: z.optional(
      struct({
        format: z.string(),
        flushFrequency: nanoseconds,
        verbosity,
        vmodule: z.array(z.nullable(struct({ filePattern: z.string(), verbosity }))),
        options: struct({ text: logOptions, json: logOptions }),
      }),
    ),
    // Types and rules of Karpenter's own.
    ...named(count, "evictionMaxPodGracePeriod podsPerCore"),
    ...named(percent, "imageGCHighThresholdPercent imageGCLowThresholdPercent"),
    ...named(
      z.optional(mapOfSignals(isThreshold, THRESHOLD_WORDS)),
      "evictionHard evictionMinimumReclaim evictionSoft",
    ),
    ...named(
      mapOfSignals((text) => (parseGoDuration(text) ?? -1n) >= 0n, "no duration, such as 90s"),
      "evictionSoftGracePeriod",
    ),
    ...named(
      withRules(mapOf(z.string()), [keysAmong(RESERVED_RESOURCES, "resource"), notNegative]),
      RESERVATIONS.join(" "),
    ),
    maxPods: z.optional(
      z.union([z.string(), z.int32().check(z.minimum(0))], { error: "neither a number of pods nor an expression" }),
    ),
    registerWithTaints: z.optional(
      z.unknown().check(z.refine(() => false, { error: "Karpenter sets it, from the taints of a pool" })),
    ),
  };
});

export const RESERVATIONS = ["kubeReserved", "systemReserved"] as const;

const THRESHOLD_WORDS = "neither a percentage from 0 to 100 (10%) nor a quantity that is not negative (100Mi)";

function isThreshold(text: string): boolean {
  const percentage = percentOf(text);
  if (text.endsWith("%")) return percentage !== undefined && percentage >= 0 && percentage <= 100;
  return (parseQuantity(text)?.nano ?? -1n) >= 0n;
}

function mapOfSignals(test: (text: string) => boolean, error: string): z.ZodMiniType {
  return withRules(mapOf(z.string().check(z.refine(test, { error }))), [
    keysAmong(EVICTION_SIGNALS, "eviction signal"),
  ]);
}

export const kubeletFieldNames = memoize((): ReadonlySet<string> => new Set(Object.keys(kubeletFields())));

/** What Karpenter 1.15 does not accept though the API server does (docs/upstream/karpenter.md#kubelet-settings-since-115). */
export const acceptedKubelet = memoize(() =>
  withRules(z.strictObject(kubeletFields()), [
    imageGCThresholds,
    partnerOf("evictionSoft", "evictionSoftGracePeriod"),
    partnerOf("evictionSoftGracePeriod", "evictionSoft"),
  ] as Rule<object>[]),
);
