/** Orders the nodes to remove above a node limit as Karpenter does, by eviction cost too. */
import type { Profile } from "../../model/crds/profile.ts";
import { byBytes } from "../../model/values/by-bytes.ts";
import { parseGoDuration } from "../../model/values/go-duration.ts";

export interface LimitedNode {
  readonly name: string;
  /** Whether there is an instance: a NodeClaim without providerID has none. */
  readonly launched: boolean;
  /** Milliseconds since 1970. */
  readonly created: number | undefined;
  /** Of the NodeClaim: a duration or Never. */
  readonly expireAfter: string | undefined;
  readonly pods: readonly RunningPod[];
}

export interface Candidate {
  readonly name: string;
  readonly why: "not-launched" | "empty" | "cost" | "do-not-disrupt";
  readonly pods: number;
  /** Sum of its pods' eviction costs. */
  readonly cost: number;
  /** Remaining share of its lifetime, from 0 to 1. */
  readonly lifetimeLeft: number;
}

/**
 * Karpenter's order of equal nodes is random; here the name decides, so that the output is deterministic. The order is
 * that of docs/upstream/karpenter.md#order-of-removal.
 */
export function inDeprovisioningOrder(nodes: readonly LimitedNode[], at: number, profile: Profile): Candidate[] {
  const candidates = nodes.map((node) => candidateOf(node, at, profile));
  return candidates.toSorted(
    (a, b) =>
      ORDER.indexOf(a.why) - ORDER.indexOf(b.why) ||
      a.cost * a.lifetimeLeft - b.cost * b.lifetimeLeft ||
      byBytes(a.name, b.name),
  );
}

const ORDER: readonly Candidate["why"][] = ["not-launched", "empty", "cost", "do-not-disrupt"];

function candidateOf(
  { name, launched, created, expireAfter, pods }: LimitedNode,
  at: number,
  profile: Profile,
): Candidate {
  const guarded = pods.some((pod) => forbidsDisruption(pod, at));
  const empty = pods.every(({ ofDaemonSet }) => ofDaemonSet) && !guarded;
  const why = !launched ? "not-launched" : empty ? "empty" : guarded ? "do-not-disrupt" : "cost";
  // Nodes that are not launched or empty come first, regardless of the cost of their pods.
  const counts = why === "cost" || why === "do-not-disrupt";
  const cost = counts ? pods.reduce((sum, pod) => sum + evictionCost(pod, profile), 0) : 0;
  return { name, why, pods: pods.length, cost, lifetimeLeft: lifetimeLeft(created, expireAfter, at) };
}

/** 1 if nodes never expire. */
function lifetimeLeft(created: number | undefined, expireAfter: string | undefined, at: number): number {
  const lifetime = Number(parseGoDuration(expireAfter ?? "Never") ?? 0n) / 1_000_000;
  if (created === undefined || lifetime === 0) return 1;
  return Math.min(1, Math.max(0, (lifetime - (at - created)) / lifetime));
}

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
export function forbidsDisruption(pod: RunningPod, at: number): boolean {
  const end = doNotDisruptEnd(pod);
  return end !== undefined && at < end;
}

/** Milliseconds since 1970 at which the annotation ends: infinity for no end; undefined if it has no effect. */
export function doNotDisruptEnd({ annotations, startTime }: RunningPod): number | undefined {
  const value = annotations["karpenter.sh/do-not-disrupt"];
  if (value === undefined) return undefined;
  if (value === "true") return Infinity;
  const duration = parseGoDuration(value);
  if (duration === undefined || duration <= 0n) return undefined;
  return startTime === undefined ? Infinity : startTime + Number(duration / 1_000_000n);
}
