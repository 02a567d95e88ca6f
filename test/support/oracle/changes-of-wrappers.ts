/** Changes of one field that only a wrapper has, with what each does to nodes; Karpenter never sees the field itself. */
import { type FieldRow, rowsOf } from "./changes-of-pools.ts";

/**
 * HyperShift's operator resolves the version to a release and makes a KubeletConfig of `kubelet`; the hash of both is
 * the TargetConfigVersionHash of the user data, and another one drifts every node of the class (openshift/hypershift:
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
      // The KubeletConfig has the text, while Karpenter reads a duration.
      [softAfter("2m"), softAfter("2m0s"), "replaces-all"],
      [undefined, { registerWithTaints: [] }, "replaces-all"],
      // Karpenter's own taint goes in last and wins.
      [{ maxPods: 50 }, { maxPods: 50, registerWithTaints: [] }, "none"],
    ],
  },
  "spec.",
);

/** Karpenter's limit is soft in any mode; `anp watch` keeps the pool within a hard one. */
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
