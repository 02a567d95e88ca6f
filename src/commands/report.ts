/** Findings to where the user wants them: standard error, and files for other programs. */
import type { Finding } from "../krm/finding.ts";
import { jsonReport } from "../report/json.ts";
import { PLAIN } from "../report/style.ts";
import { textReport } from "../report/text.ts";
import type { Context } from "./context.ts";
import { UsageError } from "./exit-codes.ts";
import type { SharedOptions } from "./options.ts";

export function reportFindings(
  findings: readonly Finding[],
  options: Pick<SharedOptions, "report" | "color">,
  context: Context,
): void {
  const toStream = options.report.filter((target) => target.file === undefined);
  // People always see the findings, unless they asked for another form of them on the same stream.
  if (toStream.length === 0) context.writeError(textReport(findings, context.style(options.color)));
  for (const { format, file } of options.report) {
    const style = file === undefined ? context.style(options.color) : PLAIN;
    const text = format === "json" ? jsonReport(findings) : textReport(findings, style);
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
