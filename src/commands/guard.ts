/** `anp guard`: the admission policies that enforce an AutoNodePolicy on any cluster. */
import { type Command, InvalidArgumentError } from "commander";
import { isOfGuard } from "../guard/guard-objects.ts";
import { guardUnder } from "../guard/guard-of-inputs.ts";
import { admissionConfiguration, STATIC_FOLDERS, staticFolderOf } from "../guard/guard-static.ts";
import { hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { parseSources } from "../krm/parse/parse.ts";
import { fileNameOf } from "../krm/write/file-name.ts";
import { type DirectoryPlan, planDirectory, writeDirectories } from "../krm/write/write-directory.ts";
import { formatObjects, type OutputFormat, toYaml } from "../krm/yaml/write.ts";
import { extendsBesideOption } from "../model/inputs/extended-policies.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { decideRootVolume } from "../resolve/root-volume.ts";
import { applyRules } from "../resolve/rules.ts";
import { type Settings, settingsOf } from "../resolve/settings.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "./cli/exit-codes.ts";
import { addRuleOptions, choice, collect, type SharedOptions } from "./cli/options.ts";
import { writeAndReport, type Written } from "./cli/report.ts";
import { loadPolicy } from "./input/load-policy.ts";
import { loadFiles } from "./input/load.ts";

interface GuardOptions extends Pick<SharedOptions, "config" | "failOn" | "report" | "color"> {
  readonly output: OutputFormat;
  readonly outputDir?: string;
  readonly force?: boolean;
  readonly karpenterUser: readonly string[];
  readonly audit?: boolean;
  readonly withdraw?: boolean;
  readonly static?: string;
  readonly installer: readonly string[];
  readonly touch?: boolean;
  readonly dryRun?: boolean;
  readonly rate: number;
  readonly kubeconfig?: string;
  readonly context?: string;
}

export function addGuard(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("guard")
    .description("print the admission policies that enforce an AutoNodePolicy on any cluster with Karpenter")
    .argument("<policy>", "a file with an AutoNodePolicy, or - for the standard input")
    .addOption(choice("-o, --output <format>", "form of the output", ["yaml", "json", "resourcelist"], "yaml"))
    .option("--output-dir <dir>", "write one file per object, and remove the files of an earlier guard")
    .option("--force", "with --output-dir: write even if other files are there")
    .option("--karpenter-user <name>", "the user name of Karpenter at the API server; repeatable", collect, [])
    .option("--audit", "refuse nothing yet: record violations in the audit log")
    .option(
      "--static <directory>",
      "with --output-dir: write files for an API server that reads them from this directory",
      parseAbsolute,
    )
    .option("--installer <name>", "with --static: a user that may change Karpenter's CRDs; repeatable", collect, [])
    .option("--withdraw", "print the policies that remove the AutoNodePolicy from every NodePool")
    .option("--touch", "apply the guard in force to the pools of a cluster, by an empty patch of each")
    .option("--dry-run", "with --touch: show what would change, and change nothing")
    .option("--rate <per-minute>", "with --touch: objects per minute", parseRate, 60)
    .option("--kubeconfig <file>", "with --touch: the cluster's kubeconfig")
    .option("--context <name>", "with --touch: the context in it");
  addRuleOptions(command, "error").action(async (policy: string, options: GuardOptions) => {
    exit(await runGuard(policy, options, context));
  });
}

async function runGuard(file: string, options: GuardOptions, context: Context): Promise<ExitCode> {
  if (options.touch === true) return runTouch(file, options, context);
  if ((options.kubeconfig ?? options.context ?? options.dryRun) !== undefined)
    throw new UsageError(
      "--dry-run, --kubeconfig and --context go with --touch: without it, anp guard needs no cluster",
    );
  const { output, outputDir, force = false } = options;
  if (options.static !== undefined && outputDir === undefined)
    throw new UsageError("--static writes two folders and a configuration: it goes with --output-dir");
  if (options.static === undefined && options.installer.length > 0)
    throw new UsageError("--installer goes with --static: only a static guard covers Karpenter's CRDs");
  if (outputDir === undefined && force) throw new UsageError("--force goes with --output-dir");
  if (outputDir !== undefined && output !== "yaml")
    throw new UsageError(`--output-dir writes YAML files, not ${output}`);
  const { value: objects, findings } = guardOf(file, options, context);
  const write = outputDir === undefined ? undefined : () => writeGuard(outputDir, objects, options);
  const code = writeAndReport(findings, write, options, context);
  if (code === EXIT.done && outputDir === undefined) context.writeOut(formatObjects(objects, output));
  return code;
}

async function runTouch(file: string, options: GuardOptions, context: Context): Promise<ExitCode> {
  if ((options.outputDir ?? options.static ?? options.audit) !== undefined)
    throw new UsageError("--touch prints no policies: leave --output-dir, --static and --audit out");
  const { output } = options;
  if (output === "resourcelist") throw new UsageError("--touch answers in text, or with -o json as one JSON object");
  const loaded = loadFiles([], options, context);
  const settings = settingsOf({ renderConfig: loaded.value.config }, {});
  const read = loadPolicy(file, context);
  const twice = extendsBesideOption(loaded.value.config);
  const findings = [...loaded.findings, ...settings.findings, ...twice, ...read.findings];
  const code = writeAndReport(findings, undefined, options, context);
  const policy = read.value;
  if (policy === undefined || settings.value === undefined || code !== EXIT.done) return code;
  const { requirements, rootVolume } = policy;
  const wanted = options.withdraw === true ? undefined : rootVolume;
  const asked = {
    requirements: options.withdraw === true ? [] : requirements,
    hasRootVolume: rootVolume !== undefined,
    rootVolume: wanted === undefined ? undefined : decideRootVolume({ policy, settings: settings.value }).value,
    bounds: options.withdraw === true ? {} : settings.value.config,
    profile: settings.value.profile,
  };
  const { touchCluster } = await import("./guard/touch.ts");
  return touchCluster(asked, { ...options, output }, context);
}

function guardOf(file: string, options: GuardOptions, context: Context): Outcome<KubeObject[]> {
  const loaded = loadFiles([], options, context);
  const settings = settingsOf({ renderConfig: loaded.value.config }, {});
  const policy = loadPolicy(file, context);
  const twice = extendsBesideOption(loaded.value.config);
  const findings = [...loaded.findings, ...settings.findings, ...twice, ...policy.findings];
  if (settings.value === undefined || policy.value === undefined || hasErrors(findings)) return { value: [], findings };
  const { rules } = settings.value.config;
  const action = options.withdraw === true ? "withdraw" : options.audit === true ? "audit" : "deny";
  const made = guardUnder(policy.value, settings.value, {
    action,
    karpenterUsers: usersOf(options, settings.value),
    installers: options.static === undefined ? undefined : options.installer,
  });
  const reported = applyRules([...findings, ...made.findings], rules);
  return { value: hasErrors(reported) ? [] : made.value, findings: reported };
}

/** Has no default: Karpenter is a service account on a self-managed cluster, and its user may create any NodeClaim. */
function usersOf({ karpenterUser }: GuardOptions, { config }: Settings): readonly string[] {
  const users = karpenterUser.length > 0 ? karpenterUser : config.admission?.karpenterUsers;
  if (users !== undefined) return users;
  throw new UsageError(
    "the user name of Karpenter is missing: only that user may create NodeClaims\ngive --karpenter-user, such as system:serviceaccount:kube-system:karpenter, or spec.admission.karpenterUsers in the RenderConfig of --config",
  );
}

function writeGuard(directory: string, objects: readonly KubeObject[], options: GuardOptions): Written {
  const { force = false, static: place } = options;
  const plan = (folder: string, files: ReadonlyMap<string, string>) =>
    planDirectory({ directory: folder, root: directory, files, isOurs, force, prune: true });
  const filesOf = (some: readonly KubeObject[]) => new Map(some.map((one) => [fileNameOf(one), toYaml(one)]));
  const planned =
    place === undefined
      ? [plan(directory, filesOf(objects))]
      : [
          ...STATIC_FOLDERS.map((folder) =>
            plan(`${directory}/${folder}`, filesOf(objects.filter((one) => staticFolderOf(one) === folder))),
          ),
          plan(directory, new Map([["admission.yaml", `${HEAD}\n${toYaml(admissionConfiguration(place))}`]])),
        ];
  const findings = planned.flatMap((one) => one.findings);
  const plans = planned.map((one) => one.plan);
  const all = [...findings, ...(findings.length > 0 ? [] : writeDirectories(plans))];
  const count = (of: (plan: DirectoryPlan) => number): number => plans.reduce((sum, one) => sum + of(one), 0);
  const written = count(({ write }) => write.size);
  const unchanged = count((one) => one.unchanged.length);
  const removed = count(({ remove }) => remove.length);
  const counts = `${directory}: ${written} written, ${unchanged} unchanged, ${removed} removed\n`;
  const summary = place === undefined ? counts : counts + neededFlags(place);
  return { findings: all, summary: all.length > 0 ? "" : summary };
}

/** What the API server needs beside the files (docs/upstream/hosts.md#static-admission-manifests). */
function neededFlags(place: string): string {
  return (
    `the API server needs --admission-control-config-file=${place}/admission.yaml\n` +
    "  Kubernetes 1.36 also needs --feature-gates=ManifestBasedAdmissionControlConfig=true; from 1.37 on, it is on by default\n"
  );
}

/** The file has no metadata that could name its owner. */
const HEAD = "# Written by anp guard --static.";

/** Whether the file holds one object of a guard. */
function isOurs(text: string): boolean {
  if (text.startsWith(`${HEAD}\n`)) return true;
  const { value, findings } = parseSources([
    { file: "", folder: "", text, explicit: true, trusted: false, config: false },
  ]);
  return findings.length === 0 && value.length === 1 && isOfGuard(value[0]!.value);
}

/** The API server accepts only absolute paths. */
function parseAbsolute(text: string): string {
  if (/^\/[^\0\n]*[^/\0\n]$/.test(text)) return text;
  throw new InvalidArgumentError("It must be an absolute path, such as /etc/kubernetes/admission.");
}

function parseRate(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number of objects a minute, 1 or more.");
}
