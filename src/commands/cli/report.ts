/** Findings to where the user wants them: standard error, and files for other programs. */
import type { Finding } from "../../krm/finding.ts";
import { unwritable } from "../../krm/write-directory.ts";
import { formatFindings } from "../../report/findings/format-findings.ts";
import { PLAIN } from "../../report/terminal/style.ts";
import { version } from "../../version.ts";
import type { Context } from "./context.ts";
import { EXIT, type ExitCode, exitCodeOf } from "./exit-codes.ts";
import { findingHelp } from "./finding-help.ts";
import { leastTold, type SharedOptions } from "./options.ts";

type ReportOptions = Pick<SharedOptions, "report" | "color" | "failOn" | "minSeverity" | "quiet">;

/** With what else there is to say by then: a report that cannot be written is a finding as well, and counts. */
export function reportFindings(
  findings: readonly Finding[],
  options: ReportOptions,
  context: Context,
): readonly Finding[] {
  // People always see the findings, unless they asked for another form of them on the same stream.
  const toStream = options.report.some(({ file }) => file === undefined);
  const report = toStream ? options.report : [{ format: "text" } as const, ...options.report];
  // Errors count for the exit code whatever --fail-on says, and a report is red where the exit code is.
  const failOn = options.failOn === "never" ? "error" : options.failOn;
  return writeReports(findings, { ...options, report, failOn }, context);
}

export interface Written {
  readonly findings: readonly Finding[];
  /** For people, once all that was found is told. */
  readonly summary: string;
}

/** @param write what the command is to write, where the findings so far do not forbid it */
export function writeAndReport(
  findings: readonly Finding[],
  write: (() => Written) | undefined,
  options: ReportOptions,
  context: Context,
): ExitCode {
  const isSound = exitCodeOf(findings, options.failOn) === EXIT.done;
  const written = isSound ? write?.() : undefined;
  const told = reportFindings([...findings, ...(written?.findings ?? [])], options, context);
  context.writeError(written?.summary ?? "");
  return exitCodeOf(told, options.failOn);
}

/** The reports that were asked for and no others: where the findings are the answer, they have their own place. */
export function writeReports(
  findings: readonly Finding[],
  { report, color, failOn, ...options }: ReportOptions,
  context: Context,
): readonly Finding[] {
  const run = runOf({ failOn, ...options }, context);
  // Files first, so that the stream can tell which of them could not be written.
  const failed = report.flatMap(({ format, file }) =>
    file === undefined ? [] : writeToFile(file, formatFindings(format, findings, { style: PLAIN }, run), context),
  );
  const told = [...findings, ...failed];
  for (const { format, file } of report)
    if (file === undefined) {
      const page = { style: context.style(color), columns: context.errorColumns };
      context.writeError(formatFindings(format, told, page, run));
    }
  return told;
}

/** What each form of findings is told of the run. */
export function runOf({ failOn, ...told }: Omit<ReportOptions, "report" | "color">, context: Context) {
  return { failOn, version, helpOn: findingHelp(context), minSeverity: leastTold(told) };
}

/** Nothing, or why it could not be written, as `--output-dir` tells it. */
export function writeToFile(file: string, text: string, context: Context): Finding[] {
  try {
    context.writeFile(file, text);
    return [];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [unwritable(file, code ?? message)];
  }
}
