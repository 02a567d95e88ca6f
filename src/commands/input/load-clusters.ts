/** Reads paths to resolved clusters: hosted clusters, or Karpenter's own objects unchanged. */
import { checkOperatorOutputs } from "../../analyze/check/check-operator-outputs.ts";
import { checkOutputs } from "../../analyze/check/check-outputs.ts";
import { BUILT_WITH } from "../../krm/builds/build.ts";
import { comparableOverlays } from "../../karpenter/catalogue/node-overlays.ts";
import { type Finding, hasErrors, ofCluster, type Outcome } from "../../krm/findings/finding.ts";
import { placeText } from "../../krm/places/location.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { isKustomizationFile, OF_OTHER_TOOL } from "../../krm/read/manifest-names.ts";
import { RAW_PROFILE } from "../../model/crds/profile.ts";
import { type Bundle, hasWrappers } from "../../model/inputs/bundle.ts";
import { extendsBesideOption } from "../../model/inputs/extended-policies.ts";
import type { Gathered } from "../../model/inputs/gather.ts";
import { beingDeleted } from "../../model/objects/being-deleted.ts";
import { placeholdersUnderPolicy, withoutGuesses } from "../../model/objects/placeholders.ts";
import { inputMode, type InputMode } from "../../model/objects/input-mode.ts";
import { withoutPatches } from "../../model/objects/patches.ts";
import { clustersByBuild, clustersByFolder, isNodeClaim, sortRawObjects } from "../../model/objects/raw-objects.ts";
import { ignoredKinds, isRawNodePool, roleOf } from "../../model/objects/role.ts";
import { rawFindings } from "../../render/raw-findings.ts";
import { applyRulesOf, type RenderedCluster, resolvedOf } from "../../render/render-all.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import { resolveRaw } from "../../resolve/resolve-raw.ts";
import { resolve } from "../../resolve/resolve.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { configOf, karpenterOf, type RenderOptions, type Settings, settingsOf } from "../../resolve/settings.ts";
import type { Context } from "../cli/context.ts";
import { UsageError } from "../cli/exit-codes.ts";
import { type NodeDataOption, type PolicyOption, renderOptionsOf, type SharedOptions } from "../cli/options.ts";
import { type BuildOptions, buildsOf } from "./builds.ts";
import type { FillOptions } from "./fill-placeholders.ts";
import { gatherLoaded, type Loaded, namedByPlace } from "./gather-loaded.ts";
import { loadPolicy } from "./load-policy.ts";
import { loadResources } from "./load.ts";
import { renderLoaded } from "./render-loaded.ts";

export interface LoadedClusters {
  readonly mode: InputMode;
  /** The policy of `--policy`, which raw pools are compared with. */
  readonly policy?: EffectivePolicy | undefined;
  /** The settings of a guard in the RenderConfig of `--config`, together with `--policy`. */
  readonly guarding?: Settings | undefined;
  readonly clusters: readonly ResolvedCluster[];
  /** The clusters with their rendered objects; empty for Karpenter's own objects. */
  readonly rendered: readonly RenderedCluster<ResolvedCluster>[];
  /** All bundles, including those that cannot be resolved. */
  readonly bundles: readonly Bundle[];
  /** The findings of reading, and of rendering or of the checks of raw objects. */
  readonly findings: readonly Finding[];
  /** NodeClaims among Karpenter's own objects; empty for a hosted cluster. */
  readonly nodeClaims: readonly Resource[];
  /** Findings on earlier output of anp among the inputs, computed on demand. */
  readonly onOutputs: () => readonly Finding[];
  /** Whether `clusters` contain the whole input. */
  readonly readable: boolean;
}

export function loadClusters(
  paths: readonly string[],
  options: SharedOptions &
    PolicyOption &
    NodeDataOption &
    BuildOptions &
    FillOptions & { readonly prove?: boolean | undefined },
  context: Context,
): LoadedClusters & { readonly resources: readonly Resource[] } {
  // The policy may be among the manifests; there it must not turn raw objects into a hosted cluster's input.
  const isApart = options.policy !== undefined;
  const lenient = !isApart && options.prove !== true;
  const notManifests = options.policy === undefined ? [] : [options.policy];
  const builds = options.prove === true ? undefined : buildsOf(options, isApart, context);
  const given = { ...options, notManifests, ofOtherTools: isApart, lenient, builds };
  const read = loadResources(paths, given, context);
  const loaded = clustersOf(read, { ...options, ...renderOptionsOf(options) });
  const { config, resources } = read.value;
  return { ...underPolicyOf({ ...loaded, config }, options, context), resources };
}

/** Adds the policy of `--policy`, and the RenderConfig beside it, to the loaded clusters. */
export function underPolicyOf(
  { config, ...loaded }: LoadedClusters & Pick<Loaded, "config">,
  options: SharedOptions & PolicyOption,
  context: Context,
): LoadedClusters {
  if (options.policy === undefined) return loaded;
  if (loaded.mode === "hosted") throw new UsageError(POLICY_OF_RAW);
  const held = heldAgainst(loadPolicy(options.policy, context), loaded);
  if (options.config === undefined) return held;
  // Errors in the file are already among the findings.
  const { value: guarding, findings } = settingsOf({ renderConfig: config }, { profile: options.profile });
  const twice = extendsBesideOption(config);
  return {
    ...held,
    guarding,
    findings: [...held.findings, ...findings, ...twice],
    readable: held.readable && config !== undefined && guarding !== undefined && twice.length === 0,
  };
}

