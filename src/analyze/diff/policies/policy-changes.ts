/** The change of the policy of each hosted cluster between two sides. */
import { offeredTypes } from "../../../karpenter/catalogue/reserved-capacity.ts";
import { type FileLine, fileLineOf } from "../../../krm/places/location.ts";
import { sameValue } from "../../../krm/values/canonical.ts";
import { memoizeByObject } from "../../../model/schema/memoize.ts";
import { type EffectivePolicy, POLICY_REQUIREMENTS, POLICY_ROOT_VOLUME } from "../../../resolve/policy.ts";
import type { CatalogueFor } from "../../explain/explain.ts";
import type { ClusterPair, PolicySide } from "../sides.ts";
import { comparePolicies, type PolicyComparison } from "./compare-policies.ts";
import { BUILT_IN_ROOT_VOLUME, type RootVolume } from "../../../model/policy/root-volume.ts";
import type { Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import { identityOf } from "../../../karpenter/catalogue/type-filter.ts";
import { poolUnder, type ResolvedPool } from "../../../resolve/resolve-pool.ts";
import { explainPool } from "../../explain/explain-pool.ts";
import type { PoolExplanation, Verdict } from "../../explain/explanation.ts";
import type { InstanceTypes } from "../../explain/remaining-types.ts";

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

export interface RootVolumeChange {
  /** Decided by encryption only, because sizes and types have no order here. */
  readonly relation: "looser" | "tighter" | "other";
  /** Undefined: the policy has none, and those of users apply. */
  readonly from: RootVolume | undefined;
  readonly to: RootVolume | undefined;
}

/** Undefined if both are the same. */
function compareRootVolumes(from: RootVolume | undefined, to: RootVolume | undefined): RootVolumeChange | undefined {
  if (sameValue(from, to)) return undefined;
  const [old, now] = [lackOfEncryption(from), lackOfEncryption(to)];
  if (old === now) return { relation: "other", from, to };
  return { relation: now > old ? "looser" : "tighter", from, to };
}

/** 0: all volumes are encrypted. 1: encryption depends on the user. 2: none is encrypted. */
function lackOfEncryption(volume: RootVolume | undefined): number {
  if (volume === undefined) return 1;
  return (volume.encrypted ?? BUILT_IN_ROOT_VOLUME.encrypted) ? 0 : 2;
}

export interface TouchedPool {
  readonly name: string;
  readonly verdict: { readonly from: Verdict; readonly to: Verdict };
  /** The number of instance types gained and lost. */
  readonly types: { readonly gained: number; readonly lost: number };
}

/**
 * Pools with a changed verdict, changed instance types, or changed requirements on labels that types do not determine.
 */
function touchedPools(
  pools: readonly ResolvedPool[],
  from: EffectivePolicy,
  to: EffectivePolicy,
  knownTypes: InstanceTypes,
): TouchedPool[] {
  return pools.flatMap((pool) => {
    const [old, now] = [explainPool(poolUnder(pool, from), knownTypes), explainPool(poolUnder(pool, to), knownTypes)];
    const [before, after] = [new Set(old.instanceTypes.names), new Set(now.instanceTypes.names)];
    const types = { gained: after.difference(before).size, lost: before.difference(after).size };
    const same = types.gained === 0 && types.lost === 0 && old.verdict === now.verdict;
    if (same && otherLabels(old, knownTypes.filter.catalogue) === otherLabels(now, knownTypes.filter.catalogue))
      return [];
    return [{ name: pool.name, verdict: { from: old.verdict, to: now.verdict }, types }];
  });
}

/** Requirements on zones, capacity types and custom labels, which an instance type does not determine. */
function otherLabels({ requirements }: PoolExplanation, { labels }: Catalogue): string {
  const asked = requirements.filter(({ key }) => !labels.has(key));
  return asked
    .map(({ effective }) => `${identityOf(effective)}|${String(effective.minValues)}`)
    .toSorted()
    .join("\n");
}
