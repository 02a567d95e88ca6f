/** `anp watch`: render and apply in a loop, for one hosted cluster or those of a WatchConfig. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseGoDuration } from "../model/go-duration.ts";
import { HOSTED_CLUSTER_NAME } from "../model/hosted-clusters.ts";
import { PROFILES } from "../model/profile.ts";
import type { Context } from "./context.ts";
import { EXIT, type ExitCode, exitCodeOf, UsageError } from "./exit-codes.ts";
import { readWatchConfig, type WatchOptions } from "./watch-config.ts";

export function addWatch(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  program
    .command("watch")
    .description("render and apply to guest clusters in a loop")
    .argument("[path...]", "read the wrappers from files or directories instead of the guest cluster")
    .addOption(
      new Option("--hosted-cluster <namespace>", "the hosted control plane's namespace").argParser(parseNamespace),
    )
    .addOption(
      new Option("--name <name>", "of this watch: what another one applied is not touched")
        .argParser(parseName)
        .default("watch"),
    )
    .option("--guest-kubeconfig <file>", "the guest cluster, which is applied to")
    .option("--guest-context <name>", "its context")
    .option("--management-kubeconfig <file>", "the management cluster, which holds the policy")
    .option("--management-context <name>", "its context")
    .option("--config <file>", "a WatchConfig for several hosted clusters, or a RenderConfig for this one")
    .option("--policy-dir <path>", "read policies and other rules of files only there")
    .option("--require-policy", "hold everything while there is no AutoNodePolicy")
    .addOption(new Option("--profile <name>", "the Karpenter to render for (default: hypershift)").choices(PROFILES))
    .addOption(
      new Option("--feature-gates <gates>", "AutoNode=false applies nothing and removes nothing")
        .choices(["AutoNode=true", "AutoNode=false"])
        .default("AutoNode=true"),
    )
    .option("--once", "one pass, then exit: 0 done, 1 something is held, 3 unreadable input, 4 cluster trouble")
    .option("--dry-run", "let the API server judge everything, and change nothing")
    .addOption(new Option("--interval <duration>", "between two passes (default: 1m)").argParser(parseInterval))
    .option("--allow-empty", "prune although no wrapper was read")
    .addOption(
      new Option("--max-prune <number>", "delete at most so many in one pass, else none (default: 5)").argParser(
        parseCount,
      ),
    )
    .addOption(
      new Option("--adopt <name>", "take over an object that is there already, such as NodePool/web; repeatable")
        .argParser((text: string, before: readonly string[]) => [...before, text])
        .default([], "none"),
    )
    .addOption(
      new Option("--on-policy-unreadable <mode>", "when RBAC forbids to read the policy (default: Hold)").choices([
        "Hold",
        "Permissive",
      ]),
    )
    .addOption(new Option("--log-format <format>", "of the log").choices(["logfmt", "json"]).default("logfmt"))
    .action(async (paths: string[], options: WatchOptions) => {
      exit(await runCommand(paths, options, context));
    });
}

async function runCommand(paths: readonly string[], options: WatchOptions, context: Context): Promise<ExitCode> {
  if (paths.includes("-"))
    throw new UsageError("the standard input can be read only once, and watch reads again and again");
  const { specs, intervalMs } = readWatchConfig(paths, options, context);
  // All the network, and the packages it takes, are loaded here only.
  const { runWatch } = await import("../cluster/run/run-watch.ts");
  const { once = false, logFormat } = options;
  const outcome = await runWatch(specs, { once, intervalMs, logFormat, write: context.writeError });
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

function parseNamespace(text: string): string {
  if (HOSTED_CLUSTER_NAME.test(text)) return text;
  throw new InvalidArgumentError("It must be a namespace, such as clusters-my-cluster.");
}

function parseName(text: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new InvalidArgumentError("Write lower-case letters, digits and - only.");
}

/** Milliseconds. */
function parseInterval(text: string): number {
  const duration = parseGoDuration(text);
  if (duration === undefined || duration < 1_000_000_000n)
    throw new InvalidArgumentError("Write a duration of a second or more, such as 30s or 5m.");
  return Number(duration / 1_000_000n);
}

function parseCount(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a number.");
}
