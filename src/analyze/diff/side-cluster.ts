/** A hosted cluster on each side of a diff. */
import type { Profile } from "../../model/profile.ts";
import { type EffectivePolicy, NO_POLICY } from "../../resolve/policy.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Settings } from "../../resolve/settings.ts";
import type { SideObject } from "./side-object.ts";

export interface SideCluster {
  readonly hostedCluster: string | undefined;
  readonly objects: readonly SideObject[];
  /** Objects, such as `NodePool/web`, that this side could not render; `all` if it could render nothing. */
  readonly unsure: ReadonlySet<string> | "all";
  /** Undefined if this side has no policies, or they cannot be read. */
  readonly policySide?: PolicySide | undefined;
  /** The settings, if this side has the wrappers of the hosted cluster. */
  readonly settings?: Settings | undefined;
}

/** The policy of a hosted cluster, with the pools it applies to. */
export interface PolicySide {
  readonly policy: EffectivePolicy;
  readonly profile: Profile;
  /** Computed on demand. */
  readonly pools: () => readonly ResolvedPool[];
}

/** A hosted cluster on both sides. If a side lacks it, the side is empty. */
export interface ClusterPair {
  /** Present if several hosted clusters are compared. */
  readonly hostedCluster: string | undefined;
  readonly old: SideCluster;
  readonly now: SideCluster;
}

/** Undefined if the clusters cannot be matched. */
export function pairsOf(from: readonly SideCluster[], to: readonly SideCluster[]): ClusterPair[] | undefined {
  // A single cluster on each side is matched even if the names differ: an output folder has none.
  if (from.length < 2 && to.length < 2)
    return [{ hostedCluster: undefined, old: from[0] ?? NOTHING, now: to[0] ?? NOTHING }];
  if ([...from, ...to].some(({ hostedCluster }) => hostedCluster === undefined)) return undefined;
  const names = [...new Set([...from, ...to].flatMap(({ hostedCluster }) => hostedCluster ?? []))].toSorted();
  const [before, after] = [from, to].map((side) => new Map(side.map((one) => [one.hostedCluster, one])));
  return names.map((name) => ({
    hostedCluster: names.length > 1 ? name : undefined,
    old: before?.get(name) ?? NOTHING,
    now: after?.get(name) ?? NOTHING,
  }));
}

const NOTHING: SideCluster = {
  hostedCluster: undefined,
  objects: [],
  unsure: new Set(),
  policySide: { policy: NO_POLICY, profile: "hypershift", pools: () => [] },
};
