/** `anp cmp`: anp as a config-management plugin of Argo CD (docs/argocd.md). */
import { type Command, InvalidArgumentError, type Option } from "commander";
import { formatObjects } from "../krm/yaml/write.ts";
import { HOSTED_CLUSTER_NAME } from "../model/inputs/hosted-clusters.ts";
import { announceParameters, PARAMETER_NAMES } from "../model/settings/plugin-parameter.ts";
import { printableLines } from "../report/terminal/printable.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf, UsageError } from "./cli/exit-codes.ts";
import { addSharedOptions, settingOptions } from "./cli/options.ts";
import { reportFindings } from "./cli/report.ts";
import { type CmpOptions, parametersOf, renderApplication } from "./cmp/application.ts";
import { runDiscover } from "./cmp/discover.ts";
import { runDoctor } from "./cmp/doctor.ts";
import { loadBundles } from "./input/load.ts";

export function addCmp(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const cmp = program
    .command("cmp")
    .description("run as a config-management plugin of Argo CD, in the folder of an Application")
    .addHelpText("after", PARAMETERS);
  const add = (name: string, description: string, run: (options: CmpOptions, context: Context) => ExitCode): void => {
    const command = cmp
      .command(name)
      .description(description)
      .option(
        "--allowed-hosted-clusters <namespaces>",
        "the hosted clusters that an Application may choose, separated by commas",
        parseHostedClusters,
      );
    const { guard, ...settings } = settingOptions("cmp");
    for (const option of [guard, ...Object.values<Option>(settings)]) command.addOption(option);
    addSharedOptions(command, "error").action((options: CmpOptions) => {
      exit(run(options, context));
    });
  };
  add("generate", "render the Application; the standard output is empty if anything is wrong", runGenerate);
  add("parameters", "announce the parameters, as JSON", runParameters);
  add("doctor", "show what the plugin sees, and common mistakes", runDoctor);
  cmp
    .command("discover")
    .description(
      "list the files with wrappers, for discover.find.command: an empty list means that the folder is not for anp",
    )
    .addOption(settingOptions("option").nodePools)
    .action((options: Pick<CmpOptions, "nodePools">) => {
      exit(runDiscover(options, context));
    });
}

function parseHostedClusters(text: string): string[] {
  const names = text.split(",");
  if (names.every((name) => HOSTED_CLUSTER_NAME.test(name))) return names;
  throw new InvalidArgumentError("Write namespaces separated by commas, such as clusters-a,clusters-b.");
}

const PARAMETERS = `
Parameters: ${PARAMETER_NAMES.join(", ")}. Flags on the plugin's command
line come first, then the Application's parameters (ARGOCD_APP_PARAMETERS, PARAM_*), then its env (ARGOCD_ENV_*).`;

/** Writes the manifests of the Application to standard output, or the reason for none to standard error. */
function runGenerate(options: CmpOptions, context: Context): ExitCode {
  const parameters = parametersOf(options, context);
  // Wrong parameters fail before anything is read, because they may name another folder than the user meant.
  if (parameters.problems.length > 0) throw new UsageError(parameters.problems.join("\n"));
  const { objects, findings, refusal, exit } = renderApplication(parameters, options, context);
  if (refusal !== undefined) throw new UsageError(refusal);
  // The user interface of Argo CD shows the first line best, so errors come before notes.
  const reported = reportFindings(findings, options, context);
  context.writeError(parameters.notes.map((note) => `anp: note: ${printableLines(note)}\n`).join(""));
  const code = exit === EXIT.done ? exitCodeOf(reported, options.failOn) : exit;
  if (code === EXIT.done) context.writeOut(formatObjects(objects, "yaml"));
  return code;
}

/** Prints the parameter form of Argo CD as JSON, even if the input is wrong: users correct parameters in that form. */
function runParameters(options: CmpOptions, context: Context): ExitCode {
  const { paths, policyDir } = parametersOf(options, context).settings;
  const { hostedCluster: _selected, policyDir: _flag, ...rest } = options;
  const input = { ...rest, ...(policyDir === undefined ? {} : { policyDir }) };
  const { named } = loadBundles(paths, input, context).value;
  const offered = named.filter((name) => options.allowedHostedClusters?.includes(name) ?? true);
  context.writeOut(`${JSON.stringify(announceParameters(offered), null, 2)}\n`);
  return EXIT.done;
}
