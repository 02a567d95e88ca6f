/** `anp explain`: whether each pool gets nodes, from which types, and which entries decide. */
import { type Command, Option } from "commander";
import { explainEvent, knownObjects } from "../analyze/check/explain-event.ts";
import { type RunningPools, runningPools } from "../analyze/check/running-pools.ts";
import { describeClusters, summarizeClusters } from "../analyze/explain/describe-clusters.ts";
import { explainClusters, type ExplainedCluster } from "../analyze/explain/explain.ts";
import type { PoolSummary } from "../analyze/explain/pool-answer.ts";
import { readEvents } from "../analyze/explain/read-events.ts";
import { replicaFindings } from "../analyze/plan/expand-pods.ts";
import { placeInClusters } from "../analyze/plan/place-pods.ts";
import { groupPods, readPods } from "../analyze/pods/read-pods.ts";
import { namesKind } from "../analyze/why/subject.ts";
import type { PodDemand } from "../karpenter/scheduling/pod-requests.ts";
import { storageOf } from "../karpenter/scheduling/pod-volumes.ts";
import { isProvisionable } from "../karpenter/scheduling/provisionable.ts";
import { kubeletRefused } from "../analyze/check/rules/kubelet-settings.ts";
import { codeEntry } from "../krm/findings/finding-codes.ts";
import type { Finding, Outcome } from "../krm/findings/finding.ts";
import type { Resource } from "../krm/places/resource.ts";
import { nearestWord } from "../krm/values/nearest-word.ts";
import type { Block } from "../report/blocks/blocks.ts";
import { terminalText } from "../report/blocks/terminal.ts";
import { eventBlocks, eventJson } from "../report/explain/event-blocks.ts";
import { explainBlocks, explainSummary, poolsThatCount, withHeads } from "../report/explain/explain-blocks.ts";
import { explainJson } from "../report/explain/explain-json.ts";
import { podBlocks } from "../report/explain/pods-blocks.ts";
import { POOLS_IN_FULL, poolTable } from "../report/explain/pool-table.ts";
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
import { pageTitle } from "./cli/page-title.ts";
import { drawExplained, drawPool } from "./input/draw-explained.ts";
import { addBuildOptions, type BuildOptions } from "./input/builds.ts";
import { type LoadedInput, loadInput } from "./input/live-clusters.ts";
import { kindsOfEvents } from "./input/event-kinds.ts";
import { addFillOptions, type FillOptions } from "./input/fill-placeholders.ts";
import { addLiveOptions, type LiveInputOptions } from "./input/live-input.ts";
import { addRegionOption, catalogues, pricesFor, type RegionOption } from "./input/load-catalogue.ts";
import type { LoadedClusters } from "./input/load-clusters.ts";
import { namesAmong } from "./input/names-among.ts";
import { readPodFiles } from "./input/pod-files.ts";

interface ExplainOptions
  extends SharedOptions, PolicyOption, KarpenterOption, FillOptions, BuildOptions, LiveInputOptions, RegionOption {
  /** If undefined: text for few pools, and a table for many. */
  readonly output?: (typeof OUTPUTS)[number];
  readonly nodepool: readonly string[];
  readonly types?: boolean;
  /** The file that gets the picture of the pool. */
  readonly picture?: string;
  readonly catalogue?: string;
  /** Files with pods; true for the pods of a cluster. */
  readonly pods: readonly (string | true)[];
  /** The text of events, or `-` for the standard input. */
  readonly event?: string;
}

const OUTPUTS = ["text", "wide", "json", "html"] as const;

