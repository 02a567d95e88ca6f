/** `anp explain`: will each pool get nodes, from which instance types, and who asked for what. */
import { type Command, Option } from "commander";
import { describeExplanation, type DescribedPool } from "../analyze/describe-explanation.ts";
import { type ExplainedCluster, explainClusters } from "../analyze/explain.ts";
import { type PlacedPod, placePods } from "../analyze/place-pods.ts";
import { poolOrder } from "../analyze/pool-order.ts";
import { type PodDemand, readPods } from "../analyze/read-pods.ts";
import type { Catalogue } from "../karpenter/catalogue.ts";
import { type Finding, hasErrors, type Outcome } from "../krm/finding.ts";
import { codeEntry } from "../krm/finding-codes.ts";
import { nearestWord } from "../krm/nearest-word.ts";
import { parseSources } from "../krm/parse.ts";
import { readSources } from "../krm/read.ts";
import type { Bundle } from "../model/bundle.ts";
import { applyRulesOf, renderAll } from "../render/render-all.ts";
import { explainJson } from "../report/explain-json.ts";
import { explainText } from "../report/explain-text.ts";
import { podsText } from "../report/pods-text.ts";
import type { Context } from "./context.ts";
import { type ExitCode, exitCodeOfAnswer, UsageError } from "./exit-codes.ts";
import { loadBundles } from "./load.ts";
import { loadCatalogue } from "./load-catalogue.ts";
import { addSharedOptions, type SharedOptions } from "./options.ts";
import { reportFindings } from "./report.ts";

interface ExplainOptions extends SharedOptions {
  readonly output: "text" | "json";
  readonly nodepool?: string;
  readonly types?: boolean;
  readonly catalogue?: string;
  readonly pods: readonly string[];
}

export function addExplain(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("explain")
    .description("say of each pool whether it gets nodes, from which instance types, and why not from others")
    .argument("[path...]", "files, directories, or - for the standard input")
    .addOption(new Option("-o, --output <format>", "form of the output").choices(["text", "json"]).default("text"))
    .option("--nodepool <name>", "one pool only")
    .option("--types", "list every instance type that is left")
    .option("--pods <file>", "pods or workloads to find a pool for; repeatable", collect, [])
    .option("--catalogue <file>", "instance types to ask about (see anp catalogue)");
  addSharedOptions(command, "error").action((paths: string[], options: ExplainOptions) => {
    exit(runExplain(paths, options, context));
  });
}

function runExplain(paths: readonly string[], options: ExplainOptions, context: Context): ExitCode {
  const { value: gathered, findings: loaded } = loadBundles(paths, options, context);
  const { bundles } = gathered;
  const { profile, requirePolicy, featureGates } = options;
  const renderOptions = { profile, requirePolicy, autoNode: featureGates.AutoNode };
  const readable = !hasErrors(loaded);
  const rendered = readable ? renderAll(bundles, renderOptions).findings : bundles.flatMap(({ findings }) => findings);
  const findings: Finding[] = [...applyRulesOf(bundles, loaded), ...rendered];
  const catalogue = loadCatalogue(options.catalogue, context);
  const clusters = readable ? explainClusters(bundles, renderOptions, catalogue) : [];
  const pods = loadPods(options.pods, context);
  findings.push(...pods.findings);
  const placed = clusters.flatMap((cluster) => placePods(pods.value, cluster));
  const pools = clusters.flatMap(describeCluster).filter(({ name }) => (options.nodepool ?? name) === name);
  if (options.nodepool !== undefined && pools.length === 0 && readable) throw unknownPool(options.nodepool, bundles);
  // What only rendering does, such as leaving user data out, is no part of this answer.
  const told = options.failOn === "info" ? findings : findings.filter(({ severity }) => severity !== "info");
  reportFindings(told, options, context);
  const parsed = findings.every(({ code }) => codeEntry(code).unreadable !== true);
  // Programs get an answer whenever the input parsed: nothing is said of pools whose policy nobody can tell.
  if (readable || (parsed && options.output === "json"))
    context.writeOut(format(pools, placed, catalogue, options, context));
  return exitCodeOfAnswer(findings, options.failOn);
}

function format(
  pools: readonly DescribedPool[],
  pods: readonly PlacedPod[],
  { source, date }: Catalogue,
  { output, color, types = false }: ExplainOptions,
  context: Context,
): string {
  if (output === "json") return explainJson(pools, pods, { source, date });
  const { outWidth: width } = context;
  const style = context.outStyle(color);
  const onPods = podsText(pods, style, width);
  return explainText(pools, { source, date }, { style, width, types }) + (onPods === "" ? "" : `\n${onPods}`);
}

function loadPods(files: readonly string[], { readStdin }: Context): Outcome<PodDemand[]> {
  if (files.length === 0) return { value: [], findings: [] };
  const sources = readSources({ paths: files, readStdin });
  const parsed = parseSources(sources.value);
  const pods = readPods(parsed.value);
  return { value: pods.value, findings: [...sources.findings, ...parsed.findings, ...pods.findings] };
}

function collect(file: string, previous: readonly string[]): string[] {
  return [...previous, file];
}

function describeCluster({ pools, explanations }: ExplainedCluster): DescribedPool[] {
  const order = poolOrder(pools).map(({ name }) => name);
  return explanations.map((explanation) => describeExplanation(explanation, order));
}

function unknownPool(name: string, bundles: readonly Bundle[]): UsageError {
  const names = bundles.flatMap(({ nodePools }) => nodePools.map((pool) => pool.name));
  const nearest = nearestWord(name, names, 3);
  const meant = nearest === undefined ? "" : `: did you mean ${nearest}?`;
  return new UsageError(`the input has no OpenshiftNodePool ${name}${meant}`);
}
