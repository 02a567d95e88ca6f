/** Findings about the inputs of a simulation: assumed nodes, unreadable and shifting schedules. */
import { YEAR_MS } from "../../model/values/civil-date.ts";
import { parseCronSchedule } from "../../karpenter/disruption/cron-schedule.ts";
import { withoutStaticCapacity } from "../../karpenter/scheduling/no-nodes.ts";
import type { ReadBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import type { FieldPath } from "../../krm/places/field-path.ts";
import { describeResource } from "../../krm/places/resource.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";
import { applyRules } from "../../resolve/rules.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";
import { type ClockChange, clockChanges, localTime, type TimeZone } from "./zone.ts";

export function simulateFindings(pool: SimulatedPool, nodes: PoolNodes, at: number, zone: TimeZone): Finding[] {
  return applyRules(
    [...assumed(pool, nodes), ...staticCapacityOff(pool), ...unreadable(pool), ...shifting(pool, at, zone)],
    pool.rules,
  );
}

function assumed({ resource, name }: SimulatedPool, { from, total }: PoolNodes): Finding[] {
  if (from !== "assumed") return [];
  const message = `${describeResource(resource)}: its number of nodes is unknown; ${total} are assumed`;
  const hint = `pass --nodes ${name}=N, or --node-data FILE with the output of kubectl get nodeclaims,nodes,pods,pdb -A -o json`;
  return [findingAt("node-count-assumed", resource, [], { message, hint })];
}

function staticCapacityOff({ resource, replicas, group, karpenter }: SimulatedPool): Finding[] {
  return withoutStaticCapacity({ replicas, group }, karpenter).map(({ code, path, message, hint }) =>
    findingAt(code, resource, path, { message: `${describeResource(resource)}: ${message}`, hint }),
  );
}

function unreadable(pool: SimulatedPool): Finding[] {
  return ownBudgets(pool).flatMap(({ budget, window, path }) => {
    if (!("error" in window)) return [];
    const message = `${describeResource(pool.resource)}: Karpenter cannot read the schedule \`${budget.schedule}\` (${window.error}) and disrupts no node of the pool, for any reason`;
    const hint = "write five fields in UTC (minute, hour, day, month, weekday from 0 to 6), or a macro such as @daily";
    return [findingAt("budget-schedule-invalid", pool.resource, path, { message, hint })];
  });
}

/**
 * The budgets of the pool itself, each with the path of its schedule. A budget that a RenderConfig adds has the path of
 * the budget that it was added for.
 */
function ownBudgets({
  budgets,
  budgetPlaces,
  resource,
}: SimulatedPool): readonly (ReadBudget & { readonly path: FieldPath })[] {
  return budgets.flatMap((budget, index) => {
    const place = budgetPlaces[index];
    return place?.resource === resource ? [{ ...budget, path: [...place.path, "schedule"] }] : [];
  });
}

/** A schedule in UTC moves in local time when clocks change. */
function shifting(pool: SimulatedPool, at: number, zone: TimeZone): Finding[] {
  const [change] = clockChanges(zone, at, at + YEAR_MS);
  if (change === undefined) return [];
  return ownBudgets(pool).flatMap(({ budget: { schedule, duration }, path }) => {
    const parsed = parseCronSchedule(schedule ?? "");
    if ("error" in parsed || parsed.schedule.every !== undefined || duration === undefined) return [];
    const length = parseGoMilliseconds(duration) ?? 0;
    const { next } = parsed.schedule;
    if (comesBackEachShift(next, change)) return [];
    const windows = [next(at), next(change.at)].map((hit) =>
      hit === undefined ? "never" : clockSpan(hit, length, zone),
    );
    if (windows.includes("never")) return [];
    const { year, month, day } = localTime(change.at, zone);
    const date = [year, month, day].map((part) => String(part).padStart(2, "0")).join("-");
    const message = `${describeResource(pool.resource)}: the window \`${schedule}\` of ${duration} is ${windows[0]} in ${zone.name}, and ${windows[1]} from ${date} on`;
    const hint = `Karpenter reads schedules in UTC: anp simulate --tz ${zone.name} --local-window 'mon-fri ${windows[0]}' prints budgets for the whole year`;
    return [findingAt("budget-window-shifts", pool.resource, path, { message, hint })];
  });
}

/** Whether the schedule repeats so often, such as hourly, that a change of the clocks makes no difference. */
function comesBackEachShift(next: (after: number) => number | undefined, { at, before, after }: ClockChange): boolean {
  let hit = next(at);
  for (let count = 0; count < 50; count++) {
    if (hit === undefined) return false;
    const shifted = hit + (after - before);
    if (next(shifted - 1) !== shifted) return false;
    hit = next(hit);
  }
  return true;
}

/** Local start and end, such as `09:00-17:00`. */
function clockSpan(from: number, length: number, zone: TimeZone): string {
  const clock = (at: number): string => {
    const { hour, minute } = localTime(at, zone);
    return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  };
  return `${clock(from)}-${clock(from + length)}`;
}
