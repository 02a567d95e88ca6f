/** `anp upgrade`: what an upgrade of Karpenter does to the objects of a cluster and their nodes. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { isAlertRules } from "../analyze/check/alert-rules.ts";
import type { UpgradeAnswer } from "../analyze/check/check-answer.ts";
import { checkClusters } from "../analyze/check/check.ts";
import { type Release, RELEASES } from "../analyze/check/upgrade-steps.ts";
import { profileOf, type Upgrade, upgrade } from "../analyze/check/upgrade.ts";
import { type Finding, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { counted } from "../krm/values/counted.ts";
import { inputMode } from "../model/objects/input-mode.ts";
import { sortRawObjects } from "../model/objects/raw-objects.ts";
import { hasKarpenter } from "../model/settings/karpenter-options.ts";
import { karpenterOf } from "../resolve/settings.ts";
import { formatFindings, jsonReport } from "../report/findings/format-findings.ts";
import { markdownText } from "../report/terminal/markdown-text.ts";
import { printable, printableJson } from "../report/terminal/printable.ts";
import type { Context } from "./cli/context.ts";
import { type ExitCode, exitCodeOfAnswer, UsageError } from "./cli/exit-codes.ts";
import {
  addKarpenterOption,
  addRuleOptions,
  choice,
  INPUT,
  type InputOptions,
  type KarpenterOption,
} from "./cli/options.ts";
import { runOf, writeReports } from "./cli/report.ts";
import { loadLiveObjects, NODE_CLAIMS } from "./input/live-clusters.ts";
import { addLiveOptions, checkLiveOptions, type LiveInputOptions, refusePaths } from "./input/live-input.ts";
import { catalogues, pricesFor } from "./input/load-catalogue.ts";
import { clustersOf } from "./input/load-clusters.ts";
import type { Loaded } from "./input/gather-loaded.ts";
import { loadResources } from "./input/load.ts";

interface UpgradeOptions extends InputOptions, LiveInputOptions, KarpenterOption {
  readonly from: Release;
  readonly to: Release;
  readonly output: "text" | "json" | "markdown";
  readonly catalogue?: string;
}

export function addUpgrade(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const release = (flags: string, what: string) =>
    new Option(flags, `${what}: ${RELEASES.join(" or ")}`).argParser(parseRelease).makeOptionMandatory();
  const command = program
    .command("upgrade")
    .description("show what an upgrade of Karpenter does to NodePools, node classes, nodes and alert rules")
    .argument("[path...]", `${INPUT}: NodePools, node classes, dumps, alert rules`)
    .addOption(release("--from <version>", "the version of Karpenter that runs"))
    .addOption(release("--to <version>", "the version to come"))
    .option("--catalogue <file>", "the instance types to check against (see anp catalogue)")
    .addOption(choice("-o, --output <format>", "form of the answer", ["text", "json", "markdown"], "text"));
  addKarpenterOption(command);
  addLiveOptions(command, "the objects of a cluster instead of files");
  addRuleOptions(command, "warning").action(async (paths: string[], options: UpgradeOptions) => {
    exit(await runUpgrade(paths, options, context));
  });
}

function parseRelease(text: string): Release {
  const release = RELEASES.find((one) => one === text.replace(/^v|(?<=^v?\d+\.\d+)\.\d+$/g, ""));
  if (release !== undefined) return release;
  throw new InvalidArgumentError(
    `anp knows the changes between Karpenter ${RELEASES.join(" and ")}. HyperShift decides on its own Karpenter.`,
  );
}

async function runUpgrade(paths: readonly string[], options: UpgradeOptions, context: Context): Promise<ExitCode> {
  const { from, to, output, failOn } = options;
  if (from === to) throw new UsageError(`--from and --to are both ${from}: give two versions`);
  const read = await load(paths, options, context);
  if (typeof read === "number") return read;
  const { value, findings: onReading } = read.loaded;
  const { resources } = value;
  if (inputMode(resources, { ...options, live: true }) !== "raw") throw new UsageError(OF_HYPERSHIFT);
  if (hasErrors(onReading)) return exitCodeOfAnswer(writeReports(onReading, withText(options), context), failOn);
  const catalogueFor = catalogues(options.catalogue, context);
  const given = { karpenterGates: options.karpenterGates, among: resources };
  const under = (release: Release): readonly Finding[] => {
    const asked = { ...given, profile: profileOf(release), live: true };
    const { clusters, findings } = clustersOf({ value, findings: [] }, asked);
    const rules = { isUpgrade: true, isLive: options.live === true, pricesFor: pricesFor(catalogueFor, {}, context) };
    return [...findings, ...checkClusters(clusters, catalogueFor, rules)];
  };
  const [before, after] = [under(from), under(to)];
  const answer = upgrade({
    from,
    to,
    before,
    after,
    ...sortRawObjects(resources).value,
    alertRules: resources.filter(isAlertRules),
    karpenter: (options.karpenterGates ?? hasKarpenter(resources)) ? karpenterOf(profileOf("1.15"), given) : undefined,
    catalogue: catalogueFor(),
    notRead: read.unread,
  });
  const findings = [...onReading.filter(({ severity }) => severity === "warning"), ...answer.findings];
  const reported = writeReports(findings, options, context);
  const both = new Set(after).difference(new Set(answer.findings)).size;
  if (both > 0)
    context.writeError(
      `note: ${counted(both, "finding")} of both versions left out: anp check --profile ${profileOf(to)}\n`,
    );
  context.writeOut(written({ ...answer, findings: reported }, output, options, context));
  return exitCodeOfAnswer(reported, failOn);
}

const OF_HYPERSHIFT =
  "the input is a hosted cluster's: HyperShift ships Karpenter with the release of the control plane, and it is not upgraded alone; give the NodePools and node classes of a cluster with its own Karpenter";

/** Problems of reading have no other place. */
function withText(options: UpgradeOptions): UpgradeOptions {
  return { ...options, report: [...options.report, { format: "text" }] };
}

