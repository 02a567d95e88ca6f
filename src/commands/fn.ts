/** `anp fn`: rendering as a KRM function, from a ResourceList to one with manifests and results. */
import type { Command, Option } from "commander";
import type { Finding } from "../krm/findings/finding.ts";
import { readSources } from "../krm/read/read.ts";
import { editResourceList } from "../krm/resource-list/edit-resource-list.ts";
import { readResourceList } from "../krm/resource-list/read-resource-list.ts";
import { functionResults } from "../report/findings/function-results.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf } from "./cli/exit-codes.ts";
import { addSharedOptions, settingOptions } from "./cli/options.ts";
import { reportFindings } from "./cli/report.ts";
import { answerResourceList, UNCHANGED } from "./fn/answer-resource-list.ts";
import type { FunctionOptions } from "./fn/function-settings.ts";

export function addFn(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("fn")
    .description("render as a KRM function: a ResourceList on the standard input, for kpt and kustomize");
  const { validate, ...settings } = settingOptions("fn");
  for (const option of [...Object.values<Option>(settings), validate]) command.addOption(option);
  addSharedOptions(command, "error").action((options: FunctionOptions) => {
    exit(runFn(options, context));
  });
}

function runFn(options: FunctionOptions, context: Context): ExitCode {
  const { value: sources, findings: onReading } = readSources({
    paths: ["-"],
    config: options.config,
    readStdin: context.readStdin,
  });
  const source = sources.find(({ file }) => file === "<stdin>");
  const { value: list, findings: onList } =
    source === undefined ? { value: undefined, findings: [] } : readResourceList(source);
  const onInput: Finding[] = [...onReading, ...onList];
  if (list === undefined) {
    return exitCodeOf(reportFindings(onInput, options, context), options.failOn);
  }
  const config = sources.find((candidate) => candidate.config);
  const { findings, edits, exit } = answerResourceList(list, onInput, { ...options, configFile: config });
  const reported = reportFindings(findings, options, context);
  const results = functionResults(reported, list.resources);
  // With any exit code but 0, every item is returned unchanged.
  const unwritten = reported.length > findings.length && exit === EXIT.done;
  const text = editResourceList(list, { ...(unwritten ? UNCHANGED : edits), results });
  // A host deletes items that do not come back, so the list is written even if a report cannot be.
  if (text !== undefined) context.writeOut(text);
  return unwritten ? exitCodeOf(reported, options.failOn) : exit;
}
