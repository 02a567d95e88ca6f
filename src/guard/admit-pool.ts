/** What a guard makes of the list of a NodePool: what is stored, or why it is refused. */
import { type KnownLabels, labelPresence } from "../karpenter/requirements/label-presence.ts";
import { mergeKey } from "../karpenter/requirements/merged-key.ts";
import { normalizeKey, type Requirement, requirementOf } from "../karpenter/requirements/requirement.ts";
import { sameValue } from "../krm/same-value.ts";
import { POLICY_END, POLICY_END_ENTRY, splitAtPolicyEnd } from "../model/policy-end.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { MAX_VALUES } from "./guarded-key.ts";
import { BLOCKER } from "../resolve/resolve-pool.ts";

type Entries = readonly NodeSelectorRequirement[];

/** Of `spec.template`. */
export interface AskedOfPool {
  readonly requirements: Entries;
  readonly labels: Readonly<Record<string, string>>;
}

export type PoolAdmission =
  | { readonly stored: Entries; readonly blocked: boolean }
  /** `mark`: an entry or label of the mark's key; `front`: what stands above the mark is nobody's; `bypass`: on these keys. */
  | { readonly refused: "mark" | "front" }
  | { readonly refused: "bypass"; readonly keys: readonly string[] };

/**
 * The same as the admission policies say in CEL (pool-variables.ts, guard-node-pools.ts): the suite
 * `test/suites/guard` compares the two on a real API server.
 *
 * @param before what is stored, where it is not made anew
 */
export function admitPool(
  policy: Entries,
  asked: AskedOfPool,
  before?: AskedOfPool,
  known?: KnownLabels,
): PoolAdmission {
  const { requirements, labels } = asked;
  const now = partsOf(requirements);
  const old = before && partsOf(before.requirements);
  const isUnchanged = sameValue(requirements, before?.requirements) && sameValue(labels, before?.labels);
  const isAsBefore = old !== undefined && sameValue(now.own, old.own) && sameValue(labels, before?.labels);
  const isLabelled = POLICY_END in labels;
  if ((now.isForged && !isUnchanged) || (isLabelled && !isAsBefore)) return { refused: "mark" };
  const { front, own } = now;
  const isPresent = sameValue(front, policy) || sameValue(front, [...policy, BLOCKER]);
  const isOld = old?.front !== undefined && sameValue(front, old.front);
  if (front !== undefined && !isPresent && !isOld) return { refused: "front" };
  const keys = bypassedKeys(policy, { requirements: own, labels }, known);
  if (keys.length > 0 && !isAsBefore) return { refused: "bypass", keys };
  const blocked = keys.length > 0 || isLabelled;
  if (policy.length === 0) return { stored: own, blocked };
  return { stored: [...policy, ...(blocked ? [BLOCKER] : []), POLICY_END_ENTRY, ...own], blocked };
}

/** Of a list that was forged before there was a guard, all but what has the mark's key is the author's. */
function partsOf(requirements: Entries) {
  const marks = requirements.filter(({ key }) => key === POLICY_END);
  const isForged = marks.length > 1 || marks.some((mark) => !sameValue(mark, POLICY_END_ENTRY));
  if (!isForged) return { isForged, ...splitAtPolicyEnd(requirements) };
  return { isForged, front: undefined, own: requirements.filter(({ key }) => key !== POLICY_END) };
}

/** The label keys on which a pool's own part gets round the policy. */
function bypassedKeys(policy: Entries, { requirements, labels }: AskedOfPool, known?: KnownLabels): string[] {
  const ofPolicy = byKey(policy);
  const ofPool = byKey(requirements);
  const values = new Map(Object.entries(labels).map(([key, value]) => [normalizeKey(key), value]));
  return [...ofPolicy].flatMap(([key, entries]) => {
    const sides = { policy: entries, user: ofPool.get(key) ?? [], label: values.get(key) };
    return isTooLong(key, requirements, known) || mergeKey(key, sides, known).outcome === "bypassed" ? [key] : [];
  });
}

function isTooLong(key: string, own: Entries, known?: KnownLabels): boolean {
  const count = own.reduce((sum, entry) => sum + (entry.key === key ? (entry.values?.length ?? 0) : 0), 0);
  return count > MAX_VALUES && labelPresence(key, known) !== "always";
}

function byKey(entries: Entries): ReadonlyMap<string, Requirement[]> {
  return Map.groupBy(entries.map(requirementOf), ({ key }) => key);
}
