/** `anp why`: why a node is still there, a pod waits, or the nodes of a pool stay. */
import type { Command } from "commander";
import { explainClusters } from "../analyze/explain/explain.ts";
import type { ReadDump } from "../analyze/plan/plan-dump.ts";
import { planPods } from "../analyze/plan/plan.ts";
import { subjectOf } from "../analyze/why/subject.ts";
import type { WhyAnswer } from "../analyze/why/why-answer.ts";
import { whyNode, whyPool } from "../analyze/why/why-node.ts";
import { whyPod } from "../analyze/why/why-pod.ts";
import { whyWorld } from "../analyze/why/why-world.ts";
import { blocksMarkdown } from "../report/blocks/markdown.ts";
import { terminalText } from "../report/blocks/terminal.ts";
import { printableJson } from "../report/terminal/printable.ts";
import { whyBlocks } from "../report/why/why-blocks.ts";
import { pageTitle } from "./cli/page-title.ts";
import type { Context } from "./cli/context.ts";
import { type ExitCode, UsageError } from "./cli/exit-codes.ts";
import {
  addKarpenterOption,
  addPolicyOption,
  addSharedOptions,
  choice,
  INPUT,
  type KarpenterOption,
  type PolicyOption,
  type SharedOptions,
} from "./cli/options.ts";
import { addBuildOptions, type BuildOptions } from "./input/builds.ts";
import { addFillOptions, type FillOptions } from "./input/fill-placeholders.ts";
import type { LoadedInput } from "./input/live-clusters.ts";
import { addLiveOptions, type LiveInputOptions } from "./input/live-input.ts";
import { addRegionOption, catalogues, pricesFor, type RegionOption } from "./input/load-catalogue.ts";
import { NO_POOL, readNodes } from "./input/read-nodes.ts";
import { onlyCluster } from "./plan/answer.ts";

export interface WhyOptions
  extends SharedOptions, PolicyOption, KarpenterOption, RegionOption, LiveInputOptions, FillOptions, BuildOptions {
  readonly output?: (typeof OUTPUTS)[number];
  readonly nodeData?: string;
  readonly catalogue?: string;
  readonly at?: string;
}

const OUTPUTS = ["text", "wide", "json", "markdown", "html"] as const;

export function addWhy(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("why")
    .description("show why a node is still there, why a pod waits or stays, or the nodes of a pool by reason")
    .argument("<name>", "a node, pod or NodePool: node/NAME, pod/NAMESPACE/NAME, nodepool/NAME or the name alone")
    .argument("[path...]", INPUT)
    .option("--node-data <file>", "the cluster now: a file of anp collect, or of kubectl get -A")
    .option("--at <time>", "the time of the answer (default: now)")
    .addOption(choice("-o, --output <format>", "form of the output", OUTPUTS, "text"))
    .option("--catalogue <file>", "the instance types that Karpenter knows (see anp catalogue)");
  addLiveOptions(
    addBuildOptions(addFillOptions(command)),
    "the nodes and pods of a cluster, and without a PATH its pools",
  );
  addSharedOptions(addKarpenterOption(addPolicyOption(addRegionOption(command))), "error").action(
    async (name: string, paths: string[], options: WhyOptions) => {
      exit(await runWhy(name, paths, options, context));
    },
  );
}

export async function runWhy(
  name: string,
  paths: readonly string[],
  options: WhyOptions,
  context: Context,
): Promise<ExitCode> {
  const read = await readNodes("anp why", paths, options, context);
  if (typeof read === "number") return read;
  const { loaded, dump, ended } = read;
  if (dump === undefined) return ended;
  const answer = answerTo(name, loaded, dump, options, context);
  context.writeOut(await outputOf(pageTitle(`anp why ${name}`, paths, options), answer, options, context));
  return ended;
}

function answerTo(name: string, loaded: LoadedInput, dump: ReadDump, options: WhyOptions, context: Context): WhyAnswer {
  const catalogueFor = catalogues(options.catalogue, context);
  const prices = pricesFor(catalogueFor, options, context);
  const cluster = onlyCluster(explainClusters(loaded.clusters, catalogueFor, prices, true));
  if (cluster === undefined) throw new UsageError(NO_POOL);
  const { objects } = dump.value;
  const input = { demands: dump.daemonSets, others: loaded.objects, dump: dump.value };
  const world = whyWorld(input, cluster);
  const subject = subjectOf(name, {
    nodes: world.disruption.nodes,
    pods: objects.filter(({ kind, apiVersion }) => kind === "Pod" && apiVersion === "v1"),
    pools: cluster.pools.map((pool) => pool.name),
  });
  if ("problem" in subject) throw new UsageError(subject.problem);
  if (subject.kind === "node") return whyNode(subject.node, world);
  if (subject.kind === "nodepool") return whyPool(subject.name, world);
  const plan = planPods(input, cluster, loaded.mode);
  if ("problem" in plan)
    throw new UsageError(`${plan.problem}: name the catalogue of a region with --catalogue (anp catalogue build)`);
  return whyPod(subject.pod, objects, plan, world);
}

async function outputOf(
  title: string,
  answer: WhyAnswer,
  { output = "text", color }: WhyOptions,
  context: Context,
): Promise<string> {
  if (output === "json") return printableJson(`${JSON.stringify(answer, undefined, 2)}\n`);
  const blocks = whyBlocks(answer, output === "wide");
  if (output === "html") return (await import("../report/html/pictures.ts")).whyPage(title, answer.at, blocks);
  if (output === "markdown") return blocksMarkdown(blocks, "anp why -o json");
  const width = output === "wide" ? (context.outColumns ?? Infinity) : context.outWidth;
  return terminalText(blocks, { style: context.outStyle(color), width });
}
