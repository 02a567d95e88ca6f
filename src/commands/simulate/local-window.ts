/** `anp simulate --local-window`: a window in local time as disruption budgets in UTC. */
import { parseLocalWindow, utcBudgets } from "../../analyze/simulate/local-window.ts";
import { localWindowText } from "../../report/simulate/local-window-text.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "../cli/exit-codes.ts";
import type { SimulateOptions, Times } from "./options.ts";

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
