/** Whether the guard in force in a cluster is that of a policy: by what it makes of a pool. */
import type { Touchable } from "../../cluster/guard/touch.ts";
import { admitBounds, boundedFieldsOf } from "../../guard/admit-bounds.ts";
import type { Bounds } from "../../guard/guard-bounds.ts";
import { sameValue } from "../../krm/same-value.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { splitAtPolicyEnd } from "../../model/policy-end.ts";
import type { Profile } from "../../model/profile.ts";
import type { NodeSelectorRequirement } from "../../model/requirement.ts";
import { BLOCKER } from "../../resolve/resolve-pool.ts";

export interface TouchedPolicy {
  readonly requirements: readonly NodeSelectorRequirement[];
  readonly hasRootVolume: boolean;
  readonly bounds: Bounds;
  readonly profile: Profile;
}

/** Whether what the cluster makes of a pool is what this policy asks for; of what it refuses nobody knows. */
export function carriesAfter({ kind, after }: Touchable, { requirements, bounds, profile }: TouchedPolicy): boolean {
  if (kind.kind !== "NodePool" || "refused" in after) return true;
  const fields = boundedFieldsOf(after);
  const bounded = admitBounds(bounds, fields, profile, fields);
  if ("refused" in bounded || bounded.set.length > 0) return false;
  const { front = [] } = splitAtPolicyEnd(requirementsOf(after));
  const isOfAnother = !isOfAws(after);
  return isOfAnother || sameValue(front, requirements) || sameValue(front, [...requirements, BLOCKER]);
}

function requirementsOf({ spec }: KubeObject): readonly NodeSelectorRequirement[] {
  const { template } = spec as { template?: { spec?: { requirements?: readonly NodeSelectorRequirement[] } } };
  return template?.spec?.requirements ?? [];
}

/** The guard leaves pools of other providers as they are. */
function isOfAws({ spec }: KubeObject): boolean {
  const { template } = spec as { template?: { spec?: { nodeClassRef?: { group?: string } } } };
  return template?.spec?.nodeClassRef?.group === "karpenter.k8s.aws";
}
