/** `anp rollout status`: which waves of a rollout have converged, by dumps or live clusters. */
import { type ClusterProgress, progressOf } from "../../analyze/rollout/cluster-progress.ts";
import { describePolicy } from "../../analyze/rollout/plan-waves.ts";
import type { RolloutStatus } from "../../analyze/rollout/rollout-answer.ts";
import type { SideCluster } from "../../analyze/diff/sides.ts";
import { type Finding, hasErrors } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { clusterDumps } from "../../krm/read/cluster-dumps.ts";
import { canonical } from "../../krm/values/canonical.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf, UsageError } from "../cli/exit-codes.ts";
import type { SharedOptions } from "../cli/options.ts";
import { reportFindings } from "../cli/report.ts";
import { sideOf } from "../diff/side.ts";
import { buildsOf } from "../input/builds.ts";
import { NODE_CLAIMS, NODE_CLASSES, NODE_POOLS } from "../input/live-clusters.ts";
import { ofKubernetes } from "../input/of-kubernetes.ts";
import { type LiveInputOptions, readLiveKinds } from "../input/live-input.ts";
import { loadResources } from "../input/load.ts";
import { matchDumps, readDumpOf } from "../input/node-data.ts";
import { formatRolloutStatus, type RolloutFormat } from "./format.ts";
import { readPlan } from "./read-plan.ts";

export interface RolloutStatusOptions extends SharedOptions, LiveInputOptions {
  readonly output: RolloutFormat;
  readonly plan: string;
  readonly nodeData?: string;
}

export async function runRolloutStatus(
  paths: readonly string[],
  options: RolloutStatusOptions,
  context: Context,
): Promise<ExitCode> {
  const { live, nodeData } = options;
  if ((live === true) === (nodeData !== undefined))
    throw new UsageError("say where the clusters are read from: --node-data DIR, the folder of anp collect, or --live");
  const plan = readPlan(options.plan, context);
  const asked = { ...options, builds: buildsOf({ render: false }, false, context) };
  const { value, findings: onReading } = loadResources(paths, asked, context);
  const side = sideOf({ ...value, findings: onReading }, "hosted", options);
  if (!side.readable || hasErrors(side.findings)) {
    reportFindings(side.findings, options, context);
    return EXIT.unreadable;
  }
  const rendered = new Map(side.clusters.map((cluster) => [cluster.hostedCluster, cluster]));
  const clusters = plan.flatMap((wave) => wave.clusters.map(({ hostedCluster }) => hostedCluster));
  const source =
    nodeData === undefined ? await liveSource(clusters, options, context) : dumpSource(nodeData, clusters, context);
  if (typeof source === "number") return source;
  const waves: RolloutStatus["waves"][number][] = [];
  for (const { name, clusters: of } of plan) {
    const found = [];
    for (const { hostedCluster, policy } of of) {
      const made = rendered.get(hostedCluster);
      const progress = progressWithout(made, policy) ?? (await progressIn(hostedCluster, made!, source));
      if (typeof progress === "number") return progress;
      found.push({ hostedCluster, ...progress });
    }
    waves.push({ name, converged: found.every(({ state }) => state === "converged"), clusters: found });
  }
  const reported = reportFindings(side.findings.filter(isReported), options, context);
  const status: RolloutStatus = { schemaVersion: 1, converged: waves.every(({ converged }) => converged), waves };
  context.writeOut(await formatRolloutStatus(options.output, status, reported, options, context));
  return status.converged ? exitCodeOf(reported, options.failOn) : EXIT.no;
}

/** What rendering says of the manifests is the answer of check. */
function isReported({ severity }: Finding): boolean {
  return severity !== "info";
}

/** The objects of a cluster; undefined if they are unknown. */
interface ClusterSource {
  readonly read: (hostedCluster: string) => Promise<readonly Resource[] | ExitCode | undefined>;
}

function dumpSource(folder: string, clusters: readonly string[], context: Context): ClusterSource {
  const dumps = clusterDumps(folder);
  if (dumps === undefined) throw new UsageError(`--node-data ${folder}: give the folder of anp collect`);
  // A cluster without a dump is unknown in the answer, unless the manifests alone decide.
  const { dumpOf } = matchDumps(folder, dumps, clusters);
  const read = (hostedCluster: string) => {
    const dump = dumpOf.get(hostedCluster);
    return Promise.resolve(dump === undefined ? undefined : readDumpOf(dump.file, context));
  };
  return { read };
}

/** Each cluster is a context of the kubeconfig, named as a dump is. */
async function liveSource(
  clusters: readonly string[],
  options: RolloutStatusOptions,
  context: Context,
): Promise<ClusterSource | ExitCode> {
  const { contextNames } = await import("../../cluster/run/live-queries.ts");
  const names = options.context === undefined ? contextNames(options) : [options.context];
  if ("problem" in names) {
    context.writeError(`anp: ${names.problem}\n`);
    return EXIT.cluster;
  }
  const contexts = names.map((name) => ({ name, file: name, isLink: false }));
  const { dumpOf } = matchDumps("the kubeconfig", contexts, clusters);
  const read = async (hostedCluster: string) => {
    const found = dumpOf.get(hostedCluster);
    if (found === undefined) return undefined;
    const answer = await readLiveKinds(KINDS, { ...options, context: found.name }, context);
    return typeof answer === "number" ? answer : answer.resources;
  };
  return { read };
}

const KINDS = [NODE_POOLS, NODE_CLAIMS, NODE_CLASSES, ofKubernetes("Node", "nodes", "the nodes are unknown")];

/** What the manifests alone say; undefined if the cluster decides. */
function progressWithout(made: SideCluster | undefined, policy: unknown): ClusterProgress | undefined {
  const unknown = (why: string): ClusterProgress => ({ state: "unknown", nodes: null, why });
  if (made?.policySide === undefined) return unknown("the manifests have no policy of it that can be read");
  if (made.unsure === "all" || made.unsure.size > 0) return unknown("some of its pools cannot be rendered");
  if (canonical(describePolicy(made.policySide.policy)) === canonical(policy)) return undefined;
  return { state: "not-in-files", nodes: null, why: "the manifests have another policy than the plan" };
}

async function progressIn(
  hostedCluster: string,
  made: SideCluster,
  { read }: ClusterSource,
): Promise<ClusterProgress | ExitCode> {
  const live = await read(hostedCluster);
  if (typeof live === "number") return live;
  if (live === undefined) return { state: "unknown", nodes: null, why: "the cluster was not read" };
  return progressOf(
    made.objects.map(({ object }) => object),
    live,
  );
}
