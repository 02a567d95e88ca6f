/** `anp render`: the manifests of hosted clusters on standard output or in a directory. */
import type { Command } from "commander";
import { hasErrors } from "../krm/findings/finding.ts";
import { formatObjects, type OutputFormat } from "../krm/yaml/write.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import { resolveInTurn } from "../resolve/resolve.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "./cli/exit-codes.ts";
import {
  addPolicyOption,
  addSharedOptions,
  choice,
  INPUT,
  type PolicyOption,
  renderOptionsOf,
  type SharedOptions,
} from "./cli/options.ts";
import { writeAndReport } from "./cli/report.ts";
import { loadBundles, loadResources } from "./input/load.ts";
import { gatherUnder, loadPolicy } from "./input/load-policy.ts";
import { writeOutput } from "./input/output-directory.ts";
import { refusalOfNothing, renderLoaded } from "./input/render-loaded.ts";

interface RenderCommandOptions extends SharedOptions, PolicyOption {
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
    .argument("[path...]", INPUT)
    .addOption(choice("-o, --output <format>", "form of the output", ["yaml", "json", "resourcelist"], "yaml"))
    .option("--output-dir <dir>", "write one file per object, and remove earlier output that has no wrapper any more")
    .option("--include-user-data", "write the user data of Secrets (a secret) to the standard output")
    .option("--allow-empty", "with --output-dir: remove earlier output even if no wrapper was read")
    .option("--force", "with --output-dir: write even if other files are there");
  addSharedOptions(addPolicyOption(command, "to render Karpenter's own NodePools with"), "error").action(
    (paths: string[], options: RenderCommandOptions) => {
      exit(runRender(paths, options, context));
    },
  );
}

function runRender(paths: readonly string[], options: RenderCommandOptions, context: Context): ExitCode {
  checkOptions(options);
  const { outputDir, includeUserData } = options;
  const loaded = loadFor(paths, options, context);
  const { bundles, named, clusters } = loaded.value;
  if (!hasErrors(loaded.findings) && outputDir === undefined && bundles.length > 1) throw severalClusters(bundles);
  const { value: rendered, findings: found } = renderLoaded(
    loaded,
    { ...loaded.options, includeUserData },
    resolveInTurn,
  );
  const applied = rendered.clusters.map(loaded.applied);
  const findings = [...found, ...(outputDir === undefined ? refusalOfNothing(loaded) : [])];
  const several = named.length > 1 || clusters.isFleet;
  const layout = { several, selected: options.hostedCluster !== undefined };
  const write = outputDir === undefined ? undefined : () => writeOutput(outputDir, applied, { ...options, ...layout });
  const code = writeAndReport(findings, write, options, context);
  if (code === EXIT.done && outputDir === undefined) {
    const objects = applied.flatMap((cluster) => cluster.objects.map(({ object }) => object));
    context.writeOut(formatObjects(objects, options.output));
  }
  return code;
}

function loadFor(paths: readonly string[], options: RenderCommandOptions, context: Context) {
  const { policy, hostedCluster } = options;
  const rendering = renderOptionsOf(options);
  if (policy === undefined)
    return { ...loadBundles(paths, options, context), options: rendering, applied: <C>(cluster: C): C => cluster };
  const loaded = loadResources(paths, { ...options, notManifests: [policy] }, context);
  return gatherUnder(loadPolicy(policy, context), loaded, { ...rendering, hostedCluster });
}

function severalClusters(bundles: readonly Bundle[]): UsageError {
  const names = bundles.map((bundle) => bundle.hostedCluster).join(", ");
  return new UsageError(
    `the input is for several hosted clusters, and a stream holds one: ${names}\nselect one with --hosted-cluster, or write them all with --output-dir`,
  );
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
