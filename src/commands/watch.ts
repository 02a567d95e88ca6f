/** `anp watch`: render and apply in a loop, for one hosted cluster or those of a WatchConfig. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseShardRange, SHARD_RANGES, type ShardRange } from "../model/settings/discover-config.ts";
import { ALONE_VARIABLE } from "../model/settings/watch-config.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf, UsageError } from "./cli/exit-codes.ts";
import { choice, collect, onlyOnce, settingOptions } from "./cli/options.ts";
import { catalogues } from "./input/load-catalogue.ts";
import { readWatchConfig } from "./watch/config.ts";
import type { WatchOptions } from "./watch/options.ts";

export function addWatch(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const { hostedCluster, policyDir, requirePolicy, profile, dryRun, interval, allowEmpty, ...others } =
    settingOptions("watch");
  const { maxPrune, concurrency, listen, ...settings } = others;
  const command = program
    .command("watch")
    .description("render and apply to guest clusters in a loop")
    .argument("[path...]", "read the wrappers from files or directories instead of the guest cluster")
    .addOption(hostedCluster)
    .option(
      "--name <name>",
      "the name of this watch, which never changes objects of another one (default: watch)",
      parseName,
    )
    .addOption(
      new Option("--cluster <name>", "only this cluster of the WatchConfig; repeatable")
        .argParser(collect)
        .default([], "all"),
    )
    .option("--guest-kubeconfig <file>", "the guest cluster, which is applied to")
    .option("--guest-context <name>", "its context")
    .option("--management-kubeconfig <file>", "the management cluster, which holds the policy")
    .option("--management-context <name>", "its context")
    .option("--allow-exec", "let your own kubeconfigs run programs and read files, as kubectl does")
    .option("--config <file>", "a WatchConfig for several hosted clusters, or a RenderConfig for this one", onlyOnce())
    .addOption(policyDir)
    .addOption(requirePolicy)
    .addOption(profile)
    .addOption(
      choice(
        "--feature-gates <gates>",
        "AutoNode=false applies nothing and removes nothing",
        ["AutoNode=true", "AutoNode=false"],
        "AutoNode=true",
      ),
    )
    .option("--once", "one pass, then exit: 0 done, 1 something is held, 3 unreadable input, 4 cluster trouble")
    .addOption(dryRun)
    .addOption(interval)
    .addOption(allowEmpty)
    .addOption(maxPrune)
    .addOption(
      new Option("--adopt <name>", "take over an object that exists already, such as NodePool/web; repeatable")
        .argParser(collect)
        .default([], "none"),
    );
  for (const option of Object.values<Option>(settings)) command.addOption(option);
  command
    .addOption(concurrency)
    .option("--leader-elect", "work only while holding a Lease, so that several replicas may run")
    .option("--leader-election-namespace <namespace>", "of the Lease (default: the pod's)")
    .option("--leader-election-name <name>", "of the Lease (default: anp-watch)")
    .addOption(listen)
    .option("--shard-range <range>", "reconcile only these shards of the WatchConfig, such as 0-15", parseRange)
    .addOption(
      choice(
        "--log-format <format>",
        "of the log; on a terminal the log replaces the dashboard",
        ["logfmt", "json"],
        "logfmt",
      ),
    )
    .action(async (paths: string[], options: WatchOptions, given: Command) => {
      // An explicit log format asks for the log in place of the dashboard.
      const mayDraw = given.getOptionValueSource("logFormat") !== "cli" && context.machine.isInteractive();
      exit(await runCommand(paths, ofAlone(options, context), mayDraw, context));
    });
}

async function runCommand(
  paths: readonly string[],
  options: WatchOptions,
  mayDraw: boolean,
  context: Context,
): Promise<ExitCode> {
  if (paths.includes("-"))
    throw new UsageError("the standard input can be read only once, and watch reads its input repeatedly");
  const { once = false, logFormat } = options;
  if (once && options.listen !== undefined) throw new UsageError("--once and --listen exclude each other");
  const { specs, ...run } = readWatchConfig(paths, options, context);
  // Network code and its packages are loaded only here.
  const { runWatch, parentFence } = await import("../cluster/run/run-watch.ts");
  // One for all hosted clusters, and for the dashboard.
  const catalogue = catalogues(undefined, context);
  const { writeError: write, writeErrorLater: writeLater } = context;
  const mayAsk = aloneCluster(context) === undefined ? undefined : await parentFence();
  const runOptions = { ...run, once, logFormat, catalogue, write, writeLater, mayAsk };
  const outcome =
    mayDraw && !once
      ? await (
          await import("./watch/dashboard.ts")
        ).runOnDashboard((dashboard) => runWatch(specs, { ...runOptions, ...dashboard }), catalogue, context)
      : await runWatch(specs, runOptions);
  if (outcome.problem !== undefined) {
    context.writeError(`anp: ${outcome.problem}\n`);
    return EXIT.cluster;
  }
  if (!once) return EXIT.done;
  const code = exitCodeOf(outcome.findings, "error");
  if (code === EXIT.unreadable) return code;
  if (outcome.result === "failed") return EXIT.cluster;
  return outcome.result === "held" ? EXIT.no : code;
}

/** Of a process that a watch started for one pass of this cluster, with its own arguments. */
function aloneCluster({ env }: Context): string | undefined {
  return env[ALONE_VARIABLE];
}

function ofAlone(options: WatchOptions, context: Context): WatchOptions {
  const cluster = aloneCluster(context);
  if (cluster === undefined) return options;
  const kept = Object.entries(options).filter(([flag]) => !OF_A_LEADER.includes(flag));
  const alone = { ...(Object.fromEntries(kept) as unknown as WatchOptions), once: true, logFormat: "json" } as const;
  // Flags name one cluster, and are all that there is to know of it.
  if (options.hostedCluster !== undefined) return alone;
  const { name: _name, ...ofConfig } = alone;
  return { ...ofConfig, cluster: [cluster] };
}

const OF_A_LEADER: readonly string[] = ["leaderElect", "leaderElectionNamespace", "leaderElectionName", "listen"];

function parseName(text: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new InvalidArgumentError("Write lower-case letters, digits and - only.");
}

function parseRange(text: string): ShardRange {
  const range = parseShardRange(text);
  if (range !== undefined) return range;
  throw new InvalidArgumentError(`Write ${SHARD_RANGES}.`);
}
