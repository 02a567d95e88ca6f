/** `anp guard`: the admission policies that hold an AutoNodePolicy on any cluster. */
import type { Command } from "commander";
import { type GuardRequest, guard } from "../guard/guard.ts";
import { isOfGuard } from "../guard/guard-objects.ts";
import { AWS } from "../karpenter/provider/aws.ts";
import { fileNameOf } from "../krm/file-name.ts";
import { hasErrors, type Outcome } from "../krm/finding.ts";
import { parseSources } from "../krm/parse.ts";
import { planDirectory, writeDirectory } from "../krm/write-directory.ts";
import { formatObjects, type OutputFormat, toYaml } from "../krm/write.ts";
import type { KubeObject } from "../model/kube-object.ts";
import { decideRootVolume, refusedRootVolume } from "../resolve/root-volume.ts";
import { applyRules } from "../resolve/rules.ts";
import { type Settings, settingsOf } from "../resolve/settings.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "./cli/exit-codes.ts";
import { choice, collect } from "./cli/option-forms.ts";
import { addRuleOptions, type SharedOptions } from "./cli/options.ts";
import { type Written, writeAndReport } from "./cli/report.ts";
import { loadFiles } from "./input/load.ts";
import { loadPolicy } from "./input/load-policy.ts";

interface GuardOptions extends Pick<SharedOptions, "config" | "failOn" | "report" | "color"> {
  readonly output: OutputFormat;
  readonly outputDir?: string;
  readonly force?: boolean;
  readonly karpenterUser: readonly string[];
  readonly audit?: boolean;
  readonly withdraw?: boolean;
}

export function addGuard(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("guard")
    .description("print the admission policies that hold an AutoNodePolicy on any cluster with Karpenter")
    .argument("<policy>", "a file with an AutoNodePolicy, or - for the standard input")
    .addOption(choice("-o, --output <format>", "form of the output", ["yaml", "json", "resourcelist"], "yaml"))
    .option("--output-dir <dir>", "write one file an object, and remove what an earlier guard has left there")
    .option("--force", "with --output-dir: write although other files stand there")
    .option("--karpenter-user <name>", "who Karpenter is to the API server; repeatable", collect, [])
    .option("--audit", "refuse nothing yet: what would be refused goes to the audit log")
    .option("--withdraw", "what takes the policy out of every NodePool again");
  addRuleOptions(command, "error").action((policy: string, options: GuardOptions) => {
    exit(runGuard(policy, options, context));
  });
}

function runGuard(file: string, options: GuardOptions, context: Context): ExitCode {
  const { output, outputDir, force = false } = options;
  if (outputDir === undefined && force) throw new UsageError("--force goes with --output-dir");
  if (outputDir !== undefined && output !== "yaml")
    throw new UsageError(`--output-dir writes YAML files, not ${output}`);
  const { value: objects, findings } = guardOf(file, options, context);
  const write = outputDir === undefined ? undefined : () => writeGuard(outputDir, objects, force);
  const code = writeAndReport(findings, write, options, context);
  if (code === EXIT.done && outputDir === undefined) context.writeOut(formatObjects(objects, output));
  return code;
}

function guardOf(file: string, options: GuardOptions, context: Context): Outcome<KubeObject[]> {
  const loaded = loadFiles([], options, context);
  const settings = settingsOf({ renderConfig: loaded.value.config }, {});
  const policy = loadPolicy(file, context);
  const findings = [...loaded.findings, ...settings.findings, ...policy.findings];
  if (settings.value === undefined || policy.value === undefined || hasErrors(findings)) return { value: [], findings };
  const { rules } = settings.value.config;
  const rootVolume = decideRootVolume({ policy: policy.value, settings: settings.value });
  const karpenterUsers = usersOf(options, settings.value);
  const withdrawn = { ...policy.value, requirements: [], rootVolume: undefined };
  const request: GuardRequest = {
    policy: options.withdraw === true ? withdrawn : policy.value,
    rootVolume,
    karpenterUsers,
    provider: AWS,
    form: "api",
    action: options.audit === true ? "Audit" : "Deny",
  };
  const made = guard(request);
  const told = applyRules([...findings, ...refusedRootVolume(rootVolume), ...made.findings], rules);
  return { value: hasErrors(told) ? [] : made.value, findings: told };
}

/** No default: on a cluster of one's own it is a service account, and who is taken for Karpenter may make any node. */
function usersOf({ karpenterUser }: GuardOptions, { config }: Settings): readonly string[] {
  const users = karpenterUser.length > 0 ? karpenterUser : config.admission?.karpenterUsers;
  if (users !== undefined) return users;
  throw new UsageError(
    "who is Karpenter to the API server? Nobody else may make NodeClaims\ngive --karpenter-user, such as system:serviceaccount:kube-system:karpenter, or spec.admission.karpenterUsers in the RenderConfig of --config",
  );
}

function writeGuard(directory: string, objects: readonly KubeObject[], force: boolean): Written {
  const files = new Map(objects.map((one) => [fileNameOf(one), toYaml(one)]));
  const { plan, findings } = planDirectory({ directory, files, isOurs, force, prune: true });
  const all = [...findings, ...(findings.length > 0 ? [] : writeDirectory(plan))];
  const { write, unchanged, remove } = plan;
  const summary = `${directory}: ${write.size} written, ${unchanged.length} unchanged, ${remove.length} removed\n`;
  return { findings: all, summary: all.length > 0 ? "" : summary };
}

/** One object that a guard was made of. */
function isOurs(text: string): boolean {
  const { value, findings } = parseSources([
    { file: "", folder: "", text, explicit: true, trusted: false, config: false },
  ]);
  return findings.length === 0 && value.length === 1 && isOfGuard(value[0]!.value);
}
