/** The library API of the package: manifests as strings in, plain data out (docs/library.md). */
import { checkClusters } from "../analyze/check/check.ts";
import { describeClusters } from "../analyze/explain/describe-clusters.ts";
import { explainClusters } from "../analyze/explain/explain.ts";
import { answerResourceList } from "../commands/fn/answer-resource-list.ts";
import { clustersOf, heldAgainst, type LoadedClusters, refuseOldVersions } from "../commands/input/load-clusters.ts";
import { withPlaceholdersOf } from "../commands/input/load.ts";
import { fillForAnswer } from "../commands/input/fill-placeholders.ts";
import { gatherUnder, policyIn } from "../commands/input/load-policy.ts";
import { refusalOfNothing, renderLoaded } from "../commands/input/render-loaded.ts";
import { editResourceList } from "../krm/resource-list/edit-resource-list.ts";
import { type Finding as Found, hasErrors } from "../krm/findings/finding.ts";
import { RULE_SETS } from "../krm/findings/finding-codes.ts";
import type { Resource } from "../krm/places/resource.ts";
import { readResourceList } from "../krm/resource-list/read-resource-list.ts";
import { formatObjects } from "../krm/yaml/write.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import { inputMode } from "../model/objects/input-mode.ts";
import { given } from "../model/settings/settings.ts";
import type { RenderOptions as Rendering } from "../resolve/settings.ts";
import { functionResults } from "../report/findings/function-results.ts";
import { bundlesOfFiles, loadFiles } from "./bundles-of-files.ts";
import { checkFiles, checkOptions } from "./check-arguments.ts";
import { checkDiffOptions, diffFiles } from "./diff-files.ts";
import { checkPlanOptions, planFiles } from "./plan-files.ts";
import { shippedCatalogue, shippedPrices } from "./shipped-catalogue.ts";
import { resolveInTurn } from "../resolve/resolve.ts";
import type {
  CheckOptions,
  Diff,
  DiffOptions,
  Finding,
  InputFile,
  Manifest,
  NodePoolExplanation,
  Options,
  Plan,
  PlanOptions,
  PolicyOptions,
  RenderOptions,
} from "./types.ts";
import { jsonReport } from "../report/findings/format-findings.ts";

export type * from "./types.ts";

/**
 * The manifests of a hosted cluster, in the order of application. Empty if a finding is an error.
 *
 * @throws Error if the files are for several hosted clusters and none is selected
 */
export function render(
  files: readonly InputFile[],
  options: RenderOptions = {},
): { readonly manifests: readonly Manifest[]; readonly findings: readonly Finding[] } {
  checkFiles(files);
  checkOptions(options, { includeUserData: "boolean", policy: "string" });
  const loaded = gatherFor(files, options);
  const { bundles } = loaded.value;
  if (!hasErrors(loaded.findings) && bundles.length > 1) throw new Error(severalClusters(bundles));
  const { value, findings: found } = renderLoaded(
    loaded,
    {
      ...loaded.options,
      includeUserData: options.includeUserData,
    },
    resolveInTurn,
  );
  const findings = [...found, ...refusalOfNothing(loaded)];
  const objects = hasErrors(findings) ? [] : value.clusters.flatMap((cluster) => loaded.applied(cluster).objects);
  return { manifests: objects.map(({ object }) => object), findings: publicFindings(findings) };
}

/** Manifests as `anp render` prints them; an empty string for none. */
export function toYaml(manifests: readonly Manifest[]): string {
  return formatObjects(manifests, "yaml");
}

/** All findings for every hosted cluster of the files; baselines are not applied. */
export function check(
  files: readonly InputFile[],
  options: CheckOptions = {},
): { readonly findings: readonly Finding[] } {
  checkFiles(files);
  checkOptions(options, { rules: RULE_SETS, policy: "string" });
  const { clusters, nodeClaims, policy, resources, findings, onOutputs, readable } = loadClusters(files, options);
  // check does not write manifests, so it omits nothing from them.
  const found = findings.filter(({ code }) => code !== "user-data-left-out");
  const rules = { rules: options.rules, policy, nodeClaims, objects: resources, pricesFor: shippedPrices };
  const asked = readable ? checkClusters(clusters, shippedCatalogue(), rules) : [];
  return { findings: publicFindings([...found, ...onOutputs(), ...asked]) };
}

/**
 * Explains for each pool whether it gets nodes, from which instance types of the shipped catalogue, and what excludes
 * the others.
 */
export function explain(
  files: readonly InputFile[],
  options: PolicyOptions = {},
): { readonly nodePools: readonly NodePoolExplanation[]; readonly findings: readonly Finding[] } {
  checkFiles(files);
  checkOptions(options, { policy: "string" });
  const { clusters, policy, findings, readable } = loadClusters(files, options);
  const explained = readable ? explainClusters(clusters, shippedCatalogue(), shippedPrices) : [];
  const nodePools = describeClusters(explained, policy);
  return { nodePools, findings: publicFindings(findings) };
}

/**
 * Compares two sides: changed objects, the effect on nodes and its time, and the cost at list price.
 *
 * @throws Error if hosted clusters of the two sides cannot be matched
 */
