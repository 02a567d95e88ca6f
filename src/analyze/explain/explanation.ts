/** What `anp explain` says of a pool: verdict, keys, types left and what removed the others. */
import type { Requirement } from "../../karpenter/requirements/requirement.ts";
import type { Demand } from "../../resolve/demands.ts";
import type { Obstacle } from "./obstacles.ts";
import type { PlacedNoNodes, ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { PoolPrices } from "./pool-prices.ts";
import type { Remaining } from "./remaining-types.ts";

/**
 * The first that holds: no node ever; nodes outside the policy; less than the user asked for, without it, or not to stay;
 * nobody here knows the provider's instance types; as asked.
 */
export type Verdict = "unsatisfiable" | "bypassed" | "narrowed" | "unknown" | "ok";

/**
 * `ignored`: Karpenter passes the entries by and launches nodes without the label; the policy holds. `drifts`: nodes get
 * a label that the entries do not admit, and drift as soon as they are up. `foreign`: the label is another provider's, so
 * the entries select nothing.
 */
export type KeyOutcome =
  | "policy-only"
  | "user-only"
  | "same"
  | "narrowed"
  | "empty-blocking"
  | "empty-bypassed"
  | "widened"
  | "drifts"
  | "ignored"
  | "foreign";

export interface KeyExplanation {
  readonly key: string;
  /** In the order of the pool's demands. */
  readonly policy: readonly Demand[];
  readonly user: readonly Demand[];
  readonly effective: Requirement;
  readonly outcome: KeyOutcome;
}

export interface Elimination {
  readonly demand: Demand;
  /** Instance types that this demand rules out by itself. */
  readonly types: number;
  /** Those of them that no other demand rules out. */
  readonly only: number;
}

export interface PoolExplanation {
  readonly pool: ResolvedPool;
  /** All that was asked with, in the order in which Karpenter gets it. */
  readonly demands: readonly Demand[];
  readonly verdict: Verdict;
  /** Empty unless unsatisfiable. */
  readonly obstacles: readonly Obstacle[];
  readonly requirements: readonly KeyExplanation[];
  readonly instanceTypes: { readonly total: number; readonly names: readonly string[] };
  /** The demands that rule out something, most first; worked out for who asks. */
  readonly eliminated: () => readonly Elimination[];
  /** The smallest set of demands that leaves no node; empty unless unsatisfiable. */
  readonly conflict: readonly Demand[];
  /** What else leaves none, of demands that no other conflict has; worked out for who asks. */
  readonly otherConflicts: () => readonly (readonly Demand[])[];
  /** What all demands leave. */
  readonly remaining: Remaining;
  /** Why no node comes, whatever instance types there are. */
  readonly noNodes: readonly PlacedNoNodes[];
  readonly zones: Zones;
  readonly prices: PoolPrices | undefined;
}

/** Of the zones that the catalogue knows; all empty when it knows none. */
export interface Zones {
  readonly allowed: readonly string[];
  readonly excluded: readonly string[];
}
