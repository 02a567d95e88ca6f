/** Rules: budgets that block always, never or at other hours than meant; unreadable schedules. */
import { budgetWindow, type BudgetWindow, type Span } from "../../../karpenter/disruption/budget-window.ts";
import { activityOf, type Budget, letsNothingThrough } from "../../../karpenter/disruption/disruption-budget.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import type { FindingCode } from "../../../krm/findings/finding-codes.ts";
import { type FieldPath, samePath } from "../../../krm/places/field-path.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { DEFAULT_EXPIRY } from "../../../model/values/durations.ts";
import { DAY_MS, daysOf } from "../../../model/values/civil-date.ts";
import {
  DEFAULT_BUDGET_NODES,
  type DisruptionReason,
  disruptionReasons,
} from "../../../model/pools/disruption-reasons.ts";
import { isUnknownAt } from "../../../model/objects/placeholders.ts";
import { memoizeByKey } from "../../../model/schema/memoize.ts";
import { BUDGETS } from "../../../resolve/bound-pool.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { betweenSpans, type LocalWindow, scheduleOf, windowsOf, windowText } from "../../simulate/local-window.ts";

type Budgets = readonly Budget[];

/** A reason of its own since Karpenter 1.15 (docs/upstream/karpenter.md#budgets). */
const REPAIR = "Unhealthy";

/** With such a budget, a new policy, a new image and consolidation never apply to existing nodes. */
export function budgetAlwaysBlocks({ pools, inputs }: ExplainedCluster): Finding[] {
  const mayRepair = reasonsOf(inputs).includes(REPAIR);
  return pools.flatMap((pool) => {
    const budgets = budgetsOf(pool);
    // The other budget's finding names this one.
    const named = new Set(blockedWindows(budgets).map(({ by }) => by));
    return budgets.flatMap((budget, index) => {
      const path = [...BUDGETS, index];
      // A floor removes reasons from the budget, which it no longer blocks.
      const { keeps = budget.reasons } = pool.bounds.find(({ field }) => samePath(field, path)) ?? {};
      if (named.has(index) || keeps?.length === 0 || !alwaysBlocks(budget)) return [];
      const reasons = keeps === undefined ? "any reason" : keeps.join(" or ");
      const always =
        budget.schedule === undefined ? "" : `, because the schedule \`${budget.schedule}\` is always active`;
      const isRepair = mayRepair && (keeps === undefined || keeps.includes(REPAIR));
      const repaired = isRepair ? ", and unhealthy ones are not repaired" : "";
      return finding(pool, path, {
        code: "budget-always-blocks",
        words: `the budget of ${budget.nodes} never allows a disruption for ${reasons}${always}`,
        hint: `add a schedule and a duration, or allow at least one node; otherwise drifted nodes are not replaced${repaired}`,
      });
    });
  });
}

/** Expiry asks no budget (docs/upstream/karpenter.md#how-long-nodes-stay). */
export function budgetExpiryGoesOn({ pools }: ExplainedCluster): Finding[] {
  return pools.flatMap((pool) => {
    const { expireAfter } = pool.spec.template.spec;
    const budgets = budgetsOf(pool);
    // Expiry replaces nodes as drift does. A budget for other reasons was not meant for it.
    const index = budgets.findIndex(
      (budget) =>
        letsNothingThrough(budget) &&
        appliesTo(budget, "Drifted") &&
        // Most pools have the default, and a window of Drifted's budgets is no mistake of theirs.
        (expireAfter === undefined ? alwaysBlocks(budget) : ["always", "sometimes"].includes(activityOf(budget).when)),
    );
    if (index === -1 || expireAfter === "Never") return [];
    const { nodes = DEFAULT_BUDGET_NODES, schedule } = budgets[index]!;
    const expiry = expireAfter ?? `${DEFAULT_EXPIRY}, the default`;
    const isPaced = !alwaysBlocks(budgets[index]!);
    const window = isPaced ? `, also in the window of \`${schedule}\`` : "";
    return finding(pool, [...BUDGETS, index], {
      code: "budget-expiry-goes-on",
      words: `the budget of ${nodes} keeps no node for longer than expireAfter (${expiry})${window}, because expiry ignores budgets`,
      hint: isPaced
        ? "set expireAfter: Never if drift, which the budgets pace, replaces nodes often enough"
        : "set expireAfter: Never to keep the nodes, or remove the budget",
    });
  });
}

