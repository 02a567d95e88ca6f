/** `anp cmp generate`: the manifests of an Argo CD application, or nothing and the reason. */
import { formatObjects } from "../../krm/write.ts";
import { printableLines } from "../../report/terminal/printable.ts";
import { type CmpOptions, parametersOf, renderApplication } from "./application.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf, UsageError } from "../cli/exit-codes.ts";
import { reportFindings } from "../cli/report.ts";

/** Manifests go to standard output, the reason to standard error. */
export function runGenerate(options: CmpOptions, context: Context): ExitCode {
  const parameters = parametersOf(options, context);
  // Before anything is read: what was meant might be another folder.
  if (parameters.problems.length > 0) throw new UsageError(parameters.problems.join("\n"));
  const { objects, findings, refusal, exit } = renderApplication(parameters, options, context);
  if (refusal !== undefined) throw new UsageError(refusal);
  // The user interface shows the first line best: errors come before notes.
  const told = reportFindings(findings, options, context);
  context.writeError(parameters.notes.map((note) => `anp: note: ${printableLines(note)}\n`).join(""));
  const code = exit === EXIT.done ? exitCodeOf(told, options.failOn) : exit;
  if (code === EXIT.done) context.writeOut(formatObjects(objects, "yaml"));
  return code;
}
