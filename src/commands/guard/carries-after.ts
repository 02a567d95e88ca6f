/** Whether the guard in force in a cluster enforces a policy, judged by how it changes a pool. */
import type { Touchable, TouchPlan } from "../../cluster/guard/touch.ts";
import { admitBounds, boundedFieldsOf } from "../../guard/admit-bounds.ts";
import { admitRootVolume } from "../../guard/admit-root-volume.ts";
import { type Bounds, hasBounds } from "../../guard/guard-bounds.ts";
import { blockDevicesOf, rootDeviceOf, UNKNOWN_ROOT_HINT } from "../../karpenter/node-class/root-device.ts";
import { sameValue } from "../../krm/values/canonical.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { splitAtPolicyEnd } from "../../model/requirements/policy-end.ts";
import { reservedAnnotations, reservedLabels } from "../../model/requirements/reserved-keys.ts";
import type { Profile } from "../../model/crds/profile.ts";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { frontsOf } from "../../resolve/guarded-list.ts";
import type { DecidedRootVolume } from "../../resolve/root-volume.ts";

export interface TouchedPolicy {
  readonly requirements: readonly NodeSelectorRequirement[];
  /** Karpenter's profile, also of a withdrawn policy. */
  readonly hasRootVolume: boolean;
  /** The root volume that the guard writes into node classes; undefined if it writes none. */
  readonly rootVolume: DecidedRootVolume["value"] | undefined;
  readonly bounds: Bounds;
  readonly profile: Profile;
}

/** Whether the cluster changes an object as this policy does. For an object that it refuses, the answer is unknown. */
export function carriesAfter({ kind, after }: Touchable, policy: TouchedPolicy): boolean {
  if ("refused" in after) return true;
  const { requirements, rootVolume, bounds, profile } = policy;
  if (kind.kind !== "NodePool") return rootVolume === undefined || carriesRootVolume(after, rootVolume);
  const asks = requirements.length > 0 || rootVolume !== undefined || hasBounds(bounds);
  if (asks && hasReservedKeys(after)) return false;
  const fields = boundedFieldsOf(after);
  const bounded = admitBounds(bounds, fields, profile, fields);
  if ("refused" in bounded || bounded.set.length > 0) return false;
  const { front = [] } = splitAtPolicyEnd(requirementsOf(after));
  const isOfAnother = !isOfAws(after);
  return isOfAnother || frontsOf(requirements).some((one) => sameValue(front, one));
}

function carriesRootVolume(after: KubeObject, rootVolume: DecidedRootVolume["value"]): boolean {
  const admitted = admitRootVolume(rootVolume, after, after);
  return "refused" in admitted || sameValue(admitted.stored, blockDevicesOf(after));
}

/**
 * A class with an unknown root device: the guard does not change it, so that Karpenter can still write to it, and it does
 * not carry the policy's root volume.
 */
export function withUnknownRoots(plan: TouchPlan, { rootVolume }: TouchedPolicy): TouchPlan {
  if (rootVolume === undefined) return plan;
  const objects = plan.objects.map((object): Touchable => {
    const { kind, after } = object;
    const found = kind.kind === "NodePool" || "refused" in after ? undefined : rootDeviceOf(after);
    if (found === undefined || !("unknown" in found)) return object;
    const refused = `the root device of its images is unknown: ${found.unknown}; ${UNKNOWN_ROOT_HINT}`;
    return { ...object, after: { refused }, carries: false };
  });
  return { ...plan, objects };
}

/** Only an older guard leaves them, because it does not know these keys. */
function hasReservedKeys({ spec }: KubeObject): boolean {
  const { template } = spec as { template?: { metadata?: { labels?: unknown; annotations?: unknown } } };
  const { labels, annotations } = template?.metadata ?? {};
  return reservedLabels(labels).length > 0 || reservedAnnotations(annotations).length > 0;
}

function requirementsOf({ spec }: KubeObject): readonly NodeSelectorRequirement[] {
  const { template } = spec as { template?: { spec?: { requirements?: readonly NodeSelectorRequirement[] } } };
  return template?.spec?.requirements ?? [];
}

/** The guard does not change pools of other providers. */
function isOfAws({ spec }: KubeObject): boolean {
  const { template } = spec as { template?: { spec?: { nodeClassRef?: { group?: string } } } };
  return template?.spec?.nodeClassRef?.group === "karpenter.k8s.aws";
}
