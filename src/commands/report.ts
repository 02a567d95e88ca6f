/** Findings to where the user wants them: standard error, and files for other programs. */
import type { Finding } from "../krm/finding.ts";
import { formatFindings } from "../report/format-findings.ts";
import { PLAIN } from "../report/style.ts";
import { version } from "../version.ts";
import type { Context } from "./context.ts";
import { UsageError } from "./exit-codes.ts";
import type { SharedOptions } from "./options.ts";

export function reportFindings(
  findings: readonly Finding[],
  options: Pick<SharedOptions, "report" | "color" | "failOn">,
  context: Context,
): void {
  // People always see the findings, unless they asked for another form of them on the same stream.
  const toStream = options.report.some(({ file }) => file === undefined);
  const report = toStream ? options.report : [{ format: "text" } as const, ...options.report];
  // Errors count for the exit code whatever --fail-on says, and a report is red where the exit code is.
  const failOn = options.failOn === "never" ? "error" : options.failOn;
  writeReports(findings, { ...options, report, failOn }, context);
}

/** The reports that were asked for and no others: where the findings are the answer, they have their own place. */
export function writeReports(
  findings: readonly Finding[],
  { report, color, failOn }: Pick<SharedOptions, "report" | "color" | "failOn">,
  context: Context,
): void {
  for (const { format, file } of report) {
    const style = file === undefined ? context.style(color) : PLAIN;
    const text = formatFindings(format, findings, style, { failOn, version });
    if (file === undefined) context.writeError(text);
    else writeReport(file, text, context);
  }
}

function writeReport(file: string, text: string, context: Context): void {
  try {
    context.writeFile(file, text);
  } catch (error) {
    throw new UsageError(
      `the report cannot be written to ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
    );
  }
}