interface Read {
  readonly loaded: Outcome<Loaded>;
  /** What the user may not read. */
  readonly unread: readonly string[];
}

async function load(paths: readonly string[], options: UpgradeOptions, context: Context): Promise<Read | ExitCode> {
  checkLiveOptions(options);
  if (options.live !== true)
    return { loaded: loadResources(paths, { ...options, alertRules: true }, context), unread: [] };
  refusePaths(paths);
  const read = await loadLiveObjects(options, context, [
    { ...NODE_CLAIMS, unknown: "the running nodes are unknown" },
    ALERT_RULES,
  ]);
  if (typeof read === "number") return read;
  const { loaded, findings, unread } = read;
  return { loaded: { value: loaded, findings }, unread: unread.map(({ plural }) => plural) };
}

const ALERT_RULES = {
  group: "monitoring.coreos.com",
  versions: ["v1"],
  kind: "PrometheusRule",
  plural: "prometheusrules",
  optional: true,
  unknown: "it is unknown which alert rules change",
};

function written(answer: Upgrade, output: UpgradeOptions["output"], options: UpgradeOptions, context: Context): string {
  const { headline, steps, findings } = answer;
  if (output === "json") {
    const list = (JSON.parse(jsonReport(findings)) as Pick<UpgradeAnswer, "findings">).findings;
    const described: UpgradeAnswer = { schemaVersion: 1, ...answer, findings: list };
    return printableJson(`${JSON.stringify(described, undefined, 2)}\n`);
  }
  const page = { style: context.outStyle(options.color), columns: context.outColumns };
  const found = formatFindings(output, findings, page, runOf(options, context));
  const isText = output === "text";
  const shown = isText ? printable : markdownText;
  const list = steps.map((step, index) => `${isText ? "  " : ""}${index + 1}. ${shown(step)}\n`).join("");
  const parts = [
    isText ? `${shown(headline)}\n` : `**${shown(headline)}**\n`,
    found,
    `Steps:\n${isText ? "" : "\n"}${list}`,
  ];
  return parts.filter((part) => part !== "").join("\n");
}
