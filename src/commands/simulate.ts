/** `anp simulate`: what node limits and disruption budgets allow, at a moment or over time. */
import { type Command, Option } from "commander";
import { type DescribedSimulation, describeSimulation } from "../analyze/simulate/describe.ts";
import { simulateFindings } from "../analyze/simulate/findings.ts";
import { nodesOf } from "../analyze/simulate/pool-nodes.ts";
import type { SimulatedPool } from "../analyze/simulate/pools.ts";
import { codeEntry } from "../krm/findings/finding-codes.ts";
import { type Finding, findingOnInput, hasErrors, ofCluster } from "../krm/findings/finding.ts";
import { HYPERSHIFT_KARPENTER_GROUP, KARPENTER_GROUP } from "../krm/findings/known-kinds.ts";
import type { InputMode } from "../model/objects/input-mode.ts";
import { DAY_MS } from "../model/values/civil-date.ts";
import { terminalText } from "../report/blocks/terminal.ts";
import { simulateJson } from "../report/simulate/json.ts";
import { simulateBlocks } from "../report/simulate/simulate-blocks.ts";
import { pageTitle } from "./cli/page-title.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, exitCodeOfAnswer, UsageError } from "./cli/exit-codes.ts";
import { addKarpenterOption, addSharedOptionsBut, choice, collect, INPUT, notesOnUnused } from "./cli/options.ts";
import { reportFindings } from "./cli/report.ts";
import { addBuildOptions } from "./input/builds.ts";
import { KARPENTER } from "./input/live-clusters.ts";
import { addFillOptions } from "./input/fill-placeholders.ts";
import { addLiveOptions, checkLiveOptions, readLiveKinds } from "./input/live-input.ts";
import { loadSimulation, type Simulation } from "./simulate/load.ts";
import {
  answerWindow,
  parseBatch,
  parseNodes,
  parseNodeTime,
  parseZone,
  type SimulateOptions,
  timesOf,
} from "./simulate/options.ts";

export function addSimulate(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("simulate")
    .description("show what node limits and disruption budgets allow, at a moment or over a span of time")
    .argument("[path...]", `${INPUT}: wrappers, NodePools, dumps`)
    .option("--at <time>", "the moment: 2026-11-23T09:00:00Z, '2026-11-23 09:00', +8h (default: now)")
    .option("--from <time>", "draw a timeline from here on (default: now)")
    .option("--to <time>", "to here, +36h and +7d count from the beginning (default: +7d)")
    .addOption(
      new Option("--tz <zone>", "the time zone to read and show times in")
        .argParser(parseZone)
        .default(undefined, "UTC"),
    )
    .option(
      "--node-data <file>",
      "a dump of the nodes, from kubectl get nodepools,nodeclaims,nodes,pods,pdb -A -o json",
    )
    .addOption(
      new Option("--nodes <pool=number>", "how many nodes a pool has; repeatable")
        .argParser(parseNodes)
        .default([], "none"),
    )
    .addOption(
      new Option("--set <pool.field=value>", "a change to try, such as web.limits.nodes=20; repeatable")
        .argParser(collect)
        .default([], "none"),
    )
    .option("--nodepool <name>", "this pool only; repeatable", collect, [])
    .option("--batch <number>", "new nodes that one batch of pods needs (default: 10)", parseBatch)
    .option("--node-time <duration>", "how long replacing one node takes (default: 5m)", parseNodeTime)
    .option("--local-window <window>", "print budgets in UTC for a window in --tz, such as 'mon-fri 08:00-18:00'")
    .option(
      "--allow-window <window>",
      "print budgets that allow disruption only in a window, such as 'mon 01:00-05:00'",
    )
    .addOption(choice("-o, --output <format>", "form of the output", ["text", "json", "html"], "text"));
  addLiveOptions(addBuildOptions(command), "the nodes of a cluster, and without a PATH its pools");
  addSharedOptionsBut(addFillOptions(addKarpenterOption(command), true), "never", UNUSED).action(
    async (paths: string[], options: SimulateOptions) => {
      context.writeError(notesOnUnused(command, UNUSED));
      exit(await runSimulate(paths, options, context));
    },
  );
}

/** No provider has rules on budgets, and anp simulates what it would not render. */
const UNUSED = ["rules", "featureGates"] as const;