/** See docs/upstream/karpenter.md#budgets. */
export function budgetNeverBlocks({ pools, inputs }: ExplainedCluster): Finding[] {
  const reasons = reasonsOf(inputs);
  return pools.flatMap((pool) => {
    const budgets = pool.given.disruption?.budgets;
    if (budgets === undefined) return [];
    if (budgets.length === 0)
      return finding(pool, BUDGETS, {
        code: "budget-never-blocks",
        words: "with an empty list of budgets, Karpenter may disrupt all nodes at once",
        hint: `remove budgets to get Karpenter's default of ${DEFAULT_BUDGET_NODES}`,
      });
    const idle = budgets.flatMap((budget, index) => {
      const words = whyIdle(budget);
      const hint =
        isUnbounded(budget) && budget.schedule !== undefined
          ? `to allow disruption in its window only, use the budgets that anp simulate --allow-window ${windowOption(budget)} prints`
          : "correct the budget, or remove it";
      return words === undefined
        ? []
        : finding(pool, [...BUDGETS, index], { code: "budget-never-blocks", words, hint });
    });
    return [...idle, ...withoutBudget(pool, budgets, reasons)];
  });
}

function whyIdle(budget: Budget): string | undefined {
  if (budget.reasons?.length === 0) return "a budget with an empty list of reasons applies to no reason";
  if (isUnbounded(budget) && budget.schedule !== undefined)
    return "a budget of 100% blocks no disruption, neither in its window nor at other hours";
  // With reasons it says that these are meant to be unlimited.
  if (isUnbounded(budget) && budget.reasons === undefined) return "a budget of 100% blocks no disruption";
  return activityOf(budget).when === "never" ? "a budget with a duration of 0 is never active" : undefined;
}

function isUnbounded({ nodes }: Budget): boolean {
  return nodes === "100%";
}

/** A reason without a budget is unlimited, because a list of budgets replaces Karpenter's default. */
function withoutBudget(pool: ResolvedPool, budgets: Budgets, all: readonly DisruptionReason[]): Finding[] {
  const left = all.filter((reason) => budgets.every((budget) => !appliesTo(budget, reason)));
  if (left.length === 0 || budgets.every(({ reasons }) => reasons?.length === 0)) return [];
  return finding(pool, BUDGETS, {
    code: "budget-never-blocks",
    words: `no budget applies to ${left.join(" and ")}, so Karpenter may disrupt all nodes at once for ${left.length === 1 ? "it" : "them"}`,
    hint: "add a budget without reasons",
  });
}

/** Karpenter disrupts no node of the pool then (docs/upstream/karpenter.md#budgets). */
export function budgetScheduleInvalid({ pools, inputs }: ExplainedCluster): Finding[] {
  const { minDriftedBudget } = inputs.settings.config;
  const why = minDriftedBudget === undefined ? "for any reason" : "for any reason but Drifted, which has a floor";
  return pools.flatMap((pool) =>
    budgetsOf(pool).flatMap((budget, index) => {
      const activity = activityOf(budget);
      if (activity.when !== "error") return [];
      return finding(pool, [...BUDGETS, index, "schedule"], {
        code: "budget-schedule-invalid",
        words: `Karpenter cannot read the schedule \`${budget.schedule}\` (${activity.error}) and disrupts no node of the pool, ${why}`,
        hint: "write five fields in UTC (minute, hour, day, month, weekday from 0 to 6), or a macro such as @daily",
      });
    }),
  );
}

