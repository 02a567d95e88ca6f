/** Renders an Argo CD application from the plugin's flags and environment. */
import { checkOutputs } from "../../analyze/check/check-outputs.ts";
import { type Finding, findingOnInput, hasErrors } from "../../krm/findings/finding.ts";
import { nothingRead } from "../../model/inputs/bundle.ts";
import type { Gathered } from "../../model/inputs/gather.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { guardOfInputs } from "../../guard/guard-of-inputs.ts";
import { isLocalConfig } from "../../krm/resource-list/package-item.ts";
import { isKarpenters } from "../../model/objects/input-mode.ts";
import { type Role, roleOf } from "../../model/objects/role.ts";
import { flagPathProblem, repositoryDepth, repositoryRoot } from "../../model/settings/plugin-parameter.ts";
import { type PluginParameters, pluginParameters } from "../../model/settings/plugin-parameters.ts";
import { type Given, given, type GuardAction } from "../../model/settings/settings.ts";
import { applyRulesOf, type RenderedCluster } from "../../render/render-all.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, exitCodeOf } from "../cli/exit-codes.ts";
import { gatherLoaded } from "../input/gather-loaded.ts";
import { loadBundles, loadResources } from "../input/load.ts";
import { renderOptionsOf, type SharedOptions } from "../cli/options.ts";
import { renderLoaded } from "../input/render-loaded.ts";
import { resolveInTurn } from "../../resolve/resolve.ts";

export interface CmpOptions extends SharedOptions, Given<"cmp"> {
  /** The hosted clusters that an Application may choose. */
  readonly allowedHostedClusters?: readonly string[];
}

interface Application {
  readonly gathered: Gathered;
  /** Empty unless the exit code is 0, because Argo CD prunes what is not in the output. */
  readonly objects: readonly KubeObject[];
  readonly findings: readonly Finding[];
  /** Why nothing was rendered, if no finding says it: the parameters are wrong. */
  readonly refusal?: string;
  readonly exit: ExitCode;
}

export function parametersOf(options: CmpOptions, { env, machine }: Context): PluginParameters {
  const depth = repositoryDepth(machine.folder(), env["ARGOCD_APP_SOURCE_PATH"]);
  const parameters = pluginParameters({ env, flags: given("parameter", options), depth });
  const problem = options.config === undefined ? undefined : flagPathProblem(options.config);
  return problem === undefined
    ? parameters
    : { ...parameters, problems: [...parameters.problems, `--config: ${problem}`] };
}

export function renderApplication(parameters: PluginParameters, options: CmpOptions, context: Context): Application {
  const { paths, allowEmpty, guard, ...settings } = parameters.settings;
  const root = repositoryRoot(context.machine.folder(), context.env["ARGOCD_APP_SOURCE_PATH"]);
  const asked: SharedOptions = { ...options, ...settings, nodePools: nodePoolsOf(options), root };
  if (guard !== undefined) {
    const problems = [...parameters.problems, ...guardProblems(options)];
    return guardApplication({ ...parameters, problems }, { paths, wish: guard }, asked, context);
  }
  const loaded = loadBundles(paths, asked, context);
  const gathered = loaded.value;
  const { bundles, named } = gathered;
  const refused = (refusal: string): Application => {
    const findings = applyRulesOf(bundles, loaded.findings);
    return { gathered, objects: [], findings, refusal, exit: EXIT.usage };
  };
  if (parameters.problems.length > 0) return refused(parameters.problems.join("\n"));
  if (!hasErrors(loaded.findings) && bundles.length > 1) return refused(severalClusters(named));
  const choice = choiceProblem(gathered, options);
  if (!hasErrors(loaded.findings) && choice !== undefined) return refused(choice);
  const { value: rendered, findings: onRendering } = renderLoaded(loaded, renderOptionsOf(asked), resolveInTurn);
  const found = [...onRendering, ...checkOutputs(gathered, rendered.clusters)];
  const empty = allowEmpty === true || hasErrors(found) ? [] : rendered.clusters.filter(({ mayPrune }) => !mayPrune);
  const findings = [...found, ...empty.map(nothingToRender)];
  const exit = exitCodeOf(findings, options.failOn);
  const objects = rendered.clusters.flatMap((cluster) => cluster.objects.map(({ object }) => object));
  return { gathered, objects: exit === EXIT.done ? objects : [], findings, exit };
}

