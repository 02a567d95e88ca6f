/** When a disruption budget is active and what it lets through: one budget in, its effect over all time out (karpenter.md 3.1, 3.2). */
import { type CronSchedule, parseCronSchedule } from "../karpenter/cron-schedule.ts";
import { parseGoDuration } from "../model/go-duration.ts";
import type { OpenshiftNodePool } from "../model/openshift-node-pool.ts";

export type Budget = NonNullable<NonNullable<OpenshiftNodePool["spec"]["disruption"]>["budgets"]>[number];

export type Activity =
  | { readonly when: "always" | "sometimes" | "never" }
  /** Karpenter then lets no node of the pool go, whatever the other budgets say. */
  | { readonly when: "error"; readonly error: string };

export function activityOf({ schedule, duration }: Budget): Activity {
  if (schedule === undefined || duration === undefined) return { when: "always" };
  const parsed = parseCronSchedule(schedule);
  if ("error" in parsed) return { when: "error", error: parsed.error };
  const length = milliseconds(duration);
  return { when: length === 0 ? "never" : alwaysWithin(parsed.schedule, length) ? "always" : "sometimes" };
}

/** Some moment: what holds for the hits of years after it holds for all time. */
const START = 1_767_225_600_000;

/** As many hits are looked at for a gap; a year's of any schedule that people write. */
const MAX_HITS = 50_000;

function alwaysWithin(schedule: CronSchedule, length: number): boolean {
  let hit = schedule.next(START);
  for (let count = 0; count < MAX_HITS && hit !== undefined; count++) {
    const following = schedule.next(hit);
    if (following !== undefined && following - hit > length) return false;
    // Karpenter takes "no hit within five years" for a window that is open (karpenter.md 3.2).
    if (following === undefined) return true;
    if (following - START > YEAR_MS) return true;
    hit = following;
  }
  return true;
}

const YEAR_MS = 366 * 86_400_000;

function milliseconds(duration: string): number {
  return Number((parseGoDuration(duration) ?? 0n) / 1_000_000n);
}

/** Whether nothing at all is let through while the budget is active; numbers wrap as Go's int32 (karpenter.md 3.2, B22). */
export function letsNothingThrough({ nodes = "10%" }: Budget): boolean {
  if (nodes.endsWith("%")) return Number(nodes.slice(0, -1)) === 0;
  const number = BigInt(nodes);
  return number > 2n ** 63n - 1n || BigInt.asIntN(32, number) <= 0n;
}
