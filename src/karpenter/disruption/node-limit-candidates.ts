/** Orders the nodes to remove above a node limit, as Karpenter does for static pools. */
import type { Profile } from "../../model/crds/profile.ts";
import { parseGoDuration } from "../../model/values/go-duration.ts";
import { byBytes } from "../../model/values/by-bytes.ts";
import { evictionCost, forbidsDisruption, type RunningPod } from "./eviction-cost.ts";

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
