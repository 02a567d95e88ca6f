/** What policy and user together mean for one label key: both sides' entries in, the merge and its outcome out. */
import { AWS_LABELS, type KnownLabels, labelPresence } from "./label-presence.ts";
import { admitsAbsence, intersection, isEmpty, type Requirement } from "./requirement.ts";

export interface MergedKey {
  readonly key: string;
  /** The policy's own entries, intersected; undefined when it says nothing of the key. */
  readonly policy: Requirement | undefined;
  /** The user's own entries and template labels, intersected. */
  readonly user: Requirement | undefined;
  readonly effective: Requirement;
  readonly outcome: MergeOutcome;
}

/**
 * `bypassed`: the merge admits what the policy's own entries do not: an instance type or a node without the label.
 * `blocking`: nothing is left on a label that every instance type has, so the pool gets no nodes.
 * `ignored`: the merge admits nodes without a label that the user asked for, or one side's own entries contradict
 * each other on a label that may be absent; Karpenter passes them by, and the policy holds.
 */
type MergeOutcome = "holds" | "bypassed" | "blocking" | "ignored";

/** @param policy, user requirements of this key, at least one in both together */
export function mergeKey(
  key: string,
  policy: readonly Requirement[],
  user: readonly Requirement[],
  known: KnownLabels = AWS_LABELS,
): MergedKey {
  const policySide = intersectAll(policy);
  const userSide = intersectAll(user);
  const effective = intersectAll([...policy, ...user])!;
  const merged = { key, policy: policySide, user: userSide, effective };
  if (labelPresence(key, known) === "always") return { ...merged, outcome: isEmpty(effective) ? "blocking" : "holds" };
  if (losesLabel(policySide, effective)) return { ...merged, outcome: "bypassed" };
  const ignored = losesLabel(userSide, effective) || contradicts(policy) || contradicts(user);
  return { ...merged, outcome: ignored ? "ignored" : "holds" };
}

/** Whether the merge admits what a side by itself does not: instance types and nodes without the label. */
function losesLabel(side: Requirement | undefined, effective: Requirement): boolean {
  return side !== undefined && admitsAbsence(effective) && !admitsAbsence(side);
}

/** Whether entries that each admit something admit nothing together. */
function contradicts(side: readonly Requirement[]): boolean {
  const merged = intersectAll(side);
  return merged !== undefined && isEmpty(merged) && !side.some(isEmpty);
}

function intersectAll(requirements: readonly Requirement[]): Requirement | undefined {
  return requirements.reduce<Requirement | undefined>(
    (merged, next) => (merged === undefined ? next : intersection(merged, next)),
    undefined,
  );
}
