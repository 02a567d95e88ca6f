/** The options that commands share, validated when they are parsed. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseTime, type TimeZone, UTC } from "../../analyze/simulate/zone.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import { RULE_SETS, type RuleSet, SEVERITIES, type Severity } from "../../krm/findings/finding-codes.ts";
import {
  type Given,
  given,
  kebab,
  offered,
  type Setting,
  type SettingOf,
  withDefault,
} from "../../model/settings/settings.ts";
import { parseGoDuration } from "../../model/values/go-duration.ts";
import { KARPENTER_GATES, parseGates } from "../../model/settings/karpenter-options.ts";
import { REPORT_FORMATS, type ReportFormat } from "../../report/findings/format-findings.ts";
import type { RenderOptions } from "../../resolve/settings.ts";
import type { ColorMode } from "./context.ts";
import { type FailOn, UsageError } from "./exit-codes.ts";

export interface SharedOptions extends Given<"option"> {
  readonly config?: string;
  readonly rules?: RuleSet;
  readonly featureGates: FeatureGates;
  readonly failOn: FailOn;
  /** Which findings are reported; the exit code counts all of them. */
  readonly minSeverity?: Severity;
  /** The same as `minSeverity: "error"`. */
  readonly quiet?: boolean;
  /** For text: equal findings one by one. */
  readonly all?: boolean;
  readonly report: readonly ReportTarget[];
  readonly color: ColorMode;
  /** Not an option: a host knows the repository that links must not leave. */
  readonly root?: string;
}

interface FeatureGates {
  readonly AutoNode?: boolean;
}

/** A report format and the file to write; standard error without a file. */
interface ReportTarget {
  readonly format: ReportFormat;
  readonly file?: string;
}

/** The options of a command that reads manifests and applies no policy. */
export type InputOptions = Omit<SharedOptions, (typeof OF_POLICIES)[number]>;

/** `--node-data`: a dump of a cluster, often stored beside the manifests. */
export interface NodeDataOption {
  readonly nodeData?: string | undefined;
}

/** `--policy`: an AutoNodePolicy that raw pools are compared with, or rendered with. */
export interface PolicyOption {
  readonly policy?: string;
}

export function addPolicyOption(command: Command, use = "to check Karpenter's own NodePools against"): Command {
  return command.option("--policy <file>", `an AutoNodePolicy ${use}`, onlyOnce());
}

/** The options of a command that answers about nodes. */
export interface KarpenterOption {
  readonly karpenterGates?: NonNullable<ReturnType<typeof parseGates>>["gates"];
}

/** `--karpenter-gates`. */
export function addKarpenterOption(command: Command): Command {
  const description = "Karpenter's own feature gates, such as StaticCapacity=true,NodeOverlay=true";
  return command.option("--karpenter-gates <gates>", description, karpenterGates);
}

/** For an option with gates of Karpenter. */
export function karpenterGates(
  text: string,
  previous: KarpenterOption["karpenterGates"],
): KarpenterOption["karpenterGates"] {
  const parsed = parseGates(text);
  if (previous !== undefined) throw new InvalidArgumentError("It is given twice: write the gates as one list.");
  if (parsed === undefined) throw new InvalidArgumentError("Write GATE=true or GATE=false, separated by commas.");
  const [unknown] = parsed.unknown;
  if (unknown === undefined) return parsed.gates;
  const nearest = nearestWord(unknown, KARPENTER_GATES);
  const meant =
    nearest === undefined ? `: Karpenter's gates are ${KARPENTER_GATES.join(", ")}` : `: did you mean ${nearest}?`;
  throw new InvalidArgumentError(`Karpenter has no gate ${JSON.stringify(unknown)}${meant}`);
}

const OF_POLICIES = ["requirePolicy", "rules", "featureGates"] as const;

/** @param more text on what else fails */
export function failOnOption(failOn: FailOn, more = ""): Option {
  const description = `exit 1 at findings of this severity or worse${more}`;
  return choice("--fail-on <severity>", description, [...SEVERITIES, "never"], failOn);
}

