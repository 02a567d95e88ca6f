/** Merges the requirements of policy and user on one label key and decides the outcome. */
import { AWS_LABELS, type KnownLabels, type LabelPresence, labelPresence } from "./label-presence.ts";
import { type Misfit, misfitOf, nodeLabel, type NodeOrigin } from "./node-label.ts";
import { admitsAbsence, asWritten, intersection, isEmpty, type Requirement, requirementOf } from "./requirement.ts";
import type { Requirements } from "./requirements.ts";

export interface KeySides extends Pick<NodeOrigin, "isStatic" | "ofClass"> {
  readonly policy: readonly Requirement[];
  /** The user's own entries. */
  readonly user: readonly Requirement[];
  /** The value of the template label, which also counts as `In [value]`. */
  readonly label?: string | undefined;
}

export interface MergedKey {
  readonly key: string;
  /** Presence of the label on instance types of the pool's provider. */
  readonly presence: LabelPresence;
  /** The policy's entries, intersected; undefined if it has none on the key. */
  readonly policy: Requirement | undefined;
  /** The user's entries and template labels, intersected. */
  readonly user: Requirement | undefined;
  readonly effective: Requirement;
  readonly outcome: MergeOutcome;
  /** For `bypassed`: the label that the policy does not admit. For `drifts`: the label that the pool does not admit. */
  readonly misfit: Misfit | undefined;
}

/**
 * `bypassed`: Karpenter launches nodes that the policy's entries do not admit: by instance type, by label value,
 * or without the label.
 * `blocking`: no value is left for a label that every instance type has, so the pool gets no nodes.
 * `drifts`: the policy holds, or causes the misfit itself, and nodes get a label value that the merged entries do
 * not admit: they drift as soon as they are registered.
 * `ignored`: the merge admits nodes without a label that the user requires, or the entries of one side contradict
 * each other on a label that may be absent. Karpenter ignores them, and the policy holds.
 * `undecided`: no value is left for a label of which it is unknown whether every instance type has it: the outcome is
 * `blocking` or `ignored`.
 */
type MergeOutcome = "holds" | "bypassed" | "blocking" | "drifts" | "ignored" | "undecided";

/** @param sides of this key, with at least one requirement in total */
export function mergeKey(key: string, sides: KeySides, known: KnownLabels = AWS_LABELS): MergedKey {
  const { policy, user, label, isStatic = false, ofClass } = sides;
  const labels = label === undefined ? [] : [requirementOf({ key, operator: "In", values: [label] })];
  const policySide = intersectAll(policy);
  const userSide = intersectAll([...user, ...labels]);
  const effective = intersectAll([...policy, ...user, ...labels])!;
  const presence = labelPresence(key, known);
  const merged = { key, presence, policy: policySide, user: userSide, effective, misfit: undefined };
  if (presence === "always" && isEmpty(effective)) return { ...merged, outcome: "blocking" };
  const leavesNothing = isEmpty(effective) && ![...policy, ...user, ...labels].every(isEmpty);
  if (presence === "unknown" && leavesNothing) return { ...merged, outcome: "undecided" };
  const onNodes = nodeLabel(effective, { template: label, isStatic, ofClass }, known);
  const bypass = policySide && misfitOf(onNodes, policySide);
  const mayBeItsOwn = presence === "custom" && onNodes.from !== "template" && policySide !== undefined;
  const ofPolicyAlone = mayBeItsOwn && policyMisfit(policySide, known, { nodes: SHOWS_ITSELF });
  if (bypass && !ofPolicyAlone) return { ...merged, outcome: "bypassed", misfit: bypass };
  const launched = isStatic ? asWritten(effective) : effective;
  if (losesLabel(policySide, mayLack())) return { ...merged, outcome: "bypassed" };
  // Drift compares with the entries alone (`areRequirementsDrifted` in pkg/controllers/nodeclaim/disruption/drift.go).
  const entries = intersectAll([...policy, ...user]);
  const drift = entries && misfitOf(onNodes, entries);
  if (drift) return { ...merged, outcome: "drifts", misfit: drift };
  const isDropped = presence !== "always" && losesLabel(userSide, admitsAbsence(launched));
  const ignored = isDropped || contradicts(policy) || contradicts([...user, ...labels]);
  return { ...merged, outcome: ignored ? "ignored" : "holds" };

  function mayLack(): boolean {
    if (presence === "always") return false;
    if (presence === "class") return ofClass === undefined || isEmpty(ofClass);
    // A template label sets the label of the node, but an instance type that lacks it still does not match.
    return (presence !== "custom" || onNodes.from !== "template") && admitsAbsence(launched);
  }
}

/** A label value that the policy's own entries cause and do not admit, independent of any pool. */
export function policyMisfit(
  policy: Requirement,
  known: KnownLabels = AWS_LABELS,
  { nodes, ofClass }: { readonly nodes?: bigint } & Pick<NodeOrigin, "ofClass"> = {},
): Misfit | undefined {
  const presence = labelPresence(policy.key, known);
  const lacks = (presence === "class" && !admitsAbsence(policy)) || (presence === "offering" && asksForAny(policy));
  if (lacks) return { value: undefined, always: presence === "class", label: { from: "list", values: [undefined] } };
  return misfitOf(nodeLabel(policy, { ofClass }, known), policy, nodes);
}

/**
 * A pod's `NotIn` merges with it to a requirement that capacity without the label also meets. Requirements that list
 * or exclude values do not have this problem (docs/upstream/karpenter.md#labels-of-offerings-and-classes).
 */
function asksForAny({ complement, values, gte, lte }: Requirement): boolean {
  return complement && values.size === 0 && gte === undefined && lte === undefined;
}

/**
 * As `policyMisfit`, with the policy's other keys: if it admits only reserved capacity, every node is in a
 * reservation.
 */
export function misfitOfPolicy(
  policy: Requirement,
  all: Requirements,
  known: KnownLabels = AWS_LABELS,
  of: Pick<NodeOrigin, "ofClass"> = {},
): Misfit | undefined {
  const capacity = all.get("karpenter.sh/capacity-type");
  const isReserved = capacity?.complement === false && [...capacity.values].every((value) => value === "reserved");
  return isReserved && labelPresence(policy.key, known) === "offering" ? undefined : policyMisfit(policy, known, of);
}

/** A rare misfit of the policy does not excuse a wrapper that makes it frequent. */
export const SHOWS_ITSELF = 100n;

/** Whether nodes lack the label although one side requires it. */
function losesLabel(side: Requirement | undefined, mayLack: boolean): boolean {
  return side !== undefined && mayLack && !admitsAbsence(side);
}

/** Whether entries that are each satisfiable contradict each other. */
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
