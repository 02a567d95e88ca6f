/** Parses the times that options name. */
import { parseTime, type TimeZone, UTC } from "../../analyze/simulate/zone.ts";
import { UsageError } from "./exit-codes.ts";

/**
 * Milliseconds since 1970.
 *
 * @param base the time that `now` and `+8h` are relative to
 * @throws UsageError for a text that is no time
 */
export function momentOf(option: string, text: string, base: number, zone: TimeZone = UTC): number {
  const moment = parseTime(text, base, zone);
  if (moment !== undefined) return moment;
  throw new UsageError(
    `${option} ${text} is no time: write 2026-11-23T09:00:00Z, '2026-11-23 09:00' (in ${zone.name}), 2026-11-23, +8h, +7d or now`,
  );
}
