/** Dates from and to days since 1970, in UTC, without the machine's clock or time zone. */

export const DAY_MS = 86_400_000;

/** No year is longer. */
export const YEAR_MS = 366 * DAY_MS;

interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** Years are counted from March, so that the day that leap years add is their last (H. Hinnant, chrono-compatible dates). */
export function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}

export function civilOf(days: number): CivilDate {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1 };
}

/** Whether the calendar has such a day. */
export function isCivilDate({ year, month, day }: CivilDate): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const following = month === 12 ? daysOf(year + 1, 1, 1) : daysOf(year, month + 1, 1);
  return day <= following - daysOf(year, month, 1);
}

/** 0 is Sunday. */
export function weekdayOf(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}
