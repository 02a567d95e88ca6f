/** `anp cmp`: anp as a config-management plugin of Argo CD (docs/argocd.md). */
import { type Command, InvalidArgumentError } from "commander";
import { HOSTED_CLUSTER_NAME } from "../model/hosted-clusters.ts";
import { type CmpOptions, parametersOf, renderApplication } from "./cmp/application.ts";
import { runDiscover } from "./cmp/discover.ts";
import { runDoctor } from "./cmp/doctor.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf, UsageError } from "./cli/exit-codes.ts";
import { reportFindings } from "./cli/report.ts";
import { loadBundles } from "./input/load.ts";
import { formatObjects } from "../krm/write.ts";
import { announceParameters } from "../model/announce-parameters.ts";
import { printableLines } from "../report/terminal/printable.ts";
import { choice } from "./cli/option-forms.ts";
import { GUARD_WISHES } from "../model/guard-wish.ts";
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
      .option(
        "--allowed-hosted-clusters <namespaces>",
        "those that an Application may choose, with commas between",
        parseHostedClusters,
      )
      .addOption(
        choice(
          "--guard <wish>",
          "pass Karpenter's own NodePools on, with the guard of an AutoNodePolicy",
          GUARD_WISHES,
        ),
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
Parameters: paths, hosted-cluster, profile, policy-dir, require-policy, allow-empty, guard. Flags on the plugin's command
line come first, then the Application's parameters (ARGOCD_APP_PARAMETERS, PARAM_*), then its env (ARGOCD_ENV_*).`;

/** The manifests of the Application, or nothing and the reason: manifests go to standard output, the reason to standard error. */
function runGenerate(options: CmpOptions, context: Context): ExitCode {
  const parameters = parametersOf(options, context);
  // Before anything is read: what was meant might be another folder.
  if (parameters.problems.length > 0) throw new UsageError(parameters.problems.join("\n"));
  const { objects, findings, refusal, exit } = renderApplication(parameters, options, context);
  if (refusal !== undefined) throw new UsageError(refusal);
  // The user interface shows the first line best: errors come before notes.
  const told = reportFindings(findings, options, context);
  context.writeError(parameters.notes.map((note) => `anp: note: ${printableLines(note)}\n`).join(""));
  const code = exit === EXIT.done ? exitCodeOf(told, options.failOn) : exit;
  if (code === EXIT.done) context.writeOut(formatObjects(objects, "yaml"));
  return code;
}

/** What the parameter form of Argo CD shows, as JSON. Whatever is wrong with the input, there is a form: it is the place to put a parameter right. */
function runParameters(options: CmpOptions, context: Context): ExitCode {
  const { paths, policyDir } = parametersOf(options, context).settings;
  const { hostedCluster: _selected, policyDir: _flag, ...rest } = options;
  const input = { ...rest, ...(policyDir === undefined ? {} : { policyDir }) };
  const { named } = loadBundles(paths, input, context).value;
  const offered = named.filter((name) => options.allowedHostedClusters?.includes(name) ?? true);
  context.writeOut(`${JSON.stringify(announceParameters(offered), null, 2)}\n`);
  return EXIT.done;
}
