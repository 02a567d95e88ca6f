/** `anp render`: the manifests of hosted clusters on standard output or in a directory. */
import { type Command, Option } from "commander";
import { type Finding, hasErrors } from "../krm/finding.ts";
import { formatObjects, type OutputFormat } from "../krm/write.ts";
import { applyRulesOf, renderAll } from "../render/render-all.ts";
import type { Context } from "./context.ts";
import { EXIT, type ExitCode, exitCodeOf, UsageError } from "./exit-codes.ts";
import { loadBundles } from "./load.ts";
import { addSharedOptions, type SharedOptions } from "./options.ts";
import { writeOutput } from "./output-directory.ts";
import { reportFindings } from "./report.ts";

interface RenderCommandOptions extends SharedOptions {
  readonly output: OutputFormat;
  readonly outputDir?: string;
  readonly includeUserData?: boolean;
  readonly allowEmpty?: boolean;
  readonly force?: boolean;
}

export function addRender(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("render")
    .description("render the manifests that a hosted cluster should run")
    .argument("[path...]", "files, directories, or - for the standard input")
    .addOption(
      new Option("-o, --output <format>", "form of the output")
        .choices(["yaml", "json", "resourcelist"])
        .default("yaml"),
    )
    .option("--output-dir <dir>", "write one file an object, and remove earlier output that has lost its wrapper")
    .option("--include-user-data", "write the user data of Secrets (a secret) to the standard output")
    .option("--allow-empty", "with --output-dir: remove earlier output although no wrapper was read")
    .option("--force", "with --output-dir: write although other files stand there");
  addSharedOptions(command, "error").action((paths: string[], options: RenderCommandOptions) => {
    exit(runRender(paths, options, context));
  });
}

function runRender(paths: readonly string[], options: RenderCommandOptions, context: Context): ExitCode {
  checkOptions(options);
  const loaded = loadBundles(paths, options, context);
  const bundles = hasErrors(loaded.findings) ? [] : loaded.value;
  if (options.outputDir === undefined && bundles.length > 1) {
    const names = bundles.map((bundle) => bundle.hostedCluster).join(", ");
    throw new UsageError(
      `the input is for several hosted clusters, and a stream carries one: ${names}\nselect one with --hosted-cluster, or write them all with --output-dir`,
    );
  }
  const rendered = renderAll(bundles, {
    profile: options.profile,
    requirePolicy: options.requirePolicy,
    autoNode: options.featureGates.AutoNode,
    includeUserData: options.includeUserData,
  });
  const findings: Finding[] = [...applyRulesOf(loaded.value, loaded.findings), ...rendered.findings];
  let code = exitCodeOf(findings, options.failOn);
  if (code === EXIT.done && options.outputDir !== undefined) {
    const written = writeOutput(options.outputDir, rendered.value, options, context);
    findings.push(...written);
    code = exitCodeOf(findings, options.failOn);
  }
  reportFindings(findings, options, context);
  if (code === EXIT.done && options.outputDir === undefined) {
    const objects = rendered.value.flatMap((cluster) => cluster.objects.map(({ object }) => object));
    context.writeOut(formatObjects(objects, options.output));
  }
  return code;
}

function checkOptions({ outputDir, includeUserData, allowEmpty, force, output }: RenderCommandOptions): void {
  if (outputDir === undefined) {
    if (allowEmpty) throw new UsageError("--allow-empty goes with --output-dir");
    if (force) throw new UsageError("--force goes with --output-dir");
    return;
  }
  if (includeUserData)
    throw new UsageError("--include-user-data goes to the standard output only: files are committed");
  if (output !== "yaml") throw new UsageError(`--output-dir writes YAML files, not ${output}`);
}
