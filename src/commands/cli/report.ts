/** Writes findings to the standard error and to report files. */
import { FINDING_CODES, type FindingCode } from "../../krm/findings/finding-codes.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { unwritable } from "../../krm/write/write-directory.ts";
import { memoize } from "../../model/schema/memoize.ts";
import { formatFindings } from "../../report/findings/format-findings.ts";
import { PLAIN } from "../../report/terminal/style.ts";
import { version } from "../../version.ts";
import type { Context } from "./context.ts";
import { EXIT, type ExitCode, exitCodeOf } from "./exit-codes.ts";
import { leastReported, type SharedOptions } from "./options.ts";

type ReportOptions = Pick<SharedOptions, "report" | "color" | "failOn" | "minSeverity" | "quiet" | "all">;

/** Returns all findings, including those about reports that cannot be written, which also count. */
export function reportFindings(
  findings: readonly Finding[],
  options: ReportOptions,
  context: Context,
): readonly Finding[] {
  // People always get the findings, unless they asked for another format on the same stream.
  const toStream = options.report.some(({ file }) => file === undefined);
  const report = toStream ? options.report : [{ format: "text" } as const, ...options.report];
  // Errors decide the exit code whatever --fail-on says, and a report must be red when the exit code is not 0.
  const failOn = options.failOn === "never" ? "error" : options.failOn;
  return writeReports(findings, { ...options, report, failOn }, context);
}

export interface Written {
  readonly findings: readonly Finding[];
  /** A text for people, printed after the findings. */
  readonly summary: string;
}

/** @param write writes the output, and runs only if the findings so far allow it */
export function writeAndReport(
  findings: readonly Finding[],
  write: (() => Written) | undefined,
  options: ReportOptions,
  context: Context,
): ExitCode {
  const isSound = exitCodeOf(findings, options.failOn) === EXIT.done;
  const written = isSound ? write?.() : undefined;
  const reported = reportFindings([...findings, ...(written?.findings ?? [])], options, context);
  context.writeError(written?.summary ?? "");
  return exitCodeOf(reported, options.failOn);
}

/** Only the reports that options ask for: if findings are the answer, the command prints them itself. */
export function writeReports(
  findings: readonly Finding[],
  { report, color, failOn, ...options }: ReportOptions,
  context: Context,
): readonly Finding[] {
  const run = runOf({ failOn, ...options }, context);
  // Files first, so that the stream can report which of them could not be written.
  const failed = report.flatMap(({ format, file }) =>
    file === undefined ? [] : writeToFile(file, formatFindings(format, findings, { style: PLAIN }, run), context),
  );
  const reported = [...findings, ...failed];
  for (const { format, file } of report)
    if (file === undefined) {
      const page = { style: context.style(color), columns: context.errorColumns };
      context.writeError(formatFindings(format, reported, page, run));
    }
  return reported;
}

export function runOf({ failOn, ...options }: Omit<ReportOptions, "report" | "color">, context: Context) {
  return {
    failOn,
    version,
    helpOn: findingHelp(context),
    minSeverity: leastReported(options),
    all: options.all === true,
  };
}

/** @returns a finding if the file cannot be written, as for `--output-dir` */
export function writeToFile(file: string, text: string, context: Context): Finding[] {
  try {
    context.writeFile(file, text);
    return [];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [unwritable(file, code ?? message)];
  }
}

export function isFindingCode(word: string): word is FindingCode {
  return Object.hasOwn(FINDING_CODES, word);
}

/** Reads some 120 kB when the first section is needed. */
export function findingHelp({ files }: Pick<Context, "files">): (code: FindingCode) => string {
  const texts = memoize(() => JSON.parse(files.readShipped("findings.json")) as Record<FindingCode, string>);
  return (code) => texts()[code];
}
