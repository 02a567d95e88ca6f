/** The explanation of a pool: verdict, label keys, remaining instance types, conflicts. */
import type { FindingCode } from "../../krm/findings/finding-codes.ts";
import type { NoNodes } from "../../karpenter/scheduling/no-nodes.ts";
import type { Requirement } from "../../karpenter/requirements/requirement.ts";
import type { Place } from "../../resolve/origin.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import type { PlacedNoNodes, ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { DescribedKey, DescribedLimit, DescribedPool } from "./pool-answer.ts";
import type { PoolPrices } from "./pool-prices.ts";
import type { Remaining } from "./remaining-types.ts";

/**
 * The first that applies. `unsatisfiable`: no node ever. `bypassed`: nodes outside the policy. `narrowed`: less than
 * the user asked for, nodes without a requested label, or nodes that drift. `unknown`: the instance types of the
 * provider are unknown, or something that decides was not read, which even comes before `narrowed`. `ok`: as asked.
 */
export type Verdict = DescribedPool["verdict"];

/**
 * `ignored`: Karpenter ignores the entries and launches nodes without the label; the policy is not bypassed. `drifts`:
 * nodes get a label that the entries do not admit, and drift as soon as they are initialized. `foreign`: the label
 * belongs to another provider, so the entries select nothing.
 */
export type KeyOutcome = DescribedKey["outcome"];

/** A pool with any of these is unsatisfiable. `anp check` or rendering reports a finding with the same code. */
export type Obstacle =
  | Extract<FindingCode, "requirements-conflict" | "pool-unsatisfiable" | "min-values-unreachable">
  | NoNodes["code"];

export interface KeyExplanation {
  readonly key: string;
  /** In the order of the pool's demands. */
  readonly policy: readonly PoolRequirement[];
  readonly user: readonly PoolRequirement[];
  readonly effective: Requirement;
  readonly outcome: KeyOutcome;
}

export interface Elimination {
  readonly demand: PoolRequirement;
  /** The number of instance types that this demand excludes. */
  readonly types: number;
  /** The number of those that no other demand excludes. */
  readonly only: number;
}

/** A part of a pool or of its node class that a placeholder decides, with its place. */
export interface UnknownPart {
  readonly place: Place;
  readonly placeholder: string;
  readonly from: "user" | "class";
}

export interface PoolExplanation {
  readonly pool: ResolvedPool;
  /** All demands, in the order in which Karpenter gets them. */
  readonly demands: readonly PoolRequirement[];
  readonly verdict: Verdict;
  /** The parts that the verdict depends on and whose value is unknown. */
  readonly unknown: readonly UnknownPart[];
  /** Empty unless unsatisfiable. */
  readonly obstacles: readonly Obstacle[];
  readonly requirements: readonly KeyExplanation[];
  readonly instanceTypes: { readonly total: number; readonly names: readonly string[] };
  /** The demands that exclude types, those that exclude most first. Computed on demand. */
  readonly eliminated: () => readonly Elimination[];
  /** The smallest set of demands that together leave no node; empty unless unsatisfiable. */
  readonly conflict: readonly PoolRequirement[];
  /** Further conflicts among the other demands. Computed on demand. */
  readonly otherConflicts: () => readonly (readonly PoolRequirement[])[];
  /** What all demands leave together. */
  readonly remaining: Remaining;
  /** The reasons for no nodes that do not depend on instance types. */
  readonly noNodes: readonly PlacedNoNodes[];
  /** Kubelet expressions of the node class that anp does not read, and that may keep nodes away. */
  readonly unread: readonly string[];
  /** Empty for a pool without limits, and for one that a limit pauses. */
  readonly limits: () => readonly DescribedLimit[];
  readonly zones: Zones;
  readonly prices: PoolPrices | undefined;
}

/** Zones of the catalogue; both lists are empty if it has none. */
export interface Zones {
  readonly allowed: readonly string[];
  readonly excluded: readonly string[];
}
