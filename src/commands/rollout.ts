/** `anp rollout`: a change of policies over many hosted clusters, in waves. */
import { type Command, Option } from "commander";
import type { Context } from "./cli/context.ts";
import type { ExitCode } from "./cli/exit-codes.ts";
import { addSharedOptions, choice, INPUT, parseNodeTime } from "./cli/options.ts";
import { addLiveOptions, checkLiveOptions } from "./input/live-input.ts";
import { addRegionOption } from "./input/load-catalogue.ts";
import { ROLLOUT_FORMATS } from "./rollout/format.ts";
import { type RolloutPlanOptions, runRolloutPlan } from "./rollout/plan.ts";
import { type RolloutStatusOptions, runRolloutStatus } from "./rollout/status.ts";

export function addRollout(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const rollout = program
    .command("rollout")
    .description("change policies of many hosted clusters in waves")
    .helpCommand(false);
  const output = () => choice("-o, --output <format>", "form of the answer", ROLLOUT_FORMATS, "text");
  const plan = rollout
    .command("plan")
    .description("cut a change of policies into waves, and write the files of each")
    .argument("<path...>", `the new side: ${INPUT}`)
    .requiredOption("--against <side>", "the old side: a directory, or a git ref of the same paths")
    .requiredOption("--waves <list>", "such as canary,10%,rest: labels, names, shares, numbers of clusters")
    .option("-d, --directory <dir>", "write the files of each wave below this directory")
    .option("--node-data <dir>", "the folder of anp collect, with the nodes of each cluster")
    .addOption(
      new Option("--node-time <duration>", "the assumed time to replace one node")
        .argParser(parseNodeTime)
        .default(300_000_000_000n, "5m"),
    )
    .option("--at <time>", "when the change is made: 2026-11-23T09:00:00Z, +8h (default: now)")
    .option("--catalogue <file>", "the instance types to compare over (see anp catalogue)")
    .addOption(output());
  addSharedOptions(addRegionOption(plan), "error").action(async (paths: string[], options: RolloutPlanOptions) => {
    exit(await runRolloutPlan(paths, options, context));
  });
  const status = rollout
    .command("status")
    .description("show which waves have converged: no node of them drifts any more")
    .argument("<path...>", INPUT)
    .requiredOption("--plan <dir>", "the directory that anp rollout plan -d wrote")
    .option("--node-data <dir>", "the folder of anp collect, with the objects of each cluster")
    .addOption(output());
  addLiveOptions(status, "read each cluster: the context of the kubeconfig with its name");
  addSharedOptions(status, "error").action(async (paths: string[], options: RolloutStatusOptions) => {
    checkLiveOptions(options);
    exit(await runRolloutStatus(paths, options, context));
  });
}
