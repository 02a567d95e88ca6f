/** `anp plan`: which nodes Karpenter would launch for pods, and what they cost. */
import type { Command } from "commander";
import { explainClusters } from "../analyze/explain/explain.ts";
import { planPods } from "../analyze/plan/plan.ts";
import { planJson } from "../report/plan/plan-json.ts";
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
  type SharedOptions,
} from "./cli/options.ts";
import { reportFindings } from "./cli/report.ts";
import { loadInput } from "./input/live-clusters.ts";
import { addRegionOption, catalogues, pricesFor, type RegionOption } from "./input/load-catalogue.ts";
import { readPodFiles } from "./input/pod-files.ts";

interface PlanOptions extends SharedOptions, PolicyOption, KarpenterOption, RegionOption {
  readonly output: "text" | "json";
  readonly pods: readonly string[];
  readonly nodeData?: string;
  readonly catalogue?: string;
}

export function addPlan(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("plan")
    .description("show which nodes Karpenter would launch for pods, and what they cost")
    .argument("[path...]", INPUT)
    .option("--pods <file>", "pods or workloads to plan, and DaemonSets beside them; repeatable", collect, [])
    .addOption(choice("-o, --output <format>", "form of the output", ["text", "json"], "text"))
    .option("--catalogue <file>", "the instance types to choose from (see anp catalogue)");
  addSharedOptions(addKarpenterOption(addPolicyOption(addRegionOption(command))), "error").action(
    async (paths: string[], options: PlanOptions) => {
      exit(await runPlan(paths, options, context));
    },
  );
}

async function runPlan(paths: readonly string[], options: PlanOptions, context: Context): Promise<ExitCode> {
  const loaded = await loadInput(paths, options, context, {});
  if (typeof loaded === "number") return loaded;
  const catalogueFor = catalogues(options.catalogue, context);
  const clusters = loaded.readable
    ? explainClusters(loaded.clusters, catalogueFor, pricesFor(catalogueFor, options, context), true)
    : [];
  const pods = readPodFiles(options.pods, loaded.storage, context.readStdin);
  const findings = [...loaded.findings, ...pods.findings];
  reportFindings(findings, options, context);
  const [cluster, ...others] = clusters.filter(({ pools }) => pools.length > 0);
  if (others.length > 0) throw new UsageError("the pools are of several clusters: select one with --hosted-cluster");
  if (cluster === undefined) return exitCodeOfAnswer(findings, options.failOn);
  const answer = planPods(pods.value, cluster, loaded.mode);
  context.writeOut(planJson(answer));
  const ended = exitCodeOfAnswer(findings, options.failOn);
  return ended === EXIT.done && answer.unplaced.length > 0 ? EXIT.no : ended;
}
