/** Whether a schedule hits so often that a time after each hit leaves no gap before the next. */
import { YEAR_MS } from "../../model/civil-date.ts";
import type { CronSchedule } from "./cron-schedule.ts";

/** Some moment: what holds for the hits of years after it holds for all time. */
const START = 1_767_225_600_000;

/** As many hits are looked at for a gap; a year's of any schedule that people write. */
const MAX_HITS = 50_000;

/** @param length milliseconds */
export function alwaysWithin(schedule: CronSchedule, length: number): boolean {
  let hit = schedule.next(START);
  for (let count = 0; count < MAX_HITS && hit !== undefined; count++) {
    const following = schedule.next(hit);
    if (following !== undefined && following - hit > length) return false;
    // Karpenter takes "no hit within five years" for a window that is open (docs/upstream/karpenter.md#schedules).
    if (following === undefined) return true;
    if (following - START > YEAR_MS) return true;
    hit = following;
  }
  return true;
}
