/** Reads paths to resolved clusters: hosted ones, or Karpenter's own objects as they stand. */
import { type Finding, hasErrors, type Outcome } from "../../krm/finding.ts";
import { checkOutputs } from "../../analyze/check/check-outputs.ts";
import { checkOperatorOutputs } from "../../analyze/check/check-operator-outputs.ts";
import { type Bundle, hasWrappers } from "../../model/bundle.ts";
import type { Gathered } from "../../model/gather.ts";
import { inputMode, type InputMode } from "../../model/input-mode.ts";
import { ignoredKinds } from "../../model/ignored-kinds.ts";
import { isOfOtherTools } from "../../krm/manifest-names.ts";
import { roleOf } from "../../model/role.ts";
import { sortRawObjects } from "../../model/raw-objects.ts";
import type { Profile } from "../../model/profile.ts";
import type { Resource } from "../../krm/resource.ts";
import { rawFindings } from "../../render/raw-findings.ts";
import { applyRulesOf, type RenderedCluster, resolvedOf } from "../../render/render-all.ts";
import { resolve } from "../../resolve/resolve.ts";
import { resolveRaw } from "../../resolve/resolve-raw.ts";
import { type RenderOptions, type Settings, settingsOf } from "../../resolve/settings.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import type { Context } from "../cli/context.ts";
import { UsageError } from "../cli/exit-codes.ts";
import { loadPolicy } from "./load-policy.ts";
import { type PolicyOption, renderOptionsOf, type SharedOptions } from "../cli/options.ts";
import { gatherLoaded, type Loaded } from "./gather-loaded.ts";
import { loadResources } from "./load.ts";
import { namedByPlace } from "./name-clusters.ts";
import { renderLoaded } from "./render-loaded.ts";

export interface LoadedClusters {
  readonly mode: InputMode;
  /** That of `--policy`, which raw pools are held against. */
  readonly policy?: EffectivePolicy | undefined;
  /** Beside it: what the RenderConfig of `--config` says of a guard. */
  readonly guarding?: Settings | undefined;
  readonly clusters: readonly ResolvedCluster[];
  /** The same with what they render to; none of Karpenter's own objects. */
  readonly rendered: readonly RenderedCluster<ResolvedCluster>[];
  /** Also of what cannot be resolved. */
  readonly bundles: readonly Bundle[];
  /** Of reading, and of rendering or what comes nearest to it. */
  readonly findings: readonly Finding[];
  /** Of manifests among the inputs that anp has rendered before; worked out for who asks. */
  readonly onOutputs: () => readonly Finding[];
  /** Whether `clusters` hold everything that was given. */
  readonly readable: boolean;
}

export function loadClusters(
  paths: readonly string[],
  options: SharedOptions & PolicyOption,
  context: Context,
): LoadedClusters & { readonly resources: readonly Resource[] } {
  // It may stand among the manifests, where it would make them a hosted cluster's.
  const given = { ...options, nodeData: options.policy };
  const read = loadResources(paths, given, context);
  const loaded = clustersOf(read, { ...options, ...renderOptionsOf(options) });
  const { config, resources } = read.value;
  return { ...underPolicyOf({ ...loaded, config }, options, context), resources };
}

/** What was loaded, with the policy of `--policy`, and the RenderConfig beside it. */
export function underPolicyOf(
  { config, ...loaded }: LoadedClusters & Pick<Loaded, "config">,
  options: SharedOptions & PolicyOption,
  context: Context,
): LoadedClusters {
  if (options.policy === undefined) return loaded;
  if (loaded.mode === "hosted") throw new UsageError(POLICY_OF_RAW);
  const held = heldAgainst(loadPolicy(options.policy, context), loaded);
  if (options.config === undefined) return held;
  // What is wrong with the file is among the findings by now.
  const { value: guarding, findings } = settingsOf({ renderConfig: config }, { profile: options.profile });
  return {
    ...held,
    guarding,
    findings: [...held.findings, ...findings],
    readable: held.readable && config !== undefined && guarding !== undefined,
  };
}