/** The kinds of a dump, and the wrappers, which determine how the limits of their pools bind. */
const LIVE_KINDS = [
  {
    group: HYPERSHIFT_KARPENTER_GROUP,
    versions: ["v1beta1"],
    kind: "OpenshiftNodePool",
    plural: "openshiftnodepools",
    optional: true,
  },
  { group: KARPENTER_GROUP, versions: ["v1", "v1beta1"], kind: "NodePool", plural: "nodepools" },
  { group: KARPENTER_GROUP, versions: ["v1", "v1beta1"], kind: "NodeClaim", plural: "nodeclaims" },
  { group: "", versions: ["v1"], kind: "Node", plural: "nodes" },
  {
    group: "",
    versions: ["v1"],
    kind: "Pod",
    plural: "pods",
    unknown: "which nodes go first, and which nodes pods block",
  },
  {
    group: "policy",
    versions: ["v1"],
    kind: "PodDisruptionBudget",
    plural: "poddisruptionbudgets",
    optional: true,
    unknown: "whether a PodDisruptionBudget blocks a node",
  },
  KARPENTER,
];

const BATCH = 10;
const NODE_TIME = 300_000;

async function runSimulate(paths: readonly string[], options: SimulateOptions, context: Context): Promise<ExitCode> {
  checkLiveOptions(options);
  if (options.live === true && options.nodeData !== undefined)
    throw new UsageError("--live and --node-data both provide the nodes: give one of them");
  const times = timesOf(options, context.machine.now());
  if ((options.localWindow ?? options.allowWindow) !== undefined) return answerWindow(paths, times, options, context);
  const read = options.live === true ? await readLiveKinds(LIVE_KINDS, options, context) : undefined;
  if (typeof read === "number") return read;
  const notes = read?.unread.map(
    ({ plural, unknown, reason }) => `note: it is unknown ${unknown}, because ${plural} cannot be read: ${reason}\n`,
  );
  context.writeError(notes?.join("") ?? "");
  const live = read?.resources;
  const { value: simulation, findings: loaded } = loadSimulation(paths, live, options, context);
  const { at, zone } = times;
  // A page draws a calendar, of a week unless options say otherwise.
  const span = times.span ?? (options.output === "html" ? { from: at, to: at + 7 * DAY_MS } : undefined);
  const { batch = BATCH, nodeTime = NODE_TIME } = options;
  const findings: Finding[] = [...loaded];
  const described: DescribedSimulation[] = [];
  const readable = loaded.every(({ code }) => !codeEntry(code).unreadable);
  const several = new Set(simulation.pools.map(({ hostedCluster }) => hostedCluster)).size > 1;
  for (const pool of chosen(simulation, options, hasErrors(loaded))) {
    const nodes = nodesOf(pool, options.nodes.findLast(({ name }) => name === pool.name)?.count, simulation.nodes);
    findings.push(...ofCluster(several ? pool.hostedCluster : undefined, simulateFindings(pool, nodes, at, zone)));
    described.push(describeSimulation(pool, nodes, { at, span, nodeTime, batch }));
  }
  if (described.length === 0 && findings.every(({ severity }) => severity !== "error")) findings.push(NO_POOL);
  const { mode } = simulation;
  const reported = options.failOn === "info" ? findings : findings.filter((finding) => isReported(finding, mode));
  findings.push(...reportFindings(reported, options, context).slice(reported.length));
  if (readable) {
    const shown = { pools: described, mode, zone, at, nodeTime, batch };
    if (options.output === "html") {
      const { simulatePage } = await import("../report/html/pictures.ts");
      const title = pageTitle("anp simulate", paths, options);
      context.writeOut(await simulatePage({ ...shown, title, blocks: simulateBlocks(shown), findings: reported }));
    } else if (options.output === "json") {
      const asked = { batch: options.batch !== undefined, nodeTime: options.nodeTime !== undefined };
      context.writeOut(simulateJson(shown, { several, ...asked }));
    } else {
      const look = { style: context.outStyle(options.color), width: context.outWidth };
      context.writeOut(terminalText(simulateBlocks(shown), look));
    }
  }
  const ended = exitCodeOfAnswer(findings, options.failOn);
  // An answer without a policy that is required, or that a RenderConfig extends, is a failure.
  const lacksPolicy = findings.some(({ code }) => code === "policy-required" || code === "policy-invalid");
  return ended === EXIT.done && lacksPolicy ? EXIT.no : ended;
}

const NO_POOL: Finding = findingOnInput("no-wrappers", { message: "no OpenshiftNodePool or NodePool was read" });

/** Infos on rendering are not part of this answer. */
function isReported({ code, severity }: Finding, mode: InputMode): boolean {
  if (severity !== "info" || (mode === "raw" && code === "old-dialect")) return true;
  return code === "node-count-assumed" || code === "no-wrappers";
}

/** @param lacksSome whether findings already explain a missing pool */
function chosen({ pools }: Simulation, { nodepool }: SimulateOptions, lacksSome: boolean): readonly SimulatedPool[] {
  for (const name of nodepool)
    if (!lacksSome && !pools.some((pool) => pool.name === name))
      throw new UsageError(`the input has no node pool ${name}`);
  return nodepool.length === 0 ? pools : pools.filter(({ name }) => nodepool.includes(name));
}
