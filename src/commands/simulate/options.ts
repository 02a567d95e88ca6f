/** The options of `anp simulate`, validated when they are parsed; answers `--local-window`. */
import { InvalidArgumentError } from "commander";
import { parseLocalWindow, utcBudgets } from "../../analyze/simulate/local-window.ts";
import { type TimeZone, timeZone, UTC } from "../../analyze/simulate/zone.ts";
import { DAY_MS } from "../../model/values/civil-date.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";
import { localWindowText } from "../../report/simulate/local-window-text.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "../cli/exit-codes.ts";
import { momentOf, type SharedOptions } from "../cli/options.ts";
import type { LiveInputOptions } from "../input/live-input.ts";

export interface SimulateOptions extends SharedOptions, LiveInputOptions {
  readonly output: "text" | "json" | "html";
  readonly at?: string;
  readonly from?: string;
  readonly to?: string;
  readonly tz?: TimeZone;
  readonly nodeData?: string;
  readonly nodes: readonly NodeCount[];
  readonly set: readonly string[];
  readonly nodepool: readonly string[];
  readonly batch?: number;
  /** Milliseconds. */
  readonly nodeTime?: number;
  readonly localWindow?: string;
}

interface NodeCount {
  readonly name: string;
  readonly count: number;
}

/** Milliseconds since 1970. */
interface Times {
  readonly at: number;
  readonly span: { readonly from: number; readonly to: number } | undefined;
  readonly zone: TimeZone;
}

export function timesOf({ at, from, to, tz: zone = UTC }: SimulateOptions, now: number): Times {
  if ((from ?? to) === undefined) return { at: momentOf("--at", at ?? "now", now, zone), span: undefined, zone };
  if (at !== undefined) throw new UsageError("--at is one moment, --from and --to are a span: give one of them");
  const begin = momentOf("--from", from ?? "now", now, zone);
  const end = momentOf("--to", to ?? "+7d", begin, zone);
  if (end <= begin) throw new UsageError("--to must be later than --from");
  if (end - begin > LONGEST) throw new UsageError("a timeline of at most 400 days is drawn");
  return { at: begin, span: { from: begin, to: end }, zone };
}

const LONGEST = 400 * DAY_MS;

export function parseZone(name: string): TimeZone {
  const zone = timeZone(name);
  if (zone === undefined)
    throw new InvalidArgumentError("It must be a time zone of the IANA database, such as Europe/Berlin.");
  return zone;
}

export function parseNodes(text: string, previous: readonly NodeCount[]): NodeCount[] {
  const [, name, count] = /^(.+)=(\d{1,6})$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("Write POOL=NUMBER, such as web=10.");
  return [...previous, { name, count: Number(count) }];
}

export function parseBatch(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("Write a number of nodes.");
  return Number(text);
}

export function parseNodeTime(text: string): number {
  const duration = parseGoMilliseconds(text) ?? 0;
  if (duration < 1) throw new InvalidArgumentError("Write a duration, such as 5m or 90s.");
  return duration;
}

export function answerLocalWindow(
  text: string,
  paths: readonly string[],
  { at, zone }: Times,
  { tz, output }: SimulateOptions,
  context: Context,
): ExitCode {
  if (paths.length > 0) throw new UsageError("--local-window needs only a time zone: leave the PATH out");
  if (tz === undefined) throw new UsageError("--local-window needs --tz, such as --tz Europe/Berlin");
  const window = parseLocalWindow(text);
  if (window === undefined)
    throw new UsageError(
      `--local-window ${text}: write days and times, such as 'mon-fri 08:00-18:00' or 'daily 22:00-06:00'`,
    );
  const budgets = utcBudgets(window, zone, at);
  const json = {
    schemaVersion: 1,
    budgets: budgets.map(({ schedule, duration }) => ({ nodes: "0", schedule, duration })),
  };
  context.writeOut(
    output === "json" ? `${JSON.stringify(json, undefined, 2)}\n` : localWindowText(text, budgets, zone),
  );
  return EXIT.done;
}
