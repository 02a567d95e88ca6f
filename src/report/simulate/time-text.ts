/** Short texts for moments, lengths of time, and how many nodes may go. */
import { localTime, type TimeZone } from "../../analyze/simulate/zone.ts";

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const two = (number: number): string => String(number).padStart(2, "0");

/** `Mon 23 Nov 09:00`; with the year only if it differs from that of `near`. */
export function dayAndTime(at: number, zone: TimeZone, near = at): string {
  const { year } = localTime(at, zone);
  const ofYear = year === localTime(near, zone).year ? "" : ` ${year}`;
  return `${dayText(at, zone)}${ofYear} ${clockText(at, zone)}`;
}

/** `Mon 23 Nov`. */
export function dayText(at: number, zone: TimeZone): string {
  const { weekday, day, month } = localTime(at, zone);
  return `${WEEKDAYS[weekday]} ${day} ${MONTHS[month - 1]}`;
}

/** `09:00`, with seconds unless they are zero. */
export function clockText(at: number, zone: TimeZone): string {
  const { hour, minute, second } = localTime(at, zone);
  return `${two(hour)}:${two(minute)}${second === 0 ? "" : `:${two(second)}`}`;
}

/** `Mon 23 Nov 09:00 – 17:00`. */
export function spanText(from: number, to: number, zone: TimeZone): string {
  const sameDay = dayText(from, zone) === dayText(to, zone);
  return `${dayAndTime(from, zone)} – ${sameDay ? clockText(to, zone) : dayAndTime(to, zone, from)}`;
}

/** `45m`, `8h`, `2d 3h`. */
export function lengthText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes === 0) return milliseconds === 0 ? "0m" : `${Math.ceil(milliseconds / 1000)}s`;
  const parts = [
    [Math.floor(minutes / 1440), "d"],
    [Math.floor(minutes / 60) % 24, "h"],
    [minutes % 60, "m"],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`])).join(" ");
}

export function howMany(allowed: number | null): string {
  if (allowed === null) return "all";
  return allowed === 0 ? "none" : String(allowed);
}