export function diff(before: readonly InputFile[], after: readonly InputFile[], options: DiffOptions): Diff {
  checkFiles(before);
  checkFiles(after);
  checkDiffOptions(options);
  const { answer, findings } = diffFiles(before, after, options);
  return { ...answer, findings: publicFindings(findings) };
}

/**
 * Plans the nodes that Karpenter would launch for pods. `plan` is undefined if a finding says that an input is wrong.
 *
 * @throws Error if the pools are of several clusters, or if neither they nor the catalogue say which zones there are
 */
export function plan(
  files: readonly InputFile[],
  options: PlanOptions,
): { readonly plan: Plan | undefined; readonly findings: readonly Finding[] } {
  checkFiles(files);
  checkPlanOptions(options);
  const { pods, nodeData, at, catalogue, ...shared } = options;
  const planned = planFiles(loadClusters(files, shared), { pods, nodeData, at, catalogue });
  return { plan: planned.value, findings: publicFindings(planned.findings) };
}

/**
 * `anp fn`: takes a KRM ResourceList as a string and returns the output list. `exitCode` is that of the command: 0
 * success, 1 error finding or no wrapper, 2 several hosted clusters, 3 invalid input; on failure items are unchanged.
 * `resourceList` is undefined if the string is not a ResourceList.
 */
export function fn(resourceList: string): {
  readonly resourceList: string | undefined;
  readonly findings: readonly Finding[];
  readonly exitCode: number;
} {
  if (typeof resourceList !== "string") throw new TypeError("fn requires a ResourceList as a string");
  const stream = { file: "<stdin>", folder: "", text: resourceList, explicit: true, trusted: true, config: false };
  const read = readResourceList(stream);
  if (read.value === undefined)
    return { resourceList: undefined, findings: publicFindings(read.findings), exitCode: UNREADABLE };
  const { findings, edits, exit } = answerResourceList(read.value, read.findings, FN_OPTIONS);
  const results = functionResults(findings, read.value.resources);
  const text = editResourceList(read.value, { ...edits, results });
  return { resourceList: text, findings: publicFindings(findings), exitCode: exit };
}

const UNREADABLE = 3;
const FN_OPTIONS = { featureGates: {}, failOn: "error", report: [], color: "never", configFile: undefined } as const;

function rendering(options: Options): Rendering {
  return { ...given("renderConfig", options), rulesTrusted: options.policyDir !== undefined };
}

function gatherFor(files: readonly InputFile[], options: RenderOptions) {
  const { hostedCluster, policy } = options;
  const { named, others } = withPolicyApart(files, policy);
  if (policy === undefined)
    return {
      ...bundlesOfFiles(others, options),
      options: rendering(options),
      applied: <C>(cluster: C): C => cluster,
    };
  const { value, findings } = loadFiles(named, {});
  const read = policyIn(policy, { value: value.resources, findings });
  return gatherUnder(read, loadFiles(others, options), { ...rendering(options), hostedCluster });
}

function withPolicyApart(files: readonly InputFile[], policy: string | undefined) {
  const named = files.filter(({ path }) => path === policy);
  if (policy !== undefined && named.length === 0)
    throw new TypeError(`the option policy: ${policy} is not one of the files`);
  return { named, others: files.filter((file) => !named.includes(file)) };
}

function loadClusters(
  files: readonly InputFile[],
  options: PolicyOptions,
): LoadedClusters & { readonly resources: readonly Resource[] } {
  const { hostedCluster, policyDir, policy } = options;
  const { named, others } = withPolicyApart(files, policy);
  const given = { ...rendering(options), hostedCluster, policyDir, policy };
  const { value: read, findings, templates } = loadFiles(others, options);
  const asWritten = { resources: read.resources, findings, templates };
  const whole = policy === undefined ? withPlaceholdersOf(asWritten) : asWritten;
  const isQuestion = policy === undefined && inputMode(whole.resources, given) === "raw";
  const filled = isQuestion ? fillForAnswer(whole.resources, new Map()) : { value: read.resources, findings: [] };
  const onReading = isQuestion ? whole.findings : findings;
  const outcome = { value: { ...read, resources: filled.value }, findings: [...onReading, ...filled.findings] };
  const { resources } = outcome.value;
  const loaded = { ...refuseOldVersions(clustersOf(outcome, given)), resources };
  if (policy === undefined) return loaded;
  if (loaded.mode === "hosted") throw new Error(POLICY_OF_RAW);
  const ofPolicy = loadFiles(named, {});
  return {
    ...heldAgainst(policyIn(policy, { value: ofPolicy.value.resources, findings: ofPolicy.findings }), loaded),
    resources,
  };
}

const POLICY_OF_RAW =
  "the option policy is for Karpenter's own NodePools, but the files are of a hosted cluster, which has its own AutoNodePolicy";

function severalClusters(bundles: readonly Bundle[]): string {
  const names = bundles.map((bundle) => bundle.hostedCluster).join(", ");
  return `the files are for several hosted clusters: ${names}; select one with hostedCluster`;
}

/** The same fields and order as `-o json` of the commands. */
function publicFindings(findings: readonly Found[]): readonly Finding[] {
  return (JSON.parse(jsonReport(findings)) as { findings: Finding[] }).findings;
}
