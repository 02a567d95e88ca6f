/** Kustomizations and charts among manifests, built by programs on the PATH for answers. */
import type { Command } from "commander";
import { Budget, type BuildRequest, type BuiltInput, placeOf } from "../../krm/builds/build.ts";
import { isChartFile } from "../../krm/builds/chart.ts";
import { buildCharts } from "../../krm/builds/helm.ts";
import { buildKustomizations } from "../../krm/builds/kustomize.ts";
import { mayInstall } from "../../krm/builds/releases.ts";
import { MOST_SECONDS, type Programs } from "../../krm/builds/run.ts";
import { hasErrors, type Outcome } from "../../krm/findings/finding.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import type { Source } from "../../krm/places/source.ts";
import { LEADS_OUTSIDE, placeOf as placeOnDisk, withSlashes } from "../../krm/read/disk-tree.ts";
import type { FilesBeside } from "../../krm/read/file-tree.ts";
import { linkOutOn } from "../../krm/read/link-boundary.ts";
import { isKustomizationFile } from "../../krm/read/manifest-names.ts";
import { isOfHostedCluster } from "../../model/objects/input-mode.ts";
import type { Context } from "../cli/context.ts";
import { UnreadableError } from "../cli/exit-codes.ts";
import { collect } from "../cli/options.ts";
import { readText } from "../cli/read-text.ts";
import { withReadablePlaceholders } from "./fill-placeholders.ts";

/** `--no-render` and `--values` */
export interface BuildOptions {
  readonly render?: boolean;
  /** Files, later ones before earlier ones. */
  readonly values?: readonly string[];
}

export function addBuildOptions(command: Command): Command {
  return command
    .option("--no-render", "run no program: kustomizations and charts are not built")
    .option("--values <file>", "values for the Helm charts among the inputs; repeatable", collect, []);
}

/** How builds are made for an answer. */
export interface Builds {
  /** Undefined if none may run. */
  readonly programs: Programs | undefined;
  /** Whether pools are compared with a policy, so that everything counts. */
  readonly strict: boolean;
  /** The files of `--values`. */
  readonly values: readonly Source[];
}

export function buildsOf({ render = true, values = [] }: BuildOptions, strict: boolean, context: Context): Builds {
  const { env, machine } = context;
  const given = env["ANP_BUILD_SECONDS"] ?? "";
  const seconds = /^[1-9]\d{0,3}$/.test(given) ? Number(given) : MOST_SECONDS;
  const programs = render ? { path: env["PATH"] ?? "", temporary: machine.temporaryFolder(), seconds } : undefined;
  return { programs, strict, values: values.map((file) => valuesFile(file, context)) };
}

/** The user has named it; its lines are the places of what it sets. */
function valuesFile(file: string, context: Context): Source {
  // Any committer can make a link in a repository, and a chart can show its values.
  if (linkOutOn(withSlashes(file)) !== undefined) throw new UnreadableError(file, LEADS_OUTSIDE.words.message);
  const text = readText(file, context);
  const place = placeOnDisk(file);
  const folder = place.slice(0, place.lastIndexOf("/"));
  return { file: withSlashes(file), folder, text, explicit: true, trusted: false, config: false };
}

export interface WithBuilds extends Outcome<readonly Source[]> {
  /** What decides about kustomizations and charts that are not built. */
  readonly unbuilt: readonly Source[];
}

/** The input with what programs make of it; undefined if nothing of it is of interest, or is to be defended. */
export function withBuilds(
  { value: sources, findings }: Outcome<readonly Source[]>,
  files: FilesBeside,
  { programs, strict, values }: Builds,
): WithBuilds | undefined {
  const kustomizations = sources.filter(isOfKustomize);
  const charts = sources.filter(({ file }) => isChartFile(file));
  if (kustomizations.length + charts.length === 0 && !sources.some(mayInstall)) return undefined;
  if (sources.some(({ text }) => NAMES_HOSTED.test(text))) return undefined;
  // A policy is compared with each: names can be put together by a build, or come from elsewhere.
  const isOurs = (text: string) => strict || isNamingOurs(text);
  const request: Omit<BuildRequest, "tops"> = {
    sources,
    files,
    programs,
    budget: new Budget(programs),
    isOurs,
    each: strict,
  };
  const ofKustomize = buildKustomizations({ ...request, tops: kustomizations });
  const ofHelm = buildCharts({ ...request, tops: charts, values, isUnreadable });
  const made = [ofKustomize, ofHelm];
  if (made.every((one) => one.findings.length === 0)) return undefined;
  const isLeftOfKustomize = leftOf(ofKustomize, kustomizations, strict);
  const isLeft = (source: Source): boolean =>
    isLeftOfKustomize(source) && (!ofHelm.taken.has(placeOf(source)) || (strict && holdsObjects(source)));
  const left = sources.filter((source) => isLeft(source));
  const gone = sources.filter((source) => !isLeft(source) && !isOfKustomize(source));
  if (parseSources(gone).value.some(isOfHostedCluster)) return undefined;
  return {
    value: [...left, ...made.flatMap(({ value }) => value)],
    findings: [
      ...findings.filter(({ code, file = "" }) => code !== "file-skipped" || !ofKustomize.told.has(file)),
      ...made.flatMap((one) => one.findings),
    ],
    unbuilt: made.flatMap(({ unbuilt }) => unbuilt),
  };
}

/** Whether tools could apply a file of a chart as it is. */
function holdsObjects(source: Source): boolean {
  const { value, findings } = parseSources([source]);
  return value.length > 0 && !hasErrors(findings);
}

/** Also with placeholders. */
function isUnreadable(source: Source): boolean {
  const isBroken = (one: Source | undefined) => one === undefined || hasErrors(parseSources([one]).findings);
  return isBroken(source) && isBroken(withReadablePlaceholders(source));
}

/**
 * What a policy is compared with is also each file that tools could apply as it is: those in folders without a
 * kustomization, and all that belong to one that could not be built.
 */
function leftOf({ taken, unbuilt }: BuiltInput, kustomizations: readonly Source[], strict: boolean) {
  const folders = new Set(kustomizations.map(({ folder }) => folder));
  const undecided = new Set(unbuilt.map(placeOf));
  return (source: Source): boolean => {
    if (!taken.has(placeOf(source))) return true;
    return strict && (!folders.has(source.folder) || undecided.has(placeOf(source)));
  };
}

function isOfKustomize({ ofOtherTool, file }: Source): boolean {
  return ofOtherTool === true && isKustomizationFile(file);
}

/** Whether a text may hold objects of Karpenter. */
export function isNamingOurs(text: string): boolean {
  return NAMES_OURS.test(text);
}

const NAMES_OURS = /karpenter|node(?:pool|class|claim|overlay)/i;
export const NAMES_HOSTED =
  /hypershift|openshift(?:nodepool|ec2nodeclass)|autonodepolicy|hosted(?:cluster|controlplane)|renderconfig/i;