/** Without a readable policy, pools cannot be judged. */
export function heldAgainst(
  { value: policy, findings }: Outcome<EffectivePolicy | undefined>,
  loaded: LoadedClusters,
): LoadedClusters {
  const onReading = loaded.findings.map(refuseHiding).map(refuseReserved);
  const pools = loaded.bundles.flatMap(({ nodePools }) => nodePools);
  // A value that is no valid one has a finding already.
  const known = new Set(onReading.map(placeText));
  const onPlaceholders = placeholdersUnderPolicy(pools).filter((one) => !known.has(placeText(one)));
  const all = [...findings, ...onReading, ...onPlaceholders];
  return { ...loaded, policy, findings: all, readable: loaded.readable && policy !== undefined };
}

/**
 * For an answer about manifests that are to be applied: no version of Karpenter that anp knows serves its v1beta1
 * (docs/upstream/karpenter.md#versions). Comparing and converting only read it.
 */
export function refuseOldVersions({ mode, findings, ...loaded }: LoadedClusters): LoadedClusters {
  const refused = (finding: Finding): Finding => {
    const { code, resource } = finding;
    if (mode !== "raw" || code !== "old-dialect" || resource === undefined) return finding;
    const message = `${describeResource(resource)} is ${resource.apiVersion}, which Karpenter does not serve since 1.1: the API server refuses it`;
    return { ...finding, code: "kind-not-served", severity: "error", message };
  };
  return { ...loaded, mode, findings: findings.map(refused) };
}

/** Users who may write pools may also write `.krmignore` and hidden files, and other tools apply the skipped files. */
function refuseHiding(finding: Finding): Finding {
  const { code, file = "", message } = finding;
  // A patch can take away what the base has, and a chart can make any object.
  if (code === "kustomization-unbuilt" || code === "chart-unbuilt") return { ...finding, severity: "error" };
  if (code !== "file-skipped" || message.startsWith(BUILT_WITH)) return finding;
  // Files with this message have been read.
  if (message === OF_OTHER_TOOL) return isKustomizationFile(file) ? { ...finding, hint: NOT_BUILT } : finding;
  const hint = "with --policy, no NodePool may be hidden: remove the entry or file, or name the paths of the manifests";
  return {
    ...finding,
    severity: "error",
    message: `${message}, so pools in it are not checked against the policy`,
    hint,
  };
}

const NOT_BUILT =
  "the output of kustomize is not checked against the policy: check what `kustomize build` prints as well";

/** Karpenter accepts the key; a guard refuses it. */
function refuseReserved(finding: Finding): Finding {
  if (finding.code !== "template-key-reserved") return finding;
  const message = `${finding.message}; a guard refuses it, and removes it from a stored NodePool`;
  return { ...finding, code: "template-key-refused", severity: "error", message };
}

const POLICY_OF_RAW =
  "--policy checks Karpenter's own NodePools, and the input is a hosted cluster's: add its AutoNodePolicy to the inputs";

/** Whether only the policy makes the input a hosted cluster's. */
function isPolicyBesideRaw(resources: readonly Resource[]): boolean {
  const others = resources.filter((resource) => roleOf(resource) !== "policy");
  return others.length < resources.length && inputMode(others, {}) === "raw";
}

function withPolicyApart(finding: Finding): Finding {
  if (finding.code !== "raw-object") return finding;
  return {
    ...finding,
    hint: `${finding.hint}; without HyperShift, name the policy with --policy, apart from the pools`,
  };
}

interface ClusterOptions extends RenderOptions {
  readonly hostedCluster?: string | undefined;
  readonly policyDir?: string | undefined;
  readonly config?: string | undefined;
  readonly live?: boolean | undefined;
  readonly policy?: string | undefined;
  readonly prove?: boolean | undefined;
  /** Whether Karpenter's own objects are all of one cluster, whatever their folders. */
  readonly oneCluster?: boolean | undefined;
  /** The objects of the other side of a comparison. */
  readonly beside?: readonly Resource[] | undefined;
}

