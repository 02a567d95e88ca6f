/** `anp plan`: which nodes Karpenter would launch for pods, and what they cost. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { PlanAnswer } from "../analyze/plan/plan-answer.ts";
import { changeReplicas } from "../analyze/plan/what-if.ts";
import { withoutCapacity } from "../karpenter/catalogue/without-capacity.ts";
import type { PodDemand } from "../karpenter/scheduling/pod-requests.ts";
import type { Finding } from "../krm/findings/finding.ts";
import { inputMode } from "../model/objects/input-mode.ts";
import { memoizeByObject } from "../model/schema/memoize.ts";
import { blocksMarkdown } from "../report/blocks/markdown.ts";
import { terminalText } from "../report/blocks/terminal.ts";
import { planBlocks } from "../report/plan/plan-blocks.ts";
import { planJson } from "../report/plan/plan-json.ts";
import { pageTitle } from "./cli/page-title.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, exitCodeOfAnswer, UsageError } from "./cli/exit-codes.ts";
import {
  addKarpenterOption,
  addPolicyOption,
  addSharedOptions,
  choice,
  collect,
  INPUT,
  type KarpenterOption,
  type PolicyOption,
  renderOptionsOf,
  type SharedOptions,
} from "./cli/options.ts";
import { reportFindings } from "./cli/report.ts";
import { readAgainst } from "./diff/against.ts";
import { fillSides } from "./diff/sides.ts";
import { addBuildOptions, type BuildOptions, buildsOf } from "./input/builds.ts";
import { addFillOptions, type FillOptions, valuesOf } from "./input/fill-placeholders.ts";
import { loadInput } from "./input/live-clusters.ts";
import { addLiveOptions, checkLiveOptions, type LiveInputOptions } from "./input/live-input.ts";
import { foreignOf, passOver } from "./input/load.ts";
import { clustersOf, type LoadedClusters, refuseOldVersions, underPolicyOf } from "./input/load-clusters.ts";
import { addRegionOption, catalogues, pricesFor, type RegionOption } from "./input/load-catalogue.ts";
import { readCluster } from "./input/read-cluster.ts";
import { readPodFiles } from "./input/pod-files.ts";
import { answerPlan, findingsOfPlan, type PlanQuestion } from "./plan/answer.ts";
import { addConsolidateOptions, asksForMoves, type ConsolidateOptions, runConsolidate } from "./plan/consolidate.ts";

interface PlanOptions
  extends
    SharedOptions,
    PolicyOption,
    KarpenterOption,
    RegionOption,
    LiveInputOptions,
    FillOptions,
    BuildOptions,
    ConsolidateOptions {
  readonly output: (typeof OUTPUTS)[number];
  readonly pods: readonly string[];
  readonly nodeData?: string;
  readonly against?: string;
  readonly catalogue?: string;
  readonly replicas: ReadonlyMap<string, number>;
  readonly scale?: number;
  readonly hpa?: "max";
  readonly withoutZone: readonly string[];
  readonly withoutTypes: readonly string[];
  readonly empty?: boolean;
  readonly savings?: boolean;
}

const OUTPUTS = ["text", "wide", "json", "markdown", "html"] as const;

export function addPlan(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("plan")
    .description("show which nodes Karpenter would launch for pods, and what they cost")
    .argument("[path...]", INPUT)
    .option("--pods <file>", "pods or workloads to plan, and DaemonSets beside them; repeatable", collect, [])
    .option("--node-data <file>", "the cluster now: a file of anp collect, or of kubectl get -A -o json")
    .option("--against <side>", "plan the pools of an old side as well: a directory or file, or a git ref")
    .addOption(choice("-o, --output <format>", "form of the output: wide is one line per node", OUTPUTS, "text"))
    .option("--catalogue <file>", "the instance types to choose from (see anp catalogue)")
    .addOption(
      new Option("--replicas <workload=number>", "plan this many pods of a workload in --pods; repeatable")
        .argParser(parseReplicas)
        .default(new Map(), "none"),
    )
    .option("--scale <factor>", "plan as many times the pods of each workload in --pods, such as 2x", parseFactor)
    .addOption(choice("--hpa <replicas>", "plan as many pods as autoscalers in --pods allow", ["max"]))
    .option("--without-zone <zone>", "as if the cloud had no capacity in this zone; repeatable", collect, [])
    .addOption(
      new Option("--without-types <pattern>", "as if it had none of these types, such as 'm5.*'; repeatable")
        .argParser(collectPattern)
        .default([], "none"),
    )
    .option("--empty", "all pods of the cluster, as if it had no nodes")
    .option("--savings", "also what the pods that run would cost packed anew, and which constraints cost most");
  addLiveOptions(
    addBuildOptions(addFillOptions(addConsolidateOptions(command))),
    "the nodes and pods of a cluster, and without a PATH its pools",
  );
  addSharedOptions(addKarpenterOption(addPolicyOption(addRegionOption(command))), "error").action(
    async (paths: string[], options: PlanOptions) => {
      exit(await (asksForMoves({ ...options }) ? runConsolidate : runPlan)(paths, options, context));
    },
  );
}

async function runPlan(paths: readonly string[], options: PlanOptions, context: Context): Promise<ExitCode> {
  checkOptions(paths, options);
  const { live, kubeconfig: _, context: __, ...ofFiles } = options;
  const loaded = await loadInput(paths, live === true && paths.length === 0 ? options : ofFiles, context, {});
  if (typeof loaded === "number") return loaded;
  const old = options.against === undefined ? undefined : loadAgainst(options.against, paths, options, context);
  const { storage: ofInputs, objects } = loaded;
  const asked = { storage: ofInputs, objects, at: context.machine.now(), withoutNodes: options.empty === true };
  const dump = await readCluster(options, asked, context);
  if (typeof dump === "number") return dump;
  const storage = [...loaded.storage, ...(dump?.value.objects ?? [])];
  const { resources, ...pods } = readPodFiles(options.pods, storage, context.readStdin);
  refuseUnknownWorkloads(options.replicas, pods.value);
  const { replicas, scale, hpa } = options;
  const given = changeReplicas(pods.value, resources, { replicas, scale, atMaximum: hpa === "max" });
  const catalogueFor = catalogues(options.catalogue, context);
  const short = memoizeByObject((catalogue: ReturnType<typeof catalogueFor>) =>
    withoutCapacity(catalogue, { zones: options.withoutZone, types: options.withoutTypes }),
  );
  const question: PlanQuestion = {
    loaded,
    old,
    pods: { value: given, findings: pods.findings },
    others: [...(loaded.objects ?? []), ...resources],
    dump,
    catalogueFor: (settings) => short(catalogueFor(settings)),
    pricesFor: pricesFor(catalogueFor, options, context),
    withSavings: options.savings,
  };
  const findings = findingsOfPlan(question);
  reportFindings(findings, options, context);
  const answer = answerPlan(question);
  const ended = exitCodeOfAnswer(findings, options.failOn);
  if (answer === undefined) return ended;
  context.writeOut(await outputOf(answer, { paths, findings }, options, context));
  return ended === EXIT.done && answer.unplaced.length > 0 ? EXIT.no : ended;
}

async function outputOf(
  answer: PlanAnswer,
  { paths, findings }: { readonly paths: readonly string[]; readonly findings: readonly Finding[] },
  options: PlanOptions,
  context: Context,
): Promise<string> {
  const { output, color } = options;
  if (output === "json") return planJson(answer);
  if (output === "html") {
    const { planPage } = await import("../report/html/pictures.ts");
    return planPage(pageTitle("anp plan", paths, options), answer, findings);
  }
  const blocks = planBlocks(answer, output === "wide");
  if (output === "markdown") return blocksMarkdown(blocks, "anp plan -o json");
  const width = output === "wide" ? (context.outColumns ?? Infinity) : context.outWidth;
  return terminalText(blocks, { style: context.outStyle(color), width });
}

function checkOptions(paths: readonly string[], options: PlanOptions): void {
  const { live, nodeData, against, empty, savings } = options;
  checkLiveOptions(options);
  if (live === true && nodeData !== undefined)
    throw new UsageError("--live and --node-data both provide the nodes: give one of them");
  if (empty === true && live !== true && nodeData === undefined)
    throw new UsageError("--empty plans the pods of a cluster: add --live or --node-data");
  if (savings === true && live !== true && nodeData === undefined)
    throw new UsageError("--savings compares with what runs in a cluster: add --live or --node-data");
  if (savings === true && empty === true)
    throw new UsageError("--empty forgets what runs, and --savings compares with it: give one of them");
  if (against !== undefined && paths.length === 0)
    throw new UsageError("--against compares the pools of two sides: name the new one as PATH");
}

/** The pools of the old side. */
function loadAgainst(
  against: string,
  paths: readonly string[],
  options: PlanOptions,
  context: Context,
): LoadedClusters {
  const { set: _set, envFile: _envFile, live: _live, ...unfilled } = options;
  const asked = { ...unfilled, builds: buildsOf(options, false, context) };
  const sides = [readAgainst(against, paths, asked, context)] as const;
  const [filled] = fillSides(sides, valuesOf(options, context), unfilled);
  const { findings, broken = [], ...value } = filled;
  const foreign = inputMode(value.resources, options) === "raw" ? foreignOf(broken) : [];
  const read = { value, findings: passOver(findings, foreign) };
  const { live: _, ...given } = { ...options, ...renderOptionsOf(options) };
  const loaded = clustersOf(read, given);
  return refuseOldVersions(underPolicyOf({ ...loaded, config: value.config }, options, context));
}

function parseReplicas(text: string, previous: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const [, name, count] = /^([^=]+)=(\d{1,6})$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("Write NAME=NUMBER or NAMESPACE/NAME=NUMBER, such as web=30.");
  return new Map([...previous, [name, Number(count)]]);
}

function collectPattern(text: string, previous: readonly string[]): string[] {
  if (text.split("*").length > 2)
    throw new InvalidArgumentError("Write a type, or a pattern with one *, such as m5.*.");
  return [...previous, text];
}

function parseFactor(text: string): number {
  const factor = /^\d{1,6}(?:\.\d{1,6})?x?$/.test(text) ? Number(text.replace("x", "")) : 0;
  if (factor <= 0) throw new InvalidArgumentError("Write a number greater than 0, such as 2x or 1.5.");
  return factor;
}

function refuseUnknownWorkloads(replicas: ReadonlyMap<string, number>, pods: readonly PodDemand[]): void {
  const names = pods.flatMap(({ resource: { namespace = "default", name } }) => [name, `${namespace}/${name}`]);
  const unknown = [...replicas.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`--replicas ${unknown}: --pods has no workload of that name`);
}
