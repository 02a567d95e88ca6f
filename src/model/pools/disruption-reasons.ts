/** Karpenter's reasons for disruption by profile, and the default budgets of a pool. */
import type { Profile } from "../crds/profile.ts";

interface Reason {
  /**
   * Karpenter tries them in this order, and stops at the first one with something to do
   * (docs/upstream/karpenter.md#budgets).
   */
  readonly turn: number;
  /** The first profile that has it; all of them when left out. */
  readonly only?: readonly Profile[];
  /** Nodes that are not ready use up its budgets; node repair ignores those, because it acts on them. */
  readonly waitsForReady: boolean;
  /**
   * A Hard limit on nodes holds it back: the new node comes before the old one goes
   * (docs/design.md#limits-and-disruption).
   */
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

/** The reasons that a budget may name. */
export function disruptionReasons(profile: Profile): DisruptionReason[] {
  return NAMES.filter((reason) => factsOf(reason).only?.includes(profile) ?? true);
}

/** The same in the order in which Karpenter tries them. */
export function reasonsInTurn(profile: Profile): DisruptionReason[] {
  return inTurn(disruptionReasons(profile));
}

function inTurn(reasons: readonly DisruptionReason[]): DisruptionReason[] {
  return reasons.toSorted((a, b) => factsOf(a).turn - factsOf(b).turn);
}

/** Whether nodes that are not ready use up budgets for this reason. */
export function waitsForReady(reason: DisruptionReason): boolean {
  return factsOf(reason).waitsForReady;
}

/**
 * The reasons that a Hard limit on nodes holds back; watch recognises a budget that it wrote by this list and its
 * order.
 */
export const REPLACING_REASONS = inTurn(NAMES).filter((reason) => factsOf(reason).withinHardLimit);

/** The default of a budget's `nodes`. */
export const DEFAULT_BUDGET_NODES = "10%";

/**
 * The budgets of a pool without any, in every profile. An empty list is not the same: it holds nothing back
 * (docs/upstream/karpenter.md#budgets).
 */
export const DEFAULT_BUDGETS = [{ nodes: DEFAULT_BUDGET_NODES }] as const;
