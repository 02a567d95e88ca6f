/** `anp plan`: which nodes Karpenter would launch for pods, and what they cost. */
import type { Command } from "commander";
import { explainClusters } from "../analyze/explain/explain.ts";
import { replicaFindings } from "../analyze/plan/expand-pods.ts";
import { planPods } from "../analyze/plan/plan.ts";
import { isNodeData } from "../analyze/nodes/node-pairs.ts";
import { readPods } from "../analyze/pods/read-pods.ts";
import { storageOf } from "../karpenter/scheduling/pod-volumes.ts";
import type { Resource } from "../krm/places/resource.ts";
import { isDaemonSet } from "../model/objects/pod.ts";
import { terminalText } from "../report/blocks/terminal.ts";
import { planBlocks } from "../report/plan/plan-blocks.ts";
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
import { readDump } from "./input/read-dump.ts";
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
    .option("--node-data <file>", "the cluster now: kubectl get nodes,nodeclaims,pods,daemonsets,pdb -A -o json")
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
  const dump = options.nodeData === undefined ? undefined : readClusterDump(options.nodeData, loaded.storage, context);
  const onReplicas = replicaFindings([...pods.value, ...(dump?.value.pods ?? [])]);
  const findings = [...loaded.findings, ...pods.findings, ...(dump?.findings ?? []), ...onReplicas];
  reportFindings(findings, options, context);
  const [cluster, ...others] = clusters.filter(({ pools }) => pools.length > 0);
  if (others.length > 0) throw new UsageError("the pools are of several clusters: select one with --hosted-cluster");
  // A number of pods that is wrong makes every line of the plan wrong.
  if (cluster === undefined || onReplicas.length > 0) return exitCodeOfAnswer(findings, options.failOn);
  const ofDump = dump?.value.daemonSets ?? [];
  const answer = planPods({ demands: [...pods.value, ...ofDump], dump: dump?.value }, cluster, loaded.mode);
  if ("problem" in answer)
    throw new UsageError(`${answer.problem}: name the catalogue of a region with --catalogue (anp catalogue build)`);
  const look = { style: context.outStyle(options.color), width: context.outWidth };
  context.writeOut(options.output === "json" ? planJson(answer) : terminalText(planBlocks(answer), look));
  const ended = exitCodeOfAnswer(findings, options.failOn);
  return ended === EXIT.done && answer.unplaced.length > 0 ? EXIT.no : ended;
}

/** The nodes, pods and DaemonSets of a cluster. @param storage volumes of the other inputs */
function readClusterDump(path: string, storage: readonly Resource[], context: Context) {
  const objects = readDump(path, DUMP, context);
  const isPod = ({ apiVersion, kind }: Resource): boolean => kind === "Pod" && apiVersion === "v1";
  const known = storageOf([...storage, ...objects]);
  const pods = readPods(objects.filter(isPod), known);
  const daemonSets = readPods(objects.filter(isDaemonSet), known);
  return {
    value: { objects, pods: pods.value, daemonSets: daemonSets.value, at: context.machine.now() },
    findings: [...pods.findings, ...daemonSets.findings],
  };
}

const DUMP = {
  isWanted: (object: Resource) => isNodeData(object),
  wanted: "neither NodeClaims nor Nodes nor Pods",
  kubectl: "kubectl get nodes,nodeclaims,pods,daemonsets,pdb,namespaces -A -o json",
};
