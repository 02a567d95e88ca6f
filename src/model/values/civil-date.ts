/** Converts dates from and to days since 1970, in UTC, without the machine's clock or time zone. */

export const DAY_MS = 86_400_000;

/** The longest year. */
export const YEAR_MS = 366 * DAY_MS;

interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** Days since 1970 of a date; a month or day above its range continues in the next year or month. */
export function daysOf(year: number, month: number, day: number): number {
  // Unlike Date.UTC, this accepts the years 0 to 99 as written.
  return new Date(0).setUTCFullYear(year, month - 1, day) / DAY_MS;
}

export function civilOf(days: number): CivilDate {
  const date = new Date(days * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Whether the calendar has such a day. */
export function isCivilDate({ year, month, day }: CivilDate): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const following = month === 12 ? daysOf(year + 1, 1, 1) : daysOf(year, month + 1, 1);
  return day <= following - daysOf(year, month, 1);
}

/** 0 is Sunday. */
export function weekdayOf(days: number): number {
  return new Date(days * DAY_MS).getUTCDay();
}