/** Options that select which findings are reported, without an effect on the exit code. */
function reportedOptions(): Option[] {
  return [
    choice(
      "--min-severity <severity>",
      "report findings of this severity or worse; the exit code counts all",
      SEVERITIES,
    ),
    new Option("-q, --quiet", "report errors only").conflicts("minSeverity"),
    new Option("--all", "list equal findings one by one, instead of once with their places"),
  ];
}

/** The least severity that is reported. */
export function leastReported({ minSeverity, quiet }: Pick<SharedOptions, "minSeverity" | "quiet">): Severity {
  return minSeverity ?? (quiet === true ? "error" : "info");
}

export function colorOption(): Option {
  return choice("--color <when>", "colour the findings", ["auto", "always", "never"], "auto");
}

/** @param failOn `error` for commands that write manifests: their errors count whatever the user asks for */
export function addSharedOptions(command: Command, failOn: FailOn): Command {
  for (const option of sharedOptions(failOn)) command.addOption(option);
  return command;
}

/** Hides the options in `unused`: they have no effect on this command, and stay accepted for one more release. */
export function addSharedOptionsBut(
  command: Command,
  failOn: FailOn,
  unused: readonly (keyof SharedOptions)[],
): Command {
  for (const option of sharedOptions(failOn)) command.addOption(option.hideHelp(isAmong(unused, option)));
  return command;
}

/** The notes on unused options that were given. */
export function notesOnUnused(command: Command, unused: readonly (keyof SharedOptions)[]): string {
  const given = command.options.filter(
    (option) => isAmong(unused, option) && command.getOptionValueSource(option.attributeName()) === "cli",
  );
  return given
    .map(({ long }) => `note: ${long} does nothing in anp ${command.name()}, and a later release refuses it\n`)
    .join("");
}

function isAmong(names: readonly string[], option: Option): boolean {
  return names.includes(option.attributeName());
}

/** The options of a command that reads rules and no manifests. @param failOn as for `addSharedOptions` */
export function addRuleOptions(command: Command, failOn: FailOn): Command {
  for (const option of sharedOptions(failOn)) if (isAmong(OF_RULES, option)) command.addOption(option);
  return command;
}

const OF_RULES = ["config", "failOn", "minSeverity", "quiet", "all", "report", "color"] as const;

/** @param failOn as for `addSharedOptions` */
export function addInputOptions(command: Command, failOn: FailOn): Command {
  for (const option of sharedOptions(failOn)) if (!isAmong(OF_POLICIES, option)) command.addOption(option);
  return command;
}

/** In the order of the help text. */
function sharedOptions(failOn: FailOn): Option[] {
  const { hostedCluster, policyDir, requirePolicy, profile, ...settings } = settingOptions("option");
  return [
    hostedCluster,
    new Option("--config <file>", "a RenderConfig").argParser(onlyOnce()),
    policyDir,
    requirePolicy,
    profile,
    ...Object.values<Option>(settings),
    choice("--rules <set>", "also check ROSA's guard rails, or production's rules as warnings", RULE_SETS),
    new Option("--feature-gates <gates>", "such as AutoNode=false, which renders nothing")
      .argParser(parseFeatureGates)
      .default({}, "AutoNode=true"),
    failOnOption(failOn, failOn === "error" ? "; errors always count" : ""),
    ...reportedOptions(),
    new Option("--report <format[=file]>", `write findings as ${REPORT_FORMATS.join(", ")}; repeatable`)
      .argParser(parseReport)
      .default([], "text"),
    colorOption(),
  ];
}

export function renderOptionsOf(options: SharedOptions & KarpenterOption): RenderOptions {
  const { featureGates, policyDir, karpenterGates: gates } = options;
  return {
    ...given("renderConfig", options),
    autoNode: featureGates.AutoNode,
    rulesTrusted: policyDir !== undefined,
    karpenterGates: gates,
  };
}