export function addExplain(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("explain")
    .description("show for each pool whether it gets nodes, from which instance types, and why not from others")
    .argument("[path...]", INPUT)
    .addOption(
      choice(
        "-o, --output <format>",
        "form of the output: wide is one line per pool (default: text up to ten pools)",
        OUTPUTS,
      ),
    )
    .option("--nodepool <name>", "this pool only; repeatable", collect, [])
    .option("--picture <file>", "also write the picture of the pool to this file, as SVG")
    .option("--types", "list every instance type that is left")
    .addOption(
      new Option("--pods [file]", "pods or workloads to find a pool for; with --live and no file, the pending pods")
        .argParser(collectPods)
        .preset(true)
        .default([], "none"),
    )
    .option("--event <text>", "say what an event or a line of Karpenter's log means; - reads the standard input")
    .option("--catalogue <file>", "the instance types to choose from (see anp catalogue)");
  addLiveOptions(addBuildOptions(command), "the objects of a cluster instead of files");
  addSharedOptions(addFillOptions(addKarpenterOption(addPolicyOption(addRegionOption(command)))), "error").action(
    async (paths: string[], options: ExplainOptions) => {
      exit(await runExplain(paths, options, context));
    },
  );
}

async function runExplain(given: readonly string[], typed: ExplainOptions, context: Context): Promise<ExitCode> {
  if (typed.event !== undefined) return runEvent(given, { ...typed, event: typed.event }, context);
  const [subject = "", ...more] = given;
  if (namesKind(subject) && !context.files.exists(subject))
    return (await import("./why.ts")).runWhy(subject, more, typed, context);
  const { paths, names } = namesAmong(given, { noun: "pool", live: typed.live }, context);
  const options = { ...typed, nodepool: [...typed.nodepool, ...names] };
  const { types = false } = options;
  const withPods = options.pods.includes(true);
  if (withPods && options.live !== true)
    throw new UsageError("--pods without a file reads the pods of a cluster: add --live");
  const loaded = await loadInput(paths, options, context, { withPods, byConditions: true });
  if (typeof loaded === "number") return loaded;
  const { mode, readable, policy } = loaded;
  const catalogueFor = catalogues(options.catalogue, context);
  const prices = pricesFor(catalogueFor, options, context);
  const clusters = readable ? explainClusters(loaded.clusters, catalogueFor, prices, true) : [];
  const pods = loadPods(options.pods, loaded, context);
  const waiting = withPods && !loaded.unread.some(({ kind }) => kind === "Pod");
  const running = readable ? runningPools(loaded.rendered, catalogueFor) : NOTHING_RUNS;
  const refused = clusters.flatMap(kubeletRefused);
  const findings = [...loaded.findings, ...refused, ...pods.findings, ...running.findings];
  // Pods of a cluster are compared with the pools that run there.
  const beside = [...loaded.objects, ...pods.resources];
  const planned = replicaFindings(pods.value).length > 0 ? [] : pods.value;
  const placed =
    withPods && running.clusters.length > 0
      ? placeInClusters(planned, running.clusters, "raw", beside)
      : placeInClusters(planned, clusters, mode, beside);
  const notKnown =
    options.live === true ? loaded.unread.map(({ kind, unknown, reason }) => ({ kind, unknown, reason })) : undefined;
  if (readable) refuseUnknownPools(options.nodepool, loaded, running);
  const isAsked = ({ name }: { readonly name: string }): boolean =>
    options.nodepool.length === 0 || options.nodepool.includes(name);
  const chosen = clusters.map((cluster) => ({
    ...cluster,
    explanations: cluster.explanations.filter(({ pool }) => isAsked(pool)),
  }));
  const explained = chosen.flatMap(({ explanations }) => explanations.map(({ pool }) => pool));
  // Effects of rendering alone, such as leaving out user data, are not part of this answer.
  const counted =
    options.nodepool.length === 0
      ? findings
      : findingsOnPools(findings, {
          names: options.nodepool,
          nodeClasses: explained.map(({ nodeClassRef }) => nodeClassRef.name),
        });
  const reported = options.failOn === "info" ? counted : counted.filter(isReported);
  const unwritten = reportFindings(reported, options, context).slice(reported.length);
  const parsed = findings.every(({ code }) => codeEntry(code).unreadable !== true);
  const answer = { mode, outputs: running.outputs.filter(isAsked), asked: { pods: placed, waiting }, notKnown };
  const form = options.output ?? (!types && explained.length > POOLS_IN_FULL ? "wide" : "text");
  if (readable && options.picture !== undefined)
    await writePicture(options.picture, { clusters, chosen, policy, isAsked }, context);
  if (readable && form === "html") {
    const pools = describeClusters(chosen, policy);
    const title = pageTitle("anp explain", given, typed);
    const page = { ...answer, title, pools, findings: reported, catalogue: catalogueFor() };
    context.writeOut(await drawExplained(clusters, page, isAsked));
  } else if (form === "json" && (readable || parsed)) {
    // Programs get an answer whenever the input parsed. Pools with an unreadable policy are left out.
    context.writeOut(explainJson({ ...answer, pools: describeClusters(chosen, policy) }, catalogueFor()));
  } else if (readable) {
    const style = context.outStyle(options.color);
    const look = { style, width: context.outWidth };
    const onPods = podBlocks(answer.asked);
    const start: readonly Block[] = onPods.length === 0 ? [] : [...onPods, { kind: "gap" }];
    context.writeOut(terminalText(start, look));
    if (form === "wide") {
      const pools = summarizeClusters(chosen, policy);
      const tables = withHeads({ running: poolTable(answer.outputs), wrappers: poolTable(pools) });
      const summary = { mode, pools: poolsThatCount<PoolSummary>(pools, answer.outputs) };
      context.writeOut(terminalText(tables, { style, width: context.outColumns ?? Infinity }));
      context.writeOut(terminalText(explainSummary(summary, catalogueFor()), look));
    } else {
      const pools = describeClusters(chosen, policy);
      context.writeOut(terminalText(explainBlocks({ ...answer, pools }, catalogueFor(), types), look));
    }
  }
  return exitCodeOfAnswer([...counted, ...unwritten], options.failOn);
}

