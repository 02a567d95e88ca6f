/** Lists changes of fields that only wrappers have, with the effect on nodes; Karpenter never gets the field. */
import { type FieldRow, rowsOf } from "./changes-of-pools.ts";

/**
 * HyperShift's operator resolves the version to a release and creates a KubeletConfig from `kubelet`. The hash of both
 * is the TargetConfigVersionHash of the user data, and a change drifts every node of the class (openshift/hypershift:
 * karpenterignition_controller.go; hypershift-operator/controllers/nodepool/config.go, Hash; token.go).
 */
export const CLASS_WRAPPER_CHANGES: readonly FieldRow[] = rowsOf(
  {
    version: [
      [undefined, "4.20.1", "replaces-all"],
      ["4.20.1", "4.20.2", "replaces-all"],
      ["4.20.1", undefined, "replaces-all"],
    ],
    kubelet: [
      [undefined, { podPidsLimit: 4096 }, "replaces-all"],
      [{ podPidsLimit: 4096 }, { podPidsLimit: 8192 }, "replaces-all"],
      [{ maxPods: 50 }, { maxPods: 50, podPidsLimit: 4096 }, "replaces-all"],
      [{ maxPods: 50, podPidsLimit: 4096 }, { maxPods: 50 }, "replaces-all"],
      [{ maxPods: 50, podPidsLimit: 4096 }, { maxPods: 60, podPidsLimit: 4096 }, "replaces-all"],
      [{ allowedUnsafeSysctls: ["a", "b"] }, { allowedUnsafeSysctls: ["b", "a"] }, "replaces-all"],
      // The KubeletConfig contains the string, but Karpenter parses a duration.
      [softAfter("2m"), softAfter("2m0s"), "replaces-all"],
      [undefined, { registerWithTaints: [] }, "replaces-all"],
      // Karpenter's own taint is added last and takes precedence.
      [{ maxPods: 50 }, { maxPods: 50, registerWithTaints: [] }, "none"],
    ],
  },
  "spec.",
);

/** Karpenter's limit is soft in any mode; `anp watch` enforces a hard one. */
export const POOL_WRAPPER_CHANGES: readonly FieldRow[] = rowsOf(
  {
    nodeLimitMode: [
      [undefined, "Soft", "behavioural"],
      ["Hard", "Soft", "behavioural"],
      ["Soft", "Hard", "behavioural"],
      [undefined, "Hard", "none"],
    ],
  },
  "spec.disruption.",
);

function softAfter(duration: string): unknown {
  return { evictionSoft: { "memory.available": "5%" }, evictionSoftGracePeriod: { "memory.available": duration } };
}