function parseFeatureGates(text: string): FeatureGates {
  const values = text.split(",").map((part) => {
    const [name, value] = part.split("=");
    if (name !== "AutoNode")
      throw new InvalidArgumentError(`The gate ${JSON.stringify(name)} is unknown. Use AutoNode.`);
    if (value !== "true" && value !== "false") throw new InvalidArgumentError("Write AutoNode=true or AutoNode=false.");
    return value;
  });
  return { AutoNode: !values.includes("false") };
}

function parseReport(text: string, previous: readonly ReportTarget[]): ReportTarget[] {
  const [, format = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (!isReportFormat(format))
    throw new InvalidArgumentError(`Write one of ${REPORT_FORMATS.join(", ")}, with =FILE to write a file.`);
  if (file === "") throw new InvalidArgumentError("The file after = is missing.");
  return [...previous, { format, ...(file === undefined ? {} : { file }) }];
}

function isReportFormat(text: string): text is ReportFormat {
  return (REPORT_FORMATS as readonly string[]).includes(text);
}

/** The paths to read, or the standard input if it is piped and no path is given. */
export function inputPaths(paths: readonly string[], stdinIsTerminal: boolean): readonly string[] {
  if (paths.filter((path) => path === "-").length > 1)
    throw new UsageError("the standard input (-) can be read only once");
  if (paths.length > 0) return paths;
  if (stdinIsTerminal) throw new UsageError("no PATH given", true);
  return ["-"];
}

/** How messages name the paths. */
export function inputNames(paths: readonly string[]): string[] {
  return paths.length === 0 ? ["<stdin>"] : paths.map((path) => (path === "-" ? "<stdin>" : path));
}

/**
 * Milliseconds since 1970.
 *
 * @param base the time that `now` and `+8h` are relative to
 * @throws UsageError for a text that is no time
 */
export function momentOf(option: string, text: string, base: number, zone: TimeZone = UTC): number {
  const moment = parseTime(text, base, zone);
  if (moment !== undefined) return moment;
  throw new UsageError(
    `${option} ${text} is no time: write 2026-11-23T09:00:00Z, '2026-11-23 09:00' (in ${zone.name}), 2026-11-23, +8h, +7d or now`,
  );
}

/** The nanoseconds of `--node-time`. */
export function parseNodeTime(text: string): bigint {
  const duration = parseGoDuration(text);
  if (duration === undefined || duration <= 0n) throw new InvalidArgumentError("Write a duration, such as 5m or 90s.");
  return duration;
}

export const INPUT = "files, directories, or - for the standard input";

/** One of several values. */
export function choice(flags: string, description: string, choices: readonly string[], fallback?: string): Option {
  return new Option(flags, description).choices(choices).default(fallback);
}

/** For an option that may be given several times. */
export function collect(text: string, previous: readonly string[]): string[] {
  return [...previous, text];
}

/** For an option that must not be repeated, because the second value would silently replace the first. */
export function onlyOnce(refusal = "It is given twice, and only one can apply.") {
  return (text: string, previous: string | undefined): string => {
    if (previous === undefined) return text;
    throw new InvalidArgumentError(refusal);
  };
}

/** The options of an interface by the names of their settings, in the order of the settings. */
export function settingOptions<I extends "option" | "watch" | "fn" | "cmp">(offer: I): Record<SettingOf<I>, Option> {
  const options = Object.entries<Setting>(offered(offer)).map(([name, setting]) => {
    const { placeholder, choices, accepts, once, [offer]: sentence = "" } = setting;
    const flags = `--${kebab(name)}${placeholder === undefined ? "" : ` <${placeholder}>`}`;
    const option = new Option(flags, withDefault(sentence, setting));
    if (choices !== undefined) option.choices(choices);
    if (once !== undefined) option.argParser(onlyOnce(once));
    if (accepts !== undefined) option.argParser((text) => accepted(text, accepts, placeholder));
    return [name, option];
  });
  return Object.fromEntries(options) as Record<SettingOf<I>, Option>;
}

function accepted(
  text: string,
  [test, refusal]: NonNullable<Setting["accepts"]>,
  placeholder: string | undefined,
): string | number {
  if (!test(text)) throw new InvalidArgumentError(refusal);
  return placeholder === "number" ? Number(text) : text;
}
