/** `anp cmp`: anp as a config-management plugin of Argo CD (docs/argocd.md). */
import { type Command, InvalidArgumentError, Option } from "commander";
import { HOSTED_CLUSTER_NAME } from "../model/hosted-clusters.ts";
import type { CmpOptions } from "./cmp/application.ts";
import { runDiscover } from "./cmp/discover.ts";
import { runDoctor } from "./cmp/doctor.ts";
import { runGenerate } from "./cmp/generate.ts";
import { runParameters } from "./cmp/parameters.ts";
import type { Context } from "./cli/context.ts";
import type { ExitCode } from "./cli/exit-codes.ts";
import { addSharedOptions } from "./cli/options.ts";

export function addCmp(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const cmp = program
    .command("cmp")
    .description("be a config-management plugin of Argo CD, in the folder of an Application")
    .addHelpText("after", PARAMETERS);
  const add = (name: string, description: string, run: (options: CmpOptions, context: Context) => ExitCode): void => {
    const command = cmp
      .command(name)
      .description(description)
      .addOption(
        new Option(
          "--allowed-hosted-clusters <namespaces>",
          "those that an Application may choose, with commas between",
        ).argParser(parseHostedClusters),
      )
      .option("--allow-empty", "render although no wrapper was read: Argo CD then prunes every node pool");
    addSharedOptions(command, "error").action((options: CmpOptions) => {
      exit(run(options, context));
    });
  };
  add("generate", "render the Application; the standard output is empty when anything is wrong", runGenerate);
  add("parameters", "announce the parameters, as JSON", runParameters);
  add("doctor", "say what the plugin sees, and what usually goes wrong", runDoctor);
  cmp
    .command("discover")
    .description("list the files with wrappers, for discover.find.command: none means that the folder is not for anp")
    .action(() => {
      exit(runDiscover(context));
    });
}

function parseHostedClusters(text: string): string[] {
  const names = text.split(",");
  if (names.every((name) => HOSTED_CLUSTER_NAME.test(name))) return names;
  throw new InvalidArgumentError("Write namespaces with commas between, such as clusters-a,clusters-b.");
}

const PARAMETERS = `
Parameters: paths, hosted-cluster, profile, policy-dir, require-policy, allow-empty. Flags on the plugin's command line
come first, then the Application's parameters (ARGOCD_APP_PARAMETERS, PARAM_*), then its env (ARGOCD_ENV_*).`;
