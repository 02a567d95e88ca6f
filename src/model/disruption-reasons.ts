/** What Karpenter disrupts nodes for, by profile, and the budgets of a pool that names none. */
import type { Profile } from "./profile.ts";

interface Reason {
  /** Karpenter tries them in this order, and the first that finds something to do wins (docs/upstream/karpenter.md#budgets). */
  readonly turn: number;
  /** Of the profile from which on it is one; all of them when left out. */
  readonly only?: readonly Profile[];
  /** Nodes that are not ready use up its budgets; repair does not wait for those, they are what it is for. */
  readonly waitsForReady: boolean;
  /** A Hard limit on nodes holds it back: the new node comes before the old one goes (docs/design.md#limits-and-disruption). */
  readonly withinHardLimit: boolean;
}

/** In the order of Karpenter's CRD. */
const REASONS = {
  Underutilized: { turn: 4, waitsForReady: true, withinHardLimit: true },
  Empty: { turn: 2, waitsForReady: true, withinHardLimit: false },
  Drifted: { turn: 3, waitsForReady: true, withinHardLimit: true },
  Unhealthy: { turn: 1, only: ["karpenter-1.15"], waitsForReady: false, withinHardLimit: false },
} as const satisfies Readonly<Record<string, Reason>>;

export type DisruptionReason = keyof typeof REASONS;

const NAMES = Object.keys(REASONS) as DisruptionReason[];

function factsOf(reason: DisruptionReason): Reason {
  return REASONS[reason];
}

/** Those that a budget may be for. */
export function disruptionReasons(profile: Profile): DisruptionReason[] {
  return NAMES.filter((reason) => factsOf(reason).only?.includes(profile) ?? true);
}

/** The same as Karpenter tries them. */
export function reasonsInTurn(profile: Profile): DisruptionReason[] {
  return inTurn(disruptionReasons(profile));
}

function inTurn(reasons: readonly DisruptionReason[]): DisruptionReason[] {
  return reasons.toSorted((a, b) => factsOf(a).turn - factsOf(b).turn);
}

/** Whether nodes that are not ready use up what budgets let go for this reason. */
export function waitsForReady(reason: DisruptionReason): boolean {
  return factsOf(reason).waitsForReady;
}

/** Those that a Hard limit on nodes holds back; watch finds a budget that it wrote by this list and its order. */
export const REPLACING_REASONS = inTurn(NAMES).filter((reason) => factsOf(reason).withinHardLimit);

/** How many nodes a budget is of that does not say. */
export const DEFAULT_BUDGET_NODES = "10%";

/** What a pool without budgets gets, in every profile; an empty list is a list, and holds nothing back (docs/upstream/karpenter.md#budgets). */
export const DEFAULT_BUDGETS = [{ nodes: DEFAULT_BUDGET_NODES }] as const;
