/** Raises disruption budgets so that they allow a minimum number of drifted nodes. */
import {
  DEFAULT_BUDGET_NODES,
  DEFAULT_BUDGETS,
  type DisruptionReason,
  disruptionReasons,
} from "../../model/pools/disruption-reasons.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";
import type { Profile } from "../../model/crds/profile.ts";
import { type Budget, budgetNodes } from "./disruption-budget.ts";
import { budgetWindow } from "./budget-window.ts";

export const DRIFTED = "Drifted" satisfies DisruptionReason;

/** Of Karpenter's CRD (docs/upstream/karpenter.md#crds). */
export const MOST_BUDGETS = 50;

export interface FlooredBudgets {
  readonly budgets: readonly FlooredBudget[];
  /** The budgets that allowed less than the floor for Drifted. */
  readonly raised: readonly RaisedBudget[];
  /** The list has no room for a budget with the floor. The raised budgets no longer apply to Drifted. */
  readonly full: boolean;
}

interface FlooredBudget {
  readonly budget: Budget;
  /** Index among the budgets of the pool; undefined for a budget with the floor. */
  readonly from: number | undefined;
}

export interface RaisedBudget {
  readonly index: number;
  /** The reasons that it still applies to. */
  readonly keeps: readonly string[];
  /** Karpenter's error, which blocks all disruption of the pool; undefined if the budget is valid. */
  readonly unreadable: string | undefined;
}

type When = Pick<Budget, "schedule" | "duration">;

/**
 * Whether a budget allows less than the floor in a pool of some size. A budget cannot allow more than all nodes, so
 * for a single node a floor of 2 requires 1.
 */
export function isBelowFloor(nodes: string, floor: string): boolean {
  // A percentage exceeds every number if the pool is large enough.
  if (floor.endsWith("%")) return !nodes.endsWith("%") || percentOf(nodes) < percentOf(floor);
  const wanted = Number(floor);
  const least = budgetNodes(nodes, wanted);
  return typeof least === "string" || least < wanted;
}

function percentOf(text: string): number {
  return Number(text.slice(0, -1));
}

/**
 * Splits each budget that allows less than the floor for Drifted: it keeps its other reasons, and Drifted gets the
 * floor at the same times (docs/decisions/0021-a-floor-under-the-drifted-budget.md). Undefined if no budget does, or
 * if Karpenter cannot decode the pool.
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
  /** The budget without Drifted. */
  readonly rest: Budget;
  readonly keeps: readonly string[];
  readonly when: When;
  readonly unreadable: string | undefined;
}

/** Undefined for a budget that stays unchanged. A budget with an error blocks every reason. */
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

/** One budget for each schedule of a raised budget if there is room; else one without a schedule, or none. */
function floorsOf(times: readonly When[], nodes: string, room: number): Budget[] {
  const budgetAt = (when: When): Budget => ({ nodes, reasons: [DRIFTED], ...when });
  const always = times.some(({ schedule }) => schedule === undefined);
  const each = [...new Map(times.map((when) => [JSON.stringify([when.schedule, when.duration]), when])).values()];
  if (!always && each.length <= room) return each.map(budgetAt);
  return room > 0 ? [budgetAt({})] : [];
}
