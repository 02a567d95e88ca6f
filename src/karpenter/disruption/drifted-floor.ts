/** A floor for what disruption budgets let go of drifted nodes, and budgets that keep it. */
import {
  DEFAULT_BUDGET_NODES,
  DEFAULT_BUDGETS,
  type DisruptionReason,
  disruptionReasons,
} from "../../model/disruption-reasons.ts";
import { parseGoMilliseconds } from "../../model/go-duration.ts";
import type { Profile } from "../../model/profile.ts";
import { budgetNodes } from "./budget-nodes.ts";
import { budgetWindow } from "./budget-window.ts";
import type { Budget } from "./disruption-budget.ts";

export const DRIFTED = "Drifted" satisfies DisruptionReason;

/** Of Karpenter's CRD (docs/upstream/karpenter.md#crds). */
export const MOST_BUDGETS = 50;

export interface FlooredBudgets {
  readonly budgets: readonly FlooredBudget[];
  /** Those that held Drifted below the floor. */
  readonly raised: readonly RaisedBudget[];
  /** No budget is left to say the floor with: of those that are raised none is for Drifted any more. */
  readonly full: boolean;
}

interface FlooredBudget {
  readonly budget: Budget;
  /** Which one of the pool's it was; undefined for the floor's own. */
  readonly from: number | undefined;
}

export interface RaisedBudget {
  readonly index: number;
  /** What it is for as before. */
  readonly keeps: readonly string[];
  /** Why Karpenter cannot read it, and would let no node go for any reason. */
  readonly unreadable: string | undefined;
}

type When = Pick<Budget, "schedule" | "duration">;

/**
 * Whether a budget lets less go than the floor in a pool of any size. More than all nodes nobody can let go, so that a
 * floor of 2 asks for 1 of a single node.
 */
export function isBelowFloor(nodes: string, floor: string): boolean {
  // A percentage passes every number once the pool is large enough.
  if (floor.endsWith("%")) return !nodes.endsWith("%") || percentOf(nodes) < percentOf(floor);
  const wanted = Number(floor);
  const least = budgetNodes(nodes, wanted);
  return typeof least === "string" || least < wanted;
}

function percentOf(text: string): number {
  return Number(text.slice(0, -1));
}

/**
 * The budgets with each that holds Drifted below the floor split: it stays for its other reasons, and Drifted gets the
 * floor at the same times (docs/decisions/0021-a-floor-under-the-drifted-budget.md). Undefined where none does, and
 * where Karpenter could not read the pool at all.
 */
export function withDriftedFloor(
  given: readonly Budget[] = DEFAULT_BUDGETS,
  floor: string,
  profile: Profile,
): FlooredBudgets | undefined {
  if (given.some(({ duration }) => duration !== undefined && parseGoMilliseconds(duration) === undefined))
    return undefined;
  const others = disruptionReasons(profile).filter((reason) => reason !== DRIFTED);
  const parts = given.map((budget) => splitOf(budget, floor, others));
  const raised = parts.flatMap((part, index) =>
    part === undefined ? [] : [{ index, keeps: part.keeps, unreadable: part.unreadable }],
  );
  if (raised.length === 0) return undefined;
  const seen = new Set<string>();
  const kept = given.flatMap((budget, from): FlooredBudget[] => {
    const part = parts[from];
    if (part === undefined) return [{ budget, from }];
    const text = JSON.stringify(part.rest);
    if (part.keeps.length === 0 || seen.has(text)) return [];
    seen.add(text);
    return [{ budget: part.rest, from }];
  });
  const own = floorsOf(
    parts.flatMap((part) => part?.when ?? []),
    floor,
    MOST_BUDGETS - kept.length,
  );
  return {
    budgets: [...kept, ...own.map((budget) => ({ budget, from: undefined }))],
    raised,
    full: own.length === 0,
  };
}

interface Split {
  /** Without Drifted. */
  readonly rest: Budget;
  readonly keeps: readonly string[];
  readonly when: When;
  readonly unreadable: string | undefined;
}

/** Undefined for a budget that may stay. One that cannot be read stops every reason, whatever it is for. */
function splitOf(budget: Budget, floor: string, others: readonly string[]): Split | undefined {
  const { nodes = DEFAULT_BUDGET_NODES, reasons, ...when } = budget;
  const window = budgetWindow(budget);
  if ("error" in window)
    return { rest: { nodes: "0", reasons: others }, keeps: others, when: {}, unreadable: window.error };
  const ofOne = budgetNodes(nodes, 1);
  if (typeof ofOne === "string")
    return { rest: { nodes: "0", reasons: others, ...when }, keeps: others, when, unreadable: ofOne };
  if (!(reasons?.includes(DRIFTED) ?? true) || !isBelowFloor(nodes, floor)) return undefined;
  const keeps = (reasons ?? others).filter((reason) => reason !== DRIFTED);
  const own = budget.nodes === undefined ? {} : { nodes };
  return { rest: { ...own, reasons: keeps, ...when }, keeps, when, unreadable: undefined };
}

/** One for each time that a raised budget is active at, while there is room for them; else one for all times, or none. */
function floorsOf(times: readonly When[], nodes: string, room: number): Budget[] {
  const budgetAt = (when: When): Budget => ({ nodes, reasons: [DRIFTED], ...when });
  const always = times.some(({ schedule }) => schedule === undefined);
  const each = [...new Map(times.map((when) => [JSON.stringify([when.schedule, when.duration]), when])).values()];
  if (!always && each.length <= room) return each.map(budgetAt);
  return room > 0 ? [budgetAt({})] : [];
}