interface Pictured {
  readonly clusters: readonly ExplainedCluster[];
  readonly chosen: readonly ExplainedCluster[];
  readonly policy: Parameters<typeof describeClusters>[1];
  readonly isAsked: (pool: { readonly name: string }) => boolean;
}

/** @throws UsageError unless there is exactly one pool, with known instance types */
async function writePicture(file: string, { clusters, chosen, policy, isAsked }: Pictured, context: Context) {
  if (!file.endsWith(".svg")) throw new UsageError("--picture writes SVG: name a file that ends in .svg");
  const [pool, ...others] = describeClusters(chosen, policy);
  if (pool === undefined || others.length > 0)
    throw new UsageError("--picture draws one pool: select it with --nodepool");
  const picture = await drawPool(clusters, pool, isAsked);
  if (picture === undefined) throw new UsageError("--picture: the instance types of the pool are not known");
  context.writeFile(file, picture);
}

/** `--event`: the answer is about the message, and about the manifests if there are some. */
async function runEvent(
  paths: readonly string[],
  options: ExplainOptions & Required<Pick<ExplainOptions, "event">>,
  context: Context,
): Promise<ExitCode> {
  const { event, live, output = "text", nodepool, pods, policy, types } = options;
  if (output !== "text" && output !== "json") throw new UsageError("--event answers in text or json");
  if (pods.length > 0 || nodepool.length > 0 || types === true || policy !== undefined)
    throw new UsageError("--event asks about a message: leave --pods, --nodepool, --types and --policy out");
  if (event === "-" && paths.includes("-"))
    throw new UsageError("--event - reads the standard input: name the manifests as files");
  const given = event === "-" ? context.readStdin().toString("utf8") : event;
  const { events, cut } = readEvents(given, event === "-");
  if (events.length === 0) throw new UsageError("--event needs the text of an event: it is empty");
  const loaded =
    paths.length === 0 && live !== true
      ? undefined
      : await loadInput(paths, options, context, { byConditions: true, others: kindsOfEvents(events) });
  if (typeof loaded === "number") return loaded;
  const catalogueFor = catalogues(options.catalogue, context);
  const clusters = loaded?.readable === true ? explainClusters(loaded.clusters, catalogueFor) : [];
  const unread = loaded?.unread.map(({ kind }) => kind) ?? [];
  const known =
    loaded?.readable === true
      ? knownObjects(clusters, { all: loaded.objects, isLive: live === true, unread })
      : undefined;
  const explained = events.map((one) => explainEvent(one, known));
  const names = [...new Set(explained.flatMap(({ parts }) => parts.flatMap(({ pool }) => pool ?? [])))];
  const all = loaded?.findings ?? [];
  const onNamed = findingsOnPools(all, { names, nodeClasses: [] });
  // An object that could not be read may be the one that the event is about.
  const findings = all.filter((finding) => finding.severity === "error" || onNamed.includes(finding));
  reportFindings(findings.filter(isReported), options, context);
  const answer = { schemaVersion: 1 as const, pools: known?.all.length ?? null, cut, events: explained };
  const look = { style: context.outStyle(options.color), width: context.outWidth };
  context.writeOut(output === "json" ? eventJson(answer) : terminalText(eventBlocks(answer, live === true), look));
  const ended = exitCodeOfAnswer(findings, options.failOn);
  return ended === EXIT.done && explained.every(({ parts }) => parts.length === 0) ? EXIT.no : ended;
}

