/** `anp adopt`: raw NodePools and node classes as wrappers, printed or in a directory. */
import type { Command } from "commander";
import { adopt } from "../adopt/adopt.ts";
import { hasErrors } from "../krm/findings/finding.ts";
import { fileNameOf } from "../krm/write/file-name.ts";
import { planDirectory, writeDirectory } from "../krm/write/write-directory.ts";
import { formatObjects, toYaml } from "../krm/yaml/write.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "./cli/exit-codes.ts";
import { addInputOptions, choice, INPUT, type InputOptions } from "./cli/options.ts";
import { writeAndReport } from "./cli/report.ts";
import { loadResources } from "./input/load.ts";

interface AdoptCommandOptions extends InputOptions {
  readonly output: "yaml" | "json";
  readonly outputDir?: string;
}

export function addAdopt(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("adopt")
    .description("turn raw NodePools and EC2NodeClasses into the wrappers that render to them")
    .argument("[path...]", INPUT)
    .addOption(choice("-o, --output <format>", "form of the output", ["yaml", "json"], "yaml"))
    .option("--output-dir <dir>", "write one file per object; existing files are never replaced");
  addInputOptions(command, "error").action((paths: string[], options: AdoptCommandOptions) => {
    exit(runAdopt(paths, options, context));
  });
}

function runAdopt(paths: readonly string[], options: AdoptCommandOptions, context: Context): ExitCode {
  const { output, outputDir, hostedCluster, profile } = options;
  if (outputDir !== undefined && output !== "yaml")
    throw new UsageError(`--output-dir writes YAML files, not ${output}`);
  const { value: loaded, findings: onLoading } = loadResources(paths, options, context);
  const adopted = hasErrors(onLoading)
    ? { value: [], findings: [] }
    : adopt(loaded.resources, { hostedCluster, config: loaded.config, profile });
  const write = outputDir === undefined ? undefined : () => writeWrappers(outputDir, adopted.value);
  const code = writeAndReport([...onLoading, ...adopted.findings], write, options, context);
  if (code === EXIT.done && outputDir === undefined) context.writeOut(formatObjects(adopted.value, output));
  return code;
}

/** Users own these files from now on, so anp neither replaces nor removes any of them. */
function writeWrappers(directory: string, wrappers: readonly KubeObject[]) {
  const files = new Map(wrappers.map((one) => [fileNameOf(one), toYaml(one)]));
  const { plan, findings } = planDirectory({ directory, files, isOurs: () => false, force: true, prune: false });
  const all = [...findings, ...(findings.length > 0 ? [] : writeDirectory(plan))];
  const summary = `${directory}: ${plan.write.size} written, ${plan.unchanged.length} unchanged\n`;
  return { findings: all, summary: all.length > 0 || files.size === 0 ? "" : summary };
}
