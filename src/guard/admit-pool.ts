/** Predicts how a guard admits requirements of a NodePool: stored, or refused with a reason. */
import type { KnownLabels } from "../karpenter/requirements/label-presence.ts";
import { mergeKey } from "../karpenter/requirements/merged-key.ts";
import { normalizeKey, type Requirement, requirementOf } from "../karpenter/requirements/requirement.ts";
import { sameValue } from "../krm/values/canonical.ts";
import {
  isForgedAtPolicyEnd,
  POLICY_END,
  POLICY_END_ENTRY,
  splitAtPolicyEnd,
} from "../model/requirements/policy-end.ts";
import { type NodeSelectorRequirement, OWN_SHARE } from "../model/requirements/requirement.ts";
import { frontsOf, hasFewValues, MAX_KEPT, ownCount } from "../resolve/guarded-list.ts";
import { BLOCKER } from "../resolve/guarded-list.ts";

type Entries = readonly NodeSelectorRequirement[];

/** Parts of `spec.template`. */
export interface AskedOfPool {
  readonly requirements: Entries;
  readonly labels: Readonly<Record<string, string>>;
  /** Whether the pool has `replicas`. */
  readonly isStatic?: boolean;
}

export type PoolAdmission =
  | { readonly stored: Entries; readonly blocked: boolean }
  /**
   * `mark`: an entry or label of the mark's key; `front`: unknown entries above the mark; `share`: more entries and
   * labels than a pool may have; `values`: too many or too long values; `bypass`: a bypass on these keys.
   */
  | { readonly refused: "mark" | "front" | "share" | "values" }
  | { readonly refused: "bypass"; readonly keys: readonly string[] };

/**
 * Must match the CEL of the admission policies (pool-variables.ts, guard-node-pools.ts): the suite `test/suites/guard`
 * compares the two on a real API server.
 *
 * @param before the stored parts, on update
 */
export function admitPool(
  policy: Entries,
  asked: AskedOfPool,
  before?: AskedOfPool,
  known?: KnownLabels,
): PoolAdmission {
  const { requirements, labels, isStatic = false } = asked;
  const now = partsOf(requirements);
  const old = before && partsOf(before.requirements);
  const isUnchanged = sameValue(requirements, before?.requirements) && sameValue(labels, before?.labels);
  const isAsBefore = old !== undefined && sameValue(now.own, old.own) && sameValue(labels, before?.labels);
  const isLabelled = POLICY_END in labels;
  if ((now.isForged && !isUnchanged) || (isLabelled && !isAsBefore)) return { refused: "mark" };
  const { front, own } = now;
  const isPresent = frontsOf(policy).some((one) => sameValue(front, one));
  const isOld = old?.front !== undefined && sameValue(front, old.front);
  if (front !== undefined && !isPresent && !isOld) return { refused: "front" };
  if (policy.length === 0) return { stored: own, blocked: isLabelled };
  const isSmall = hasFewValues(own, labels);
  const most = Math.max(OWN_SHARE, old === undefined ? 0 : ownCount(old.own, before!.labels));
  if (ownCount(own, labels) > most) return { refused: "share" };
  if (!isSmall && !isAsBefore) return { refused: "values" };
  const keys = isSmall ? bypassedKeys(policy, { requirements: own, labels, isStatic }, known) : [];
  if (keys.length > 0 && !isAsBefore) return { refused: "bypass", keys };
  if (own.length + policy.length > MAX_KEPT)
    return { stored: [BLOCKER, POLICY_END_ENTRY, ...own.slice(0, MAX_KEPT)], blocked: true };
  const blocked = keys.length > 0 || isLabelled || !isSmall;
  return { stored: [...policy, ...(blocked ? [BLOCKER] : []), POLICY_END_ENTRY, ...own], blocked };
}

/** In a list with a forged mark from before the guard, all other entries are the author's. */
function partsOf(requirements: Entries) {
  const isForged = isForgedAtPolicyEnd(requirements);
  if (!isForged) return { isForged, ...splitAtPolicyEnd(requirements) };
  return { isForged, front: undefined, own: requirements.filter(({ key }) => key !== POLICY_END) };
}

/** The label keys on which a pool's own part bypasses the policy. */
function bypassedKeys(policy: Entries, { requirements, labels, isStatic }: AskedOfPool, known?: KnownLabels): string[] {
  const ofPolicy = byKey(policy);
  const ofPool = byKey(requirements);
  const values = new Map(Object.entries(labels).map(([key, value]) => [normalizeKey(key), value]));
  return [...ofPolicy].flatMap(([key, entries]) => {
    const sides = { policy: entries, user: ofPool.get(key) ?? [], label: values.get(key), isStatic };
    return mergeKey(key, sides, known).outcome === "bypassed" ? [key] : [];
  });
}

function byKey(entries: Entries): ReadonlyMap<string, Requirement[]> {
  return Map.groupBy(entries.map(requirementOf), ({ key }) => key);
}
