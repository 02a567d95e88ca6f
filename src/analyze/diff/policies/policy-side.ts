/** The policy of a hosted cluster on one side of a diff, with the pools it applies to. */
import type { Profile } from "../../../model/profile.ts";
import { type EffectivePolicy, NO_POLICY } from "../../../resolve/policy.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";

export interface PolicySide {
  readonly policy: EffectivePolicy;
  readonly profile: Profile;
  /** Computed on demand. */
  readonly pools: () => readonly ResolvedPool[];
}

/** For a hosted cluster that this side lacks. */
export const NO_POLICY_SIDE: PolicySide = { policy: NO_POLICY, profile: "hypershift", pools: () => [] };
