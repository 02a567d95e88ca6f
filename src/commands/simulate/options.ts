/** The options of `anp simulate`, validated when they are parsed; answers windows in local time. */
import { InvalidArgumentError } from "commander";
import { outsideOf, parseLocalWindow, utcBudgets } from "../../analyze/simulate/local-window.ts";
import { type TimeZone, timeZone, UTC } from "../../analyze/simulate/zone.ts";
import { DAY_MS } from "../../model/values/civil-date.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";
import { localWindowText } from "../../report/simulate/local-window-text.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "../cli/exit-codes.ts";
import { type KarpenterOption, momentOf, type SharedOptions } from "../cli/options.ts";
import type { BuildOptions } from "../input/builds.ts";
import type { LiveInputOptions } from "../input/live-input.ts";

export interface SimulateOptions extends SharedOptions, KarpenterOption, LiveInputOptions, BuildOptions {
  readonly output: "text" | "json" | "html";
  readonly at?: string;
  readonly from?: string;
  readonly to?: string;
  readonly tz?: TimeZone;
  readonly nodeData?: string;
  readonly nodes: readonly NodeCount[];
  readonly set: readonly string[];
  readonly nodepool: readonly string[];
  readonly envFile?: readonly string[];
  readonly batch?: number;
  /** Milliseconds. */
  readonly nodeTime?: number;
  readonly localWindow?: string;
  readonly allowWindow?: string;
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

/** Answers `--local-window` and `--allow-window`: the budgets that keep nodes within the window, or outside of it. */
export function answerWindow(
  paths: readonly string[],
  { at, zone }: Times,
  { tz, output, localWindow, allowWindow }: SimulateOptions,
  context: Context,
): ExitCode {
  const option = allowWindow === undefined ? "--local-window" : "--allow-window";
  const text = allowWindow ?? localWindow ?? "";
  if (allowWindow !== undefined && localWindow !== undefined)
    throw new UsageError("--local-window blocks disruption and --allow-window allows it: give one of them");
  if (paths.length > 0) throw new UsageError(`${option} needs no manifests: leave the PATH out`);
  if (tz === undefined && allowWindow === undefined)
    throw new UsageError("--local-window needs --tz, such as --tz Europe/Berlin");
  const window = parseLocalWindow(text);
  if (window === undefined)
    throw new UsageError(
      `${option} ${text}: write days and times, such as 'mon-fri 08:00-18:00' or 'daily 22:00-06:00'`,
    );
  const blocked = allowWindow === undefined ? [window] : outsideOf(window);
  if (blocked.length === 0)
    throw new UsageError(`--allow-window ${text} is the whole week: no budget has to block anything`);
  const budgets = blocked.flatMap((one) => utcBudgets(one, zone, at));
  const json = {
    schemaVersion: 1,
    budgets: budgets.map(({ schedule, duration }) => ({ nodes: "0", schedule, duration })),
  };
  const words = `${text} in ${zone.name}: ${allowWindow === undefined ? "no disruption" : "disruption only then"}`;
  const free = allowWindow === undefined ? "Outside the windows" : "In the window";
  const jsonText = `${JSON.stringify(json, undefined, 2)}\n`;
  context.writeOut(output === "json" ? jsonText : localWindowText(words, free, budgets));
  return EXIT.done;
}
