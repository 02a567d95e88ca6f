/** Computes Karpenter's eviction cost of a pod, and whether the pod blocks disruption. */
import { parseGoDuration } from "../../model/values/go-duration.ts";
import type { Profile } from "../../model/crds/profile.ts";

export interface RunningPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly priority: number | undefined;
  readonly ofDaemonSet: boolean;
  /** Milliseconds since 1970. */
  readonly startTime: number | undefined;
}

/**
 * 1 for a pod without deletion cost and priority, which change it between -10 and 10. Karpenter orders removals by it
 * (docs/upstream/karpenter.md#order-of-removal).
 */
export function evictionCost({ annotations, priority = 0 }: RunningPod, profile: Profile): number {
  return Math.min(10, Math.max(-10, 1 + deletionCost(annotations, profile) / 2 ** 27 + priority / 2 ** 25));
}

const OWN = "karpenter.sh/disruption-cost";
const OF_REPLICA_SETS = "controller.kubernetes.io/pod-deletion-cost";

/** An invalid cost counts as 0. Karpenter 1.14 accepts any number, 1.15 an integer of 32 bits. */
function deletionCost(annotations: Readonly<Record<string, string>>, profile: Profile): number {
  const newest = profile === "karpenter-1.15";
  const text = (newest ? annotations[OWN] : undefined) ?? annotations[OF_REPLICA_SETS];
  if (text === undefined || !(newest ? /^[+-]?\d+$/ : FLOAT).test(text)) return 0;
  const cost = Number(text);
  return newest && (cost < -(2 ** 31) || cost >= 2 ** 31) ? 0 : cost;
}

const FLOAT = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** `true`, or a duration that is longer than the pod has been running; anything else is ignored. */
export function forbidsDisruption({ annotations, startTime }: RunningPod, at: number): boolean {
  const value = annotations["karpenter.sh/do-not-disrupt"];
  if (value === undefined) return false;
  if (value === "true") return true;
  const duration = parseGoDuration(value);
  if (duration === undefined || duration <= 0n) return false;
  return startTime === undefined || at - startTime < Number(duration / 1_000_000n);
}
