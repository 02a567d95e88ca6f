/** A timeline of disruption, drawn for a terminal: a ruler, and a bar for each reason. */
import type { Stretch } from "../../analyze/simulate/timeline.ts";
import { localTime, type TimeZone } from "../../analyze/simulate/zone.ts";
import type { Look } from "../blocks/blocks.ts";
import type { Style } from "../terminal/style.ts";
import { padTo } from "../terminal/text-width.ts";
import { clockText, dayText, lengthText } from "./time-text.ts";

/** The width of the names of reasons. */
export const NAME_WIDTH = 13;
/** The column where bars begin. */
const LABEL = NAME_WIDTH + 4;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR),
  ...[1, 2, 4, 7, 14].map((days) => days * DAY),
];

interface TimelineLook extends Look {
  /** A limit that is as large allows all of them. */
  readonly nodes: number;
  readonly zone: TimeZone;
}

/** @param stretches at least one */
export function timelineText(stretches: readonly Stretch[], { nodes, zone, style, width }: TimelineLook): string[] {
  const [first, last] = [stretches[0]!, stretches.at(-1)!];
  const columns = Math.max(12, width - LABEL);
  const step =
    STEPS.find((size) => (last.to - first.from) / size <= columns) ?? Math.ceil((last.to - first.from) / columns);
  const count = Math.ceil((last.to - first.from) / step);
  const cells = Array.from({ length: count }, (_, index) => first.from + index * step);
  const within = stretchesOfCells(stretches, cells, step);
  const most = stretches.reduce(
    (most, { disruption }) => Math.max(most, ...disruption.map(({ allowed }) => allowed ?? 0)),
    0,
  );
  const bars = first.disruption.map(({ reason }, index) => {
    const marks = within.map((inside) =>
      cellOf(
        inside.map(({ disruption }) => disruption[index]!.allowed),
        most,
        nodes,
      ),
    );
    return `${padTo(`  ${reason}`, LABEL)}${painted(marks, style)}`;
  });
  const legend = `${" ".repeat(LABEL)}█ all  ▆▄▂ fewer  ▒ in part  ░ none; a column is ${lengthText(step)}, ${zone.name}`;
  return [...ruler(cells, step, zone).map((line) => style.faint(line)), ...bars, style.faint(legend)];
}

/** Both are sorted, so that each is visited once. */
function stretchesOfCells(stretches: readonly Stretch[], cells: readonly number[], step: number): Stretch[][] {
  let start = 0;
  return cells.map((from) => {
    while (stretches[start] !== undefined && stretches[start]!.to <= from) start += 1;
    let end = start;
    while (stretches[end] !== undefined && stretches[end]!.from < from + step) end += 1;
    return stretches.slice(start, end);
  });
}

/** What is allowed during a whole column; a column that is only partly open has a mark of its own. */
function cellOf(allowed: readonly (number | null)[], most: number, nodes: number): string {
  const least = allowed.reduce<number>((least, one) => Math.min(least, one ?? Infinity), Infinity);
  if (least > 0) return least >= Math.max(1, nodes) ? "█" : LEVELS[Math.ceil((3 * least) / most) - 1]!;
  return allowed.every((one) => one === 0) ? "░" : "▒";
}

const LEVELS = ["▂", "▄", "▆"];

function painted(marks: readonly string[], style: Style): string {
  return marks
    .join("")
    .replaceAll(/░+/g, style.error)
    .replaceAll(/▒+/g, style.warning)
    .replaceAll(/[█▂▄▆]+/g, style.good);
}

/** Days, with as much of their names as fits; below them hours, if a column is short. */
function ruler(cells: readonly number[], step: number, zone: TimeZone): string[] {
  const name = (at: number): string => {
    const text = dayText(at, zone);
    if (DAY / step >= text.length + 2 || step >= DAY) return text;
    return DAY / step >= 8 ? text.slice(0, text.lastIndexOf(" ")) : text.slice(0, 3);
  };
  const days = placed(cells, (at, before) => {
    const isNew = before === undefined || dayText(before, zone) !== dayText(at, zone);
    return isNew ? `╵${name(at)}` : undefined;
  });
  // An hour takes six columns, and one separates it from the next.
  const every = [1, 2, 3, 4, 6, 12].find((hours) => (hours * HOUR) / step >= 7);
  if (every === undefined) return [days];
  const hours = placed(cells, (at, before) => {
    const { hour, minute } = localTime(at, zone);
    const isNew = before === undefined || localTime(before, zone).hour !== hour;
    return isNew && minute * MINUTE < step && hour % every === 0
      ? `╵${clockText(at - minute * MINUTE, zone)}`
      : undefined;
  });
  return [days, hours];
}

/** A label that would overlap the next one is left out. */
function placed(
  cells: readonly number[],
  label: (at: number, before: number | undefined) => string | undefined,
): string {
  let line = " ".repeat(LABEL);
  for (const [index, at] of cells.entries()) {
    const text = label(at, cells[index - 1]);
    if (text === undefined || line.length > LABEL + index) continue;
    line = `${line.padEnd(LABEL + index)}${text} `;
  }
  return line.trimEnd().slice(0, LABEL + cells.length);
}
