/** `anp watch shards`: which replica holds which shard, and so which hosted clusters. */
import type { Command } from "commander";
import { shardTables } from "../../report/list/shard-tables.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "../cli/exit-codes.ts";
import { choice } from "../cli/option-forms.ts";
import { readConfigFile } from "./config.ts";
import { shardingOf } from "./discovery.ts";
import { near } from "./shared-options.ts";

interface ShardsOptions {
  readonly config: string;
  readonly output: "table" | "json";
}

export function addShards(parent: Command, context: Context, exit: (code: ExitCode) => void): void {
  parent
    .command("shards")
    .description("which replica holds which shard, and the hosted clusters in it; exit 1 where nobody holds one")
    .requiredOption("--config <file>", "the WatchConfig of the watch, with spec.sharding")
    .addOption(choice("-o, --output <format>", "form of the output", ["table", "json"], "table"))
    .action(async (options: ShardsOptions) => {
      exit(await runShards(options, context));
    });
}

async function runShards({ config, output }: ShardsOptions, context: Context): Promise<ExitCode> {
  const spec = readConfigFile(config, context);
  const { discover } = spec;
  const sharding = discover && shardingOf(discover, spec, near(config), {}, context);
  if (sharding === undefined) throw new UsageError(`${config} has no spec.sharding: nothing is shared out`);
  // All the network, and the packages it takes, are loaded here only.
  const { readShards } = await import("../../cluster/run/run-watch.ts");
  const held = await readShards(sharding, discover?.selector, new Date(context.machine.now()));
  if ("problem" in held) {
    context.writeError(`anp: ${held.problem}\n`);
    return EXIT.cluster;
  }
  context.writeOut(output === "json" ? `${JSON.stringify(held, undefined, 2)}\n` : shardTables(held));
  return held.shards.some(({ replica }) => replica === undefined) ? EXIT.no : EXIT.done;
}
