/** `anp adopt`: raw objects as wrappers, or OpenshiftNodePools as raw; printed, or as files. */
import { type Command, Option } from "commander";
import { adopt, lacksPoolWrapper } from "../adopt/adopt.ts";
import { hasErrors } from "../krm/findings/finding.ts";
import { fileNameOf } from "../krm/write/file-name.ts";
import { planDirectory, writeDirectory } from "../krm/write/write-directory.ts";
import { formatObjects, toYaml } from "../krm/yaml/write.ts";
import { inputMode } from "../model/objects/input-mode.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "./cli/exit-codes.ts";
import { addInputOptions, choice, INPUT, type InputOptions } from "./cli/options.ts";
import { writeAndReport } from "./cli/report.ts";
import { loadLiveObjects } from "./input/live-clusters.ts";
import { addLiveOptions, checkLiveOptions, type LiveInputOptions, refusePaths } from "./input/live-input.ts";
import { loadResources } from "./input/load.ts";

interface AdoptCommandOptions extends InputOptions, LiveInputOptions {
  readonly raw?: boolean;
  readonly wrapped?: boolean;
  readonly output: "yaml" | "json";
  readonly outputDir?: string;
}

export function addAdopt(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("adopt")
    .description("turn raw NodePools and EC2NodeClasses into the wrappers that render to them, or back")
    .argument("[path...]", INPUT)
    .addOption(choice("-o, --output <format>", "form of the output", ["yaml", "json"], "yaml"))
    .option("--output-dir <dir>", "write one file per object; existing files are never replaced")
    .addOption(new Option("--raw", "make NodePools of OpenshiftNodePools instead").conflicts("wrapped"))
    .option("--wrapped", "make OpenshiftNodePools even if HyperShift, as it ships, does not serve them");
  addLiveOptions(addInputOptions(command, "error"), "the objects of a cluster instead of files").action(
    async (paths: string[], options: AdoptCommandOptions) => {
      exit(await runAdopt(paths, options, context));
    },
  );
}

async function runAdopt(paths: readonly string[], options: AdoptCommandOptions, context: Context): Promise<ExitCode> {
  const { output, outputDir, hostedCluster, profile, raw, wrapped = false } = options;
  if (outputDir !== undefined && output !== "yaml")
    throw new UsageError(`--output-dir writes YAML files, not ${output}`);
  const read = await load(paths, options, context);
  if (typeof read === "number") return read;
  const { loaded, findings: onLoading, servesPools, allWrappers } = read;
  const { resources, config } = loaded;
  const withoutPools = !wrapped && lacksPoolWrapper(resources, inputMode(resources, options), servesPools);
  const adopted = hasErrors(onLoading)
    ? { value: [], findings: [] }
    : adopt(resources, { hostedCluster, config, profile, raw, allWrappers, withoutPools });
  const write = outputDir === undefined ? undefined : () => writeObjects(outputDir, adopted.value);
  const code = writeAndReport([...onLoading, ...adopted.findings], write, options, context);
  if (code === EXIT.done && outputDir === undefined) context.writeOut(formatObjects(adopted.value, output));
  return code;
}

/** Of files it is unknown whether their cluster serves the wrapper of pools. */
async function load(paths: readonly string[], options: AdoptCommandOptions, context: Context) {
  checkLiveOptions(options);
  if (options.live !== true) {
    const { value: loaded, findings } = loadResources(paths, options, context);
    return { loaded, findings, servesPools: undefined, allWrappers: false };
  }
  refusePaths(paths);
  return loadLiveObjects(options, context);
}

/** Users own these files from now on, so anp neither replaces nor removes any of them. */
function writeObjects(directory: string, objects: readonly KubeObject[]) {
  const files = new Map(objects.map((one) => [fileNameOf(one), toYaml(one)]));
  const { plan, findings } = planDirectory({ directory, files, isOurs: () => false, force: true, prune: false });
  const all = [...findings, ...(findings.length > 0 ? [] : writeDirectory(plan))];
  const summary = `${directory}: ${plan.write.size} written, ${plan.unchanged.length} unchanged\n`;
  return { findings: all, summary: all.length > 0 || files.size === 0 ? "" : summary };
}
