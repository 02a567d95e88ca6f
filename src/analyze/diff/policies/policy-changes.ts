/** The change of the policy of each hosted cluster between two sides. */
import { offeredTypes } from "../../../karpenter/catalogue/reserved-capacity.ts";
import { type FileLine, fileLineOf } from "../../../krm/location.ts";
import { sameValue } from "../../../krm/canonical.ts";
import { memoizeByObject } from "../../../model/memoize.ts";
import { type EffectivePolicy, POLICY_REQUIREMENTS, POLICY_ROOT_VOLUME } from "../../../resolve/policy.ts";
import type { CatalogueFor } from "../../explain/explain.ts";
import type { ClusterPair, PolicySide } from "../side-cluster.ts";
import { comparePolicies, type PolicyComparison } from "./compare-policies.ts";
import { compareRootVolumes, type RootVolumeChange } from "./compare-root-volumes.ts";
import { type TouchedPool, touchedPools } from "./touched-pools.ts";

export interface PolicyChange extends PolicyComparison {
  /** Present if several hosted clusters are compared. */
  readonly hostedCluster: string | undefined;
  readonly action: "added" | "removed" | "changed";
  /** Undefined if unchanged. */
  readonly rootVolume: RootVolumeChange | undefined;
  /** The pools of the new side. */
  readonly pools: readonly TouchedPool[];
  /** When the figures of the catalogue were taken. */
  readonly catalogueDate: string;
  /** On the new side, or on the old one if the policy was removed. */
  readonly place: FileLine | undefined;
}

/**
 * A side without policies, such as a live cluster or an earlier output, is not compared.
 *
 * @param catalogueFor called only if a policy differs
 */
export function policyChanges(pairs: readonly ClusterPair[], catalogueFor: CatalogueFor): PolicyChange[] {
  const types = memoizeByObject(offeredTypes);
  return pairs.flatMap(({ hostedCluster, old: { policySide: old }, now }) => {
    const { policySide: made } = now;
    if (old === undefined || made === undefined || isSame(old.policy, made.policy)) return [];
    const knownTypes = { filter: types(catalogueFor(now.settings)), profile: made.profile };
    return [
      {
        hostedCluster,
        action: actionOf(old, made),
        ...comparePolicies(old.policy, made.policy, knownTypes),
        rootVolume: compareRootVolumes(old.policy.rootVolume, made.policy.rootVolume),
        pools: touchedPools(made.pools(), old.policy, made.policy, knownTypes),
        catalogueDate: knownTypes.filter.catalogue.date,
        place: placeOf(old.policy, made.policy),
      },
    ];
  });
}

/** Whether the change admits nodes that the old policy excluded, which `--fail-on-looser` reports. */
export function isLooser({ action, relation, rootVolume }: PolicyChange): boolean {
  if (action === "removed" || rootVolume?.relation === "looser") return true;
  return relation === "looser" || relation === "incomparable" || relation === "disjoint";
}

/** Whether the policies differ in meaning, and not only in spelling. */
export function isDifference({ action, relation, rootVolume }: PolicyChange): boolean {
  return action !== "changed" || relation !== "equivalent" || rootVolume !== undefined;
}

function isSame(old: EffectivePolicy, now: EffectivePolicy): boolean {
  const there = (old.resource === undefined) === (now.resource === undefined);
  return there && sameValue(old.requirements, now.requirements) && sameValue(old.rootVolume, now.rootVolume);
}

function actionOf({ policy: old }: PolicySide, { policy: now }: PolicySide): PolicyChange["action"] {
  if (old.resource === undefined) return "added";
  return now.resource === undefined ? "removed" : "changed";
}

function placeOf(old: EffectivePolicy, now: EffectivePolicy): FileLine | undefined {
  const policy = now.resource === undefined ? old : now;
  if (policy.resource === undefined) return undefined;
  const path = sameValue(old.requirements, now.requirements) ? POLICY_ROOT_VOLUME : POLICY_REQUIREMENTS;
  return fileLineOf(policy.resource, path);
}