/** Without a policy that can be read there is nothing to say of the pools. */
export function heldAgainst(
  { value: policy, findings }: Outcome<EffectivePolicy | undefined>,
  loaded: LoadedClusters,
): LoadedClusters {
  const all = [...findings, ...loaded.findings.map(refuseHiding)];
  return { ...loaded, policy, findings: all, readable: loaded.readable && policy !== undefined };
}

/** Whoever may write pools may write `.krmignore` and hidden files: others apply what is left out here. */
function refuseHiding(finding: Finding): Finding {
  const { code, file = "", message } = finding;
  if (code !== "file-skipped" || isOfOtherTools(file.slice(file.lastIndexOf("/") + 1))) return finding;
  const hint = "with --policy nothing may hide a NodePool: take it out, or name the paths of the manifests";
  return {
    ...finding,
    severity: "error",
    message: `${message}, and nobody can tell whether pools in it keep to the policy`,
    hint,
  };
}

const POLICY_OF_RAW =
  "--policy holds Karpenter's own NodePools against a policy, and the input is a hosted cluster's: its AutoNodePolicy belongs among the inputs";

/** Nothing but the policy itself makes it a hosted cluster's input. */
function isPolicyBesideRaw(resources: readonly Resource[]): boolean {
  const others = resources.filter((resource) => roleOf(resource) !== "policy");
  return others.length < resources.length && inputMode(others, {}) === "raw";
}

function withPolicyApart(finding: Finding): Finding {
  if (finding.code !== "raw-object") return finding;
  return { ...finding, hint: `${finding.hint}; without HyperShift, give the policy apart from the pools (--policy)` };
}

interface ClusterOptions extends RenderOptions {
  readonly hostedCluster?: string | undefined;
  readonly policyDir?: string | undefined;
  readonly config?: string | undefined;
  readonly live?: boolean | undefined;
  readonly policy?: string | undefined;
}

/** Of what was read, with the findings of reading. */
export function clustersOf({ value, findings }: Outcome<Loaded>, options: ClusterOptions): LoadedClusters {
  if (inputMode(value.resources, options) === "raw") return rawClusters(value.resources, findings, options.profile);
  // With the gate off nothing is rendered that they could be held against.
  const outputsOfOperator = options.autoNode !== false;
  const loaded = gatherLoaded(value, findings, options.hostedCluster, { outputsOfOperator });
  // Wrappers are whole without what stands beside them.
  const despite = loaded.value.bundles.some(hasWrappers) ? "raw-object" : undefined;
  const rendered = renderLoaded(loaded, options, resolve, despite);
  const hasRaw = rendered.findings.some(({ code }) => code === "raw-object");
  const ofInput = (found: readonly Finding[]) =>
    applyRulesOf(loaded.value.bundles, namedByPlace(found, loaded.value, value.resources));
  return {
    mode: "hosted",
    clusters: resolvedOf(rendered.value.clusters),
    rendered: rendered.value.clusters,
    bundles: loaded.value.bundles,
    findings: [
      ...(hasRaw && isPolicyBesideRaw(value.resources) ? rendered.findings.map(withPolicyApart) : rendered.findings),
      ...ofInput(ignoredKinds(value.resources)),
    ],
    onOutputs: () =>
      namedByPlace(onOutputs(loaded.value, rendered.value.clusters, options), loaded.value, value.resources),
    readable: rendered.value.readable,
  };
}

/** Of a guest cluster whose policy nobody has read, what policy and wrappers come to is not known. */
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
  resources: readonly Resource[],
  onReading: readonly Finding[],
  profile: Profile | undefined,
): LoadedClusters {
  const sorted = sortRawObjects(resources);
  const resolved = resolveRaw(sorted.value, profile);
  const findings = [
    ...onReading,
    ...sorted.findings,
    ...ignoredKinds(resources),
    ...resolved.findings,
    ...resolved.value.flatMap(rawFindings),
  ];
  const bundles = resolved.value.map(({ bundle }) => bundle);
  return {
    mode: "raw",
    clusters: resolved.value,
    rendered: [],
    bundles,
    findings,
    onOutputs: () => [],
    readable: !hasErrors(onReading),
  };
}