/** Resolves loaded objects, and keeps the findings of reading. */
export function clustersOf({ value: all, findings }: Outcome<Loaded>, given: ClusterOptions): LoadedClusters {
  const mode = inputMode(all.resources, given);
  if (mode === "raw") return rawClusters(all, findings, given);
  const options = { ...inMode(mode, given), among: all.resources };
  // The RenderConfig and the NodeClaims are compared with the policy of `--policy`, not rendered.
  const isApart = mode === "shipped" && given.policy !== undefined;
  const { true: nodeClaims = [], false: resources = [] } = Object.groupBy(all.resources, (one) =>
    String(isApart && isNodeClaim(one)),
  );
  const value = { resources, config: isApart ? undefined : all.config };
  // If the gate is off, nothing is rendered that the operator's objects could be compared with.
  const outputsOfOperator = options.autoNode !== false;
  const { nodePools, inferred } = options;
  const loaded = gatherLoaded(value, findings, options.hostedCluster, { outputsOfOperator, nodePools, inferred });
  // If there are wrappers, raw objects beside them do not make the input incomplete.
  const despite = loaded.value.bundles.some(hasWrappers) ? "raw-object" : undefined;
  const rendered = renderLoaded(loaded, options, resolve, despite);
  const clusters = resolvedOf(rendered.value.clusters);
  const ignored = ignoredKinds(notApplied(value.resources, clusters).filter((resource) => !isRawNodePool(resource)));
  // Another object of Karpenter has a finding of its own.
  const isOurs = ignored.some(({ code }) => code === "kind-not-served" || code === "karpenter-kind-ignored");
  const onRendering = rendered.findings.filter(({ code }) => !isOurs || code !== "input-not-ours");
  const hasRaw = rendered.findings.some(({ code }) => code === "raw-object");
  const ofInput = (found: readonly Finding[]) =>
    applyRulesOf(loaded.value.bundles, namedByPlace(found, loaded.value, value.resources));
  return {
    mode: rendered.value.clusters.some(({ resolved }) => resolved.mode === "shipped") ? "shipped" : mode,
    clusters,
    rendered: rendered.value.clusters,
    bundles: loaded.value.bundles,
    nodeClaims,
    findings: [
      ...(hasRaw && isPolicyBesideRaw(value.resources) ? onRendering.map(withPolicyApart) : onRendering),
      // A NodePool has a finding of its own, whether it is read or refused.
      ...ofInput([...ignored, ...beingDeleted(value.resources)]),
    ],
    onOutputs: () =>
      namedByPlace(onOutputs(loaded.value, rendered.value.clusters, options), loaded.value, value.resources),
    readable: rendered.value.readable,
  };
}

/** The settings of an inferred mode; nothing may be rendered for a cluster with them. */
export function inMode<O extends RenderOptions>(mode: InputMode, options: O): O {
  return mode === "shipped" ? { ...options, nodePools: "Raw", inferred: true } : options;
}

/** Without the NodeOverlays that answers take into account. */
function notApplied(resources: readonly Resource[], clusters: readonly ResolvedCluster[]): readonly Resource[] {
  const applied = new Set(
    clusters.flatMap(({ settings, pools }) => [
      ...comparableOverlays(settings?.karpenter.overlays ?? [], pools).keys(),
    ]),
  );
  return resources.filter((resource) => !applied.has(resource));
}

/** Without the policy of a guest cluster, the expected output is unknown. */
function onOutputs(
  gathered: Gathered,
  clusters: readonly RenderedCluster[],
  { live = false }: ClusterOptions,
): Finding[] {
  const { bundles } = gathered;
  if (live && bundles.every(({ policy }) => policy === undefined)) return [];
  const isLive = ({ document: { source } }: Resource): boolean => live && source.withoutLines === true;
  return [...checkOutputs(gathered, clusters), ...checkOperatorOutputs(bundles, clusters, isLive)];
}

function rawClusters(
  { resources: given, config }: Loaded,
  onReading: readonly Finding[],
  { profile = RAW_PROFILE, policy, oneCluster, beside, ...options }: ClusterOptions,
): LoadedClusters {
  const { karpenter } = configOf({ renderConfig: config }).value ?? {};
  const running = karpenterOf(profile, { ...options, among: given }, karpenter);
  // Under a policy, no folder may hide an object that another one overwrites, and no name of a file an object.
  const isOne = policy !== undefined || options.live === true || oneCluster === true;
  const { value: resources, findings: onPatches } = isOne ? { value: given, findings: [] } : withoutPatches(given);
  const read = (isOne ? clustersByBuild(resources) : clustersByFolder(resources, beside)).map((one) => {
    const sorted = sortRawObjects(one.resources);
    const resolved = resolveRaw(sorted.value, profile, running, one.name);
    return {
      clusters: resolved.value,
      onSorting: ofCluster(one.name, sorted.findings),
      onResolving: ofCluster(one.name, [...resolved.findings, ...resolved.value.flatMap(rawFindings)]),
    };
  });
  const clusters = read.flatMap((one) => one.clusters);
  const findings = [
    ...onReading,
    ...onPatches,
    ...read.flatMap((one) => one.onSorting),
    ...ignoredKinds(notApplied(resources, clusters)),
    ...beingDeleted(resources),
    ...read.flatMap((one) => one.onResolving),
  ];
  const bundles = clusters.map(({ bundle }) => bundle);
  return {
    mode: "raw",
    clusters,
    rendered: [],
    bundles,
    nodeClaims: sortRawObjects(resources.filter(isNodeClaim)).value.nodeClaims,
    findings: withoutGuesses(findings, resources),
    onOutputs: () => [],
    readable: !hasErrors(onReading),
  };
}