/** A budget restricts only while it is active; without an active one, nothing does (docs/upstream/karpenter.md#budgets). */
export function budgetHoursOpen({ pools, inputs }: ExplainedCluster): Finding[] {
  // A floor has budgets of its own for drift.
  const { minDriftedBudget } = inputs.settings.config;
  const reasons = reasonsOf(inputs).filter((reason) => reason !== "Drifted" || minDriftedBudget === undefined);
  return pools.flatMap((pool) => {
    const budgets = budgetsOf(pool);
    if (budgets.some((budget) => activityOf(budget).when === "error") || isUnknownAt(pool.wrapper, BUDGETS)) return [];
    const groups = Map.groupBy(reasons, (reason) => restricting(budgets, reason).join());
    return [...groups].flatMap(([indexes, group]) => {
      const chosen = indexes === "" ? [] : indexes.split(",").map(Number);
      if (chosen.length === 0) return [];
      const open = openHours(JSON.stringify(chosen.map((index) => budgets[index])));
      if (open === undefined) return [];
      return finding(pool, [...BUDGETS, chosen[0]!], {
        code: "budget-hours-open",
        words: `${whenOpen(open)} no budget is active for ${group.length === reasons.length ? "any reason" : listed(group)}: Karpenter may disrupt all nodes at once`,
        hint: wayToClose(open, { group, all: reasons.length, budget: budgets[chosen[0]!]! }),
      });
    });
  });
}

/** The lowest active budget counts, so one of 0 beside it leaves nothing. */
export function budgetWindowBlocked({ pools }: ExplainedCluster): Finding[] {
  return pools.flatMap((pool) => {
    const budgets = budgetsOf(pool);
    return blockedWindows(budgets).flatMap(({ index, by }) => {
      const { nodes = DEFAULT_BUDGET_NODES } = budgets[index]!;
      const { nodes: least = DEFAULT_BUDGET_NODES, schedule } = budgets[by]!;
      const text = windowTextOf(budgets[index]!);
      return finding(pool, [...BUDGETS, index], {
        code: "budget-window-blocked",
        words: `the budget of ${nodes} allows nothing in its window${text === undefined ? "" : ` (${text} UTC)`}, because the budget of ${least} ${schedule === undefined ? "without a schedule " : ""}is active then too, and the lowest one counts`,
        hint: `let the budget of ${least} be active outside the window only: anp simulate --allow-window ${windowOption(budgets[index]!)} prints such budgets`,
      });
    });
  });
}

/** Undefined if its weeks differ from each other. */
function windowTextOf(budget: Budget): string | undefined {
  const window = activeWeek([budget]);
  return window === undefined ? undefined : windowsOf(window).map(windowText).join(", ");
}

/** The value of `--allow-window` for the window of a budget. */
function windowOption(budget: Budget): string {
  const text = windowTextOf(budget);
  return text === undefined ? "WINDOW" : `'${text.toLowerCase().replaceAll("–", "-")}'`;
}

/** Without the gate NodeRepair Karpenter repairs no node. */
function reasonsOf({ settings: { profile, karpenter } }: ExplainedCluster["inputs"]): DisruptionReason[] {
  return disruptionReasons(profile).filter((reason) => reason !== REPAIR || karpenter.gates.has("NodeRepair"));
}

function budgetsOf({ given }: ResolvedPool): Budgets {
  return given.disruption?.budgets ?? [];
}

function appliesTo({ reasons }: Budget, reason: string): boolean {
  return reasons?.includes(reason) ?? true;
}

function alwaysBlocks(budget: Budget): boolean {
  return letsNothingThrough(budget) && activityOf(budget).when === "always";
}

/** The budgets that restrict a reason at some time, by their indexes. */
function restricting(budgets: Budgets, reason: string): number[] {
  return budgets.flatMap((budget, index) =>
    appliesTo(budget, reason) && !isUnbounded(budget) && activityOf(budget).when !== "never" ? [index] : [],
  );
}

/** Budgets with a window in which another one without gaps lets nothing through. */
function blockedWindows(budgets: Budgets): { readonly index: number; readonly by: number }[] {
  return budgets.flatMap((budget, index) => {
    if (letsNothingThrough(budget) || activityOf(budget).when !== "sometimes") return [];
    const by = budgets.findIndex(
      (other) =>
        alwaysBlocks(other) &&
        (other.reasons === undefined || (budget.reasons?.every((reason) => appliesTo(other, reason)) ?? false)),
    );
    return by === -1 ? [] : [{ index, by }];
  });
}

