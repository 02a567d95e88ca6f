/** The policy of a hosted cluster on one side of a diff, and the pools that it is for. */
import type { Profile } from "../../../model/profile.ts";
import { type EffectivePolicy, NO_POLICY } from "../../../resolve/policy.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";

export interface PolicySide {
  readonly policy: EffectivePolicy;
  readonly profile: Profile;
  /** Worked out when they are asked for. */
  readonly pools: () => readonly ResolvedPool[];
}

/** Of a hosted cluster that this side does not have. */
export const NO_POLICY_SIDE: PolicySide = { policy: NO_POLICY, profile: "hypershift", pools: () => [] };