/** Parameters are the Application's: a folder that they name cannot say that NodePools need no wrapper. */
function nodePoolsOf({ nodePools, policyDir, config }: CmpOptions): SharedOptions["nodePools"] {
  return nodePools ?? (policyDir === undefined && config === undefined ? "Wrapped" : undefined);
}

/** A guard replaces rendering, so an Application must not choose it where flags say what rendering enforces. */
function guardProblems({ guard, nodePools, policyDir, config, requirePolicy }: CmpOptions): string[] {
  const isHeld = (nodePools ?? policyDir ?? config) !== undefined || requirePolicy === true;
  if (guard !== undefined || !isHeld) return [];
  return [
    "the parameter guard outputs NodePools without the policy's entries, and flags of the plugin say what is rendered\nthe operator of the plugin sets --guard, or removes --node-pools, --policy-dir, --config and --require-policy",
  ];
}

interface Guarding {
  readonly paths: readonly string[];
  readonly wish: GuardAction;
}

/** Karpenter's own objects unchanged, and the guard of the policy among the inputs. */
function guardApplication(
  { problems }: PluginParameters,
  { paths, wish }: Guarding,
  options: SharedOptions,
  context: Context,
): Application {
  const loaded = loadResources(paths, options, context);
  const { resources, config } = loaded.value;
  const { value: gathered } = gatherLoaded(loaded.value, [], options.hostedCluster);
  const refused = (refusal: string): Application => {
    return { gathered, objects: [], findings: loaded.findings, refusal, exit: EXIT.usage };
  };
  if (problems.length > 0) return refused(problems.join("\n"));
  if (resources.some((one) => WRAPPERS.has(roleOf(one)))) return refused(WRAPPERS_UNDER_GUARD);
  const made = guardOfInputs({ resources, config, profile: options.profile }, wish);
  const findings = [...loaded.findings, ...made.findings];
  const exit = exitCodeOf(findings, options.failOn);
  const own = resources.filter((one) => isKarpenters(one) && !isLocalConfig(one.value));
  // Policies come first, so that objects applied after them are admitted by them.
  const objects = [...made.value, ...own.map(({ value }) => value as unknown as KubeObject)];
  return { gathered, objects: exit === EXIT.done ? objects : [], findings, exit };
}

const WRAPPERS: ReadonlySet<unknown> = new Set(["node-pool", "node-class"] satisfies Role[]);

const WRAPPERS_UNDER_GUARD =
  "the input holds OpenshiftNodePools or OpenshiftEC2NodeClasses, and a guard is for Karpenter's own NodePools\nleave the parameter guard out to render them";

/** If a flag fixes the policies, each Application must not choose the policy that suits it. */
function choiceProblem(
  { bundles, named }: Gathered,
  { allowedHostedClusters, policyDir, hostedCluster }: CmpOptions,
): string | undefined {
  const chosen = bundles[0]?.hostedCluster;
  if (allowedHostedClusters !== undefined) {
    if (chosen !== undefined && allowedHostedClusters.includes(chosen)) return undefined;
    const what = chosen === undefined ? "the input names no hosted cluster" : `the hosted cluster is ${chosen}`;
    return `${what}, and Applications of this plugin may choose ${allowedHostedClusters.join(", ")} (--allowed-hosted-clusters)`;
  }
  if (policyDir === undefined || hostedCluster !== undefined || named.length < 2) return undefined;
  return `--policy-dir holds the policies of several hosted clusters (${named.join(", ")}), and no option says which of them an Application may choose\nthe operator of the plugin sets --hosted-cluster or --allowed-hosted-clusters`;
}

function severalClusters(names: readonly string[]): string {
  return `the input is for several hosted clusters, and an Application renders one: ${names.join(", ")}\nselect one with the parameter hosted-cluster`;
}

/**
 * Without wrappers Argo CD would prune the node pools of an earlier revision, and Karpenter their nodes
 * (docs/design.md#output).
 */
function nothingToRender({ hostedCluster, gateOff, resolved }: RenderedCluster): Finding {
  const of = hostedCluster === undefined ? "" : ` for ${hostedCluster}`;
  const why = gateOff ? "the feature gate AutoNode is off" : `${nothingRead(resolved.settings?.nodePools)}${of}`;
  const hint = "with allow-empty, Argo CD gets the output without pools, and prunes every node pool";
  return findingOnInput("output-kept", {
    message: `nothing was rendered, because ${why}`,
    hint: gateOff ? hint : `check the parameter paths; ${hint}`,
  });
}
