/** What policy and user together mean for one label key. */
import { AWS_LABELS, type KnownLabels, type LabelPresence, labelPresence } from "./label-presence.ts";
import { type Misfit, misfitOf, nodeLabel } from "./node-label.ts";
import { admitsAbsence, intersection, isEmpty, type Requirement, requirementOf } from "./requirement.ts";

export interface KeySides {
  readonly policy: readonly Requirement[];
  /** The user's own entries. */
  readonly user: readonly Requirement[];
  /** The value of the template label: it counts as `In [value]` as well. */
  readonly label?: string | undefined;
}

export interface MergedKey {
  readonly key: string;
  /** Of the label, among the instance types of the pool's provider. */
  readonly presence: LabelPresence;
  /** The policy's own entries, intersected; undefined when it says nothing of the key. */
  readonly policy: Requirement | undefined;
  /** The user's own entries and template labels, intersected. */
  readonly user: Requirement | undefined;
  readonly effective: Requirement;
  readonly outcome: MergeOutcome;
  /** For `bypassed`, where nodes get a label that the policy does not admit; for `drifts`, that the pool does not. */
  readonly misfit: Misfit | undefined;
}

/**
 * `bypassed`: nodes come that the policy's own entries do not admit: of an instance type or with a label that it does
 * not, or without the label.
 * `blocking`: nothing is left on a label that every instance type has, so the pool gets no nodes.
 * `drifts`: the policy holds, or is itself what lets such nodes come, and nodes get a label that the entries of both do
 * not admit: they drift as soon as they are up.
 * `ignored`: the merge admits nodes without a label that the user asked for, or one side's own entries contradict
 * each other on a label that may be absent; Karpenter passes them by, and the policy holds.
 */
type MergeOutcome = "holds" | "bypassed" | "blocking" | "drifts" | "ignored";

/** @param sides of this key, at least one requirement in all together */
export function mergeKey(key: string, { policy, user, label }: KeySides, known: KnownLabels = AWS_LABELS): MergedKey {
  const labels = label === undefined ? [] : [requirementOf({ key, operator: "In", values: [label] })];
  const policySide = intersectAll(policy);
  const userSide = intersectAll([...user, ...labels]);
  const effective = intersectAll([...policy, ...user, ...labels])!;
  const presence = labelPresence(key, known);
  const merged = { key, presence, policy: policySide, user: userSide, effective, misfit: undefined };
  if (presence === "always") return { ...merged, outcome: isEmpty(effective) ? "blocking" : "holds" };
  const onNodes = nodeLabel(effective, label, known);
  const escape = policySide && misfitOf(onNodes, policySide);
  const ofPolicyAlone =
    onNodes.from !== "template" && policySide !== undefined && policyMisfit(policySide, known, SHOWS_ITSELF);
  if (escape && !ofPolicyAlone) return { ...merged, outcome: "bypassed", misfit: escape };
  // A template label stands for the node; what an instance type lacks it does not replace.
  const mayLack = onNodes.from !== "template" || presence === "optional";
  if (mayLack && losesLabel(policySide, effective)) return { ...merged, outcome: "bypassed" };
  // Drift compares with the entries alone (`areRequirementsDrifted` in pkg/controllers/nodeclaim/disruption/drift.go).
  const entries = intersectAll([...policy, ...user]);
  const drift = entries && misfitOf(onNodes, entries);
  if (drift) return { ...merged, outcome: "drifts", misfit: drift };
  const ignored = losesLabel(userSide, effective) || contradicts(policy) || contradicts([...user, ...labels]);
  return { ...merged, outcome: ignored ? "ignored" : "holds" };
}

/** A label that the policy's own entries make nodes get and do not admit: no wrapper has a part in it. */
export function policyMisfit(policy: Requirement, known: KnownLabels = AWS_LABELS, nodes?: bigint): Misfit | undefined {
  return misfitOf(nodeLabel(policy, undefined, known), policy, nodes);
}

/** A rarer slip of the policy is no excuse for a wrapper that makes it come often. */
export const SHOWS_ITSELF = 100n;

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