/** These change the answer: without a policy it differs, and a pool that is being deleted gets no nodes for pods. */
const REPORTED: ReadonlySet<string> = new Set([
  "policy-absent",
  "hosted-cluster-absent",
  "being-deleted",
  "file-passed-over",
  "kustomization-unbuilt",
  "embedded-unread",
  "terraform-unread",
  "chart-unbuilt",
  "placeholder-unfilled",
]);

function isReported({ severity, code }: Finding): boolean {
  return severity !== "info" || REPORTED.has(code);
}

function loadPods(
  asked: readonly (string | true)[],
  { livePods, namedPods, storage }: LoadedInput,
  { readStdin }: Context,
): Outcome<PodDemand[]> & { readonly resources: readonly Resource[] } {
  const files = asked.filter((file) => file !== true);
  const ofFiles = files.length === 0 ? NO_PODS : readPodFiles(files, storage, readStdin);
  const known = storageOf(storage);
  const named = readPods(namedPods, known);
  const live = readPods(
    livePods.filter((pod) => pod.kind !== "Pod" || isProvisionable(pod.value)),
    known,
  );
  const value = [...ofFiles.value, ...named.value, ...groupPods(live.value)];
  return {
    value,
    resources: ofFiles.resources,
    findings: [...ofFiles.findings, ...named.findings, ...live.findings, ...replicaFindings(value)],
  };
}

const NO_PODS = { value: [], findings: [], resources: [] };

/** True stands for the pods of a cluster. */
function collectPods(given: string | true, previous: readonly (string | true)[]): (string | true)[] {
  return [...previous, given];
}

const NOTHING_RUNS: RunningPools = { clusters: [], outputs: [], findings: [] };

function refuseUnknownPools(
  asked: readonly string[],
  { mode, bundles }: LoadedClusters,
  { outputs }: RunningPools,
): void {
  const names = [...bundles.flatMap(({ nodePools }) => nodePools), ...outputs].map(({ name }) => name);
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestWord(unknown, names, 3);
  const meant = nearest === undefined ? "" : `: did you mean ${nearest}?`;
  throw new UsageError(`the input has no ${mode === "hosted" ? "OpenshiftNodePool" : "NodePool"} ${unknown}${meant}`);
}

const POOL_KINDS: readonly string[] = ["NodePool", "OpenshiftNodePool"];
const CLASS_KINDS: readonly string[] = ["EC2NodeClass", "OpenshiftEC2NodeClass"];

interface Pools {
  readonly names: readonly string[];
  /** The node classes that the pools refer to. */
  readonly nodeClasses: readonly string[];
}

/** Leaves out findings on other pools and their node classes. Findings on the whole input or unreadable files stay. */
function findingsOnPools(findings: readonly Finding[], { names, nodeClasses }: Pools): Finding[] {
  return findings.filter(({ code, resource }) => {
    if (resource === undefined || codeEntry(code).unreadable === true) return true;
    if (POOL_KINDS.includes(resource.kind)) return names.includes(resource.name);
    return !CLASS_KINDS.includes(resource.kind) || nodeClasses.includes(resource.name);
  });
}
