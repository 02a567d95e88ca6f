/** `anp watch` as a process that logs JSON: its arguments in, what it says line by line, and its end, out. */
import { pathToFileURL } from "node:url";
import { until } from "../controlplane/objects.ts";
import { type Program, startAnp } from "../watch/anp-process.ts";

/** A line of its log. */
interface LogLine {
  readonly time: string;
  readonly level: "info" | "warn" | "error";
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface WatchProcess {
  readonly pid: number;
  /** All that it has said so far. */
  readonly lines: () => readonly LogLine[];
  /** The lines that end a pass, of all clusters or of one. */
  readonly passes: (cluster?: string) => readonly LogLine[];
  /** Until it is so; sooner an error when the process has ended. */
  readonly until: (what: string, isTrue: () => Promise<boolean>, withinMs?: number) => Promise<void>;
  /** Until so many passes have begun and ended from now on. Only the clock may bring them: mind the interval. */
  readonly morePasses: (count: number, cluster?: string) => Promise<void>;
  readonly send: (signal: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** SIGTERM, or another signal. The exit code, or the signal that ended it. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
}

interface StartOptions {
  /** Modules to load before anything else. */
  readonly preload?: string | readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: Program;
}

export function startWatch(args: readonly string[], { preload, env = {}, program }: StartOptions = {}): WatchProcess {
  const imports = [preload ?? []].flat().map((module) => `--import ${pathToFileURL(module).href}`);
  const before = imports.length === 0 ? {} : { NODE_OPTIONS: imports.join(" ") };
  const { pid, log, send, ended } = startAnp(
    ["watch", "--log-format", "json", ...args],
    { ...before, ...env },
    program,
  );
  let end: number | NodeJS.Signals | undefined;
  void ended.then((how) => (end = how));
  const parsed: LogLine[] = [];
  let read = 0;
  const lines = (): readonly LogLine[] => {
    const text = log();
    for (let next = text.indexOf("\n", read); next >= 0; next = text.indexOf("\n", read)) {
      const line = text.slice(read, next);
      if (!line.startsWith("{")) throw new Error(`anp watch says: ${text.slice(read)}`);
      parsed.push(JSON.parse(line) as LogLine);
      read = next + 1;
    }
    return parsed;
  };
  const passes = (cluster?: string) =>
    lines().filter((line) => line.msg === "reconciled" && (cluster === undefined || line["cluster"] === cluster));
  const untilTrue: WatchProcess["until"] = async (what, isTrue, withinMs = 120_000) => {
    const running = async (): Promise<boolean> => {
      if (end !== undefined) throw new Error(`anp watch ended: ${end}`);
      return isTrue();
    };
    await until(what, running, withinMs).catch((error: unknown) => {
      const told = log().trimEnd().split("\n").slice(-8);
      (error as Error).message += `\n${told.join("\n")}`;
      throw error;
    });
  };
  return {
    pid,
    lines,
    passes,
    send,
    ended,
    until: untilTrue,
    morePasses: async (count, cluster) => {
      const now = Date.now();
      const began = ({ time, ms }: LogLine) => Date.parse(time) - Number(ms);
      const sinceNow = () => passes(cluster).filter((line) => began(line) > now);
      await untilTrue(`${count} more passes`, async () => sinceNow().length >= count, 120_000);
    },
    stop: async (signal = "SIGTERM") => {
      send(signal);
      return ended;
    },
  };
}
