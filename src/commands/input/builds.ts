/** Kustomizations among manifests: built by the program on the PATH for answers about them. */
import type { Command } from "commander";
import { type BuiltInput, buildKustomizations, placeOf } from "../../krm/builds/kustomize.ts";
import { MOST_SECONDS, type Programs } from "../../krm/builds/run.ts";
import type { Outcome } from "../../krm/findings/finding.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import type { Source } from "../../krm/places/source.ts";
import type { FilesBeside } from "../../krm/read/file-tree.ts";
import { isKustomizationFile } from "../../krm/read/manifest-names.ts";
import { isOfHostedCluster } from "../../model/objects/input-mode.ts";
import type { Context } from "../cli/context.ts";

/** `--no-render` */
export interface BuildOptions {
  readonly render?: boolean;
}

export function addBuildOptions(command: Command): Command {
  return command.option("--no-render", "run no program: kustomizations are not built");
}

/** How builds are made for an answer. */
export interface Builds {
  /** Undefined if none may run. */
  readonly programs: Programs | undefined;
  /** Whether pools are compared with a policy, so that everything counts. */
  readonly strict: boolean;
}

export function buildsOf({ render = true }: BuildOptions, strict: boolean, { env, machine }: Context): Builds {
  const given = env["ANP_BUILD_SECONDS"] ?? "";
  const seconds = /^[1-9]\d{0,3}$/.test(given) ? Number(given) : MOST_SECONDS;
  const programs = render ? { path: env["PATH"] ?? "", temporary: machine.temporaryFolder(), seconds } : undefined;
  return { programs, strict };
}

export interface WithBuilds extends Outcome<readonly Source[]> {
  /** What decides about kustomizations that are not built. */
  readonly unbuilt: readonly Source[];
}

/** The input with what kustomize makes of it; undefined if nothing of it is of interest, or is to be defended. */
export function withBuilds(
  { value: sources, findings }: Outcome<readonly Source[]>,
  files: FilesBeside,
  { programs, strict }: Builds,
): WithBuilds | undefined {
  const kustomizations = sources.filter(isOfKustomize);
  if (kustomizations.length === 0 || sources.some(({ text }) => NAMES_HOSTED.test(text))) return undefined;
  // A policy is compared with each: names can be put together by a build, or come from elsewhere.
  const isOurs = (text: string) => strict || isNamingOurs(text);
  const built = buildKustomizations({ kustomizations, sources, files, programs, isOurs, each: strict });
  if (built.findings.length === 0) return undefined;
  const isLeft = leftOf(built, kustomizations, strict);
  const left = sources.filter((source) => isLeft(source));
  const gone = sources.filter((source) => !isLeft(source) && !isOfKustomize(source));
  if (parseSources(gone).value.some(isOfHostedCluster)) return undefined;
  return {
    value: [...left, ...built.value],
    findings: [
      ...findings.filter(({ code, file = "" }) => code !== "file-skipped" || !built.told.has(file)),
      ...built.findings,
    ],
    unbuilt: built.unbuilt,
  };
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