interface OpenHours {
  /** Undefined if weeks differ from each other. */
  readonly week: { readonly open: readonly LocalWindow[]; readonly active: readonly LocalWindow[] } | undefined;
  /** Whether the budgets allow nothing while they are active. */
  readonly freezes: boolean;
}

/** When none of the budgets is active; undefined if one always is. Memoized by their text, because pools share budgets. */
const openHours = memoizeByKey((text: string): OpenHours | undefined => {
  const budgets = JSON.parse(text) as Budgets;
  if (budgets.some((budget) => activityOf(budget).when === "always")) return undefined;
  const spans = activeSpans(budgets);
  if (spans?.length === 1 && spans[0]!.from <= START && spans[0]!.to >= END) return undefined;
  const active = activeWeek(budgets);
  const week = active && { open: windowsOf(betweenSpans(active)), active: windowsOf(active) };
  return { week, freezes: budgets.every(letsNothingThrough) };
});

const WEEK_MS = 7 * DAY_MS;

/** An arbitrary Sunday, and a year of weeks after it. */
const START = daysOf(2026, 1, 4) * DAY_MS;
const WEEKS = 53;
const END = START + WEEKS * WEEK_MS;

/** Budgets with more windows in a year are not told by their hours. */
const MOST_SPANS = 2500;

/** Merged, in order; undefined if they are too many. */
function activeSpans(budgets: Budgets): Span[] | undefined {
  const each = budgets.map((budget) => (budgetWindow(budget) as BudgetWindow).spans(START, END, MOST_SPANS));
  if (each.some(({ length }) => length === MOST_SPANS)) return undefined;
  const merged: Span[] = [];
  for (const span of each.flat().toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || last.to < span.from) merged.push(span);
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return merged;
}

/** When the budgets are active, in minutes since the beginning of a Sunday; undefined if weeks differ or are too full. */
function activeWeek(budgets: Budgets): { readonly from: number; readonly to: number }[] | undefined {
  const byWeek = Map.groupBy(activeSpans(budgets) ?? [], ({ from }) => Math.floor((from - START) / WEEK_MS));
  const minutes = (at: number, week: number): number => (at - START - week * WEEK_MS) / 60_000;
  // The first and the last week are cut off.
  const [first, ...others] = Array.from({ length: WEEKS - 2 }, (_, index) => index + 1).map((week) =>
    (byWeek.get(week) ?? []).map(({ from, to }) => ({ from: minutes(from, week), to: minutes(to, week) })),
  );
  const text = JSON.stringify(first);
  return first!.length > 0 && others.every((spans) => JSON.stringify(spans) === text) ? first : undefined;
}

function whenOpen({ week }: OpenHours): string {
  if (week === undefined) return "outside the windows of its schedules";
  const { open, active } = week;
  const [word, windows] = active.length <= open.length ? ["outside", active] : ["in", open];
  return `${word} ${windows.map(windowText).join(", ")} UTC`;
}

const MOST_ENTRIES = 3;

interface Closing {
  readonly group: readonly string[];
  /** How many reasons there are. */
  readonly all: number;
  readonly budget: Budget;
}

function wayToClose({ week, freezes }: OpenHours, { group, all, budget }: Closing): string {
  const reasons = group.length === all && budget.reasons === undefined ? "" : `, reasons: [${group.join(", ")}]`;
  const always = `add {nodes: ${DEFAULT_BUDGET_NODES}${reasons}}, which is active at all times`;
  if (freezes) return always;
  if (week === undefined || week.open.length > MOST_ENTRIES)
    return `${always}; anp simulate --allow-window prints budgets that allow disruption only in a window`;
  const entries = week.open.map((window) => {
    const { schedule, duration } = scheduleOf(window);
    return `{nodes: "0", schedule: "${schedule}", duration: ${duration}${reasons}}`;
  });
  return `to allow disruption only in these hours, add ${listed(entries)}; or ${always}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

interface Said {
  readonly code: FindingCode;
  readonly words: string;
  readonly hint: string;
}

function finding({ wrapper }: ResolvedPool, path: FieldPath, { code, words, hint }: Said): Finding[] {
  return [findingAt(code, wrapper, path, { message: `${describeResource(wrapper)}: ${words}`, hint })];
}
