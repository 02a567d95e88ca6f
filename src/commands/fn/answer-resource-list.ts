/** The answer to a ResourceList: findings, edits of its items, and the exit code. */
import { isUsersNodePool, nothingRead } from "../../model/inputs/bundle.ts";
import { checkOutputs, checkUsersPools } from "../../analyze/check/check-outputs.ts";
import type { ResourceListEdits } from "../../krm/resource-list/edit-resource-list.ts";
import { type Finding, findingInFile, findingOnInput, hasErrors } from "../../krm/findings/finding.ts";
import { isLocalConfig, LOCAL_CONFIG, packagePaths, pathInPackage } from "../../krm/resource-list/package-item.ts";
import type { ResourceList } from "../../krm/resource-list/read-resource-list.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Source } from "../../krm/places/source.ts";
import { guardOfInputs, isEarlierGuard, staleGuards } from "../../guard/guard-of-inputs.ts";
import { nestedExec } from "../../model/inputs/nested-exec.ts";
import { roleOf } from "../../model/objects/role.ts";
import { given, type GuardAction } from "../../model/settings/settings.ts";
import { packageEdits } from "../../render/package-edits.ts";
import { applyRulesOf, renderAll, type RenderedCluster } from "../../render/render-all.ts";
import { EXIT, type ExitCode, exitCodeOf, exitCodeOfAnswer } from "../cli/exit-codes.ts";
import { gatherLoaded } from "../input/gather-loaded.ts";
import { type FunctionOptions, functionSettings, type FunctionSettings } from "./function-settings.ts";
import { resolveInTurn } from "../../resolve/resolve.ts";

interface Options extends FunctionOptions {
  /** The file that `--config` names. */
  readonly configFile: Source | undefined;
}

type ItemEdits = Omit<ResourceListEdits, "results">;

interface Answer {
  readonly findings: readonly Finding[];
  readonly edits: ItemEdits;
  readonly exit: ExitCode;
}

/**
 * A host deletes items that are missing from the answer, even if the function fails
 * (docs/upstream/hosts.md#what-hosts-do-with-an-answer).
 */
export const UNCHANGED: ItemEdits = {
  replace: new Map(),
  remove: new Set(),
  annotate: new Set(),
  annotation: { name: LOCAL_CONFIG, value: "true" },
  append: [],
};

/** As a validator, or with any exit code but 0, anp returns every item unchanged. */
export function answerResourceList(list: ResourceList, onList: readonly Finding[], options: Options): Answer {
  const { value: settings, findings } = functionSettings(list.functionConfig, options, options.configFile);
  const onInput = [...onList, ...findings];
  if (settings === undefined || list.value === undefined)
    return { findings: onInput, edits: UNCHANGED, exit: exitCodeOf(onInput, options.failOn) };
  const proposed = propose(list, onInput, settings, options);
  const validates = settings.validate === true;
  const exit = proposed.exit ?? (validates ? exitCodeOfAnswer : exitCodeOf)(proposed.findings, options.failOn);
  return { ...proposed, edits: validates || exit !== EXIT.done ? UNCHANGED : proposed.edits, exit };
}

interface Proposal {
  readonly findings: readonly Finding[];
  readonly edits: ItemEdits;
  /** The exit code, if findings do not decide it. */
  readonly exit?: ExitCode;
}

function propose(
  list: ResourceList,
  onList: readonly Finding[],
  settings: FunctionSettings,
  options: Options,
): Proposal {
  const { hostedCluster, renderConfig, allowEmpty = false, dir } = settings;
  const paths = packagePaths(list.items);
  const { value: resources, findings: onTrust } = withTrust(list, paths, settings);
  if (settings.guard !== undefined) {
    const onInput = [...asRules(onList, settings), ...onTrust];
    return proposeGuard({ ...list, resources, paths, onInput }, settings, settings.guard);
  }
  const loaded = { resources, config: renderConfig };
  const rulesTrusted = settings.policyDir !== undefined;
  const { value: gathered, findings: found } = gatherLoaded(
    loaded,
    [...asRules(onList, settings), ...onTrust],
    hostedCluster,
    { nodePools: settings.nodePools, rulesTrusted },
  );
  const { bundles } = gathered;
  const onInput = applyRulesOf(bundles, found);
  const unchanged = { edits: UNCHANGED };
  if (hasErrors(onInput))
    return { ...unchanged, findings: [...onInput, ...bundles.flatMap((bundle) => bundle.findings)] };
  if (bundles.length > 1) {
    const several = severalClusters(bundles.map((bundle) => bundle.hostedCluster ?? ""));
    return { ...unchanged, findings: [...onInput, several], exit: EXIT.usage };
  }
  const rendered = renderAll(
    bundles,
    {
      ...given("renderConfig", settings),
      autoNode: options.featureGates.AutoNode,
      rulesTrusted,
    },
    resolveInTurn,
  );
  // Rendering replaces earlier output.
  const stale =
    settings.validate === true ? [...checkOutputs(gathered, rendered.value), ...checkUsersPools(rendered.value)] : [];
  const findings = [...onInput, ...rendered.findings, ...stale];
  const [cluster] = rendered.value;
  if (cluster === undefined || hasErrors(findings) || settings.validate === true) return { ...unchanged, findings };
  if (!cluster.mayPrune && !allowEmpty) return { ...unchanged, findings: [...findings, nothingChanged(cluster)] };
  const objects = cluster.objects.map(({ object }) => object);
  const rawPools = new Set(
    cluster.objects.flatMap(({ wrapper }) =>
      wrapper !== undefined && isUsersNodePool(wrapper) ? placeIn(wrapper) : [],
    ),
  );
  const edits = packageEdits(list.resources, objects, {
    dir: dir ?? "rendered",
    prune: true,
    items: list.items,
    paths,
    keepsFiles: dir !== undefined || paths.some((path) => path !== undefined),
    isEdited: (item) => rawPools.has(placeIn(item)),
  });
  const annotate = settings.localConfig === true ? unmarkedInputs(topLevel(list.resources)) : UNCHANGED.annotate;
  return { findings, edits: { ...UNCHANGED, ...edits, annotate } };
}

/** Of an object in the list. */
function placeIn({ base }: Resource): string {
  return JSON.stringify(base);
}

interface GuardedList extends Pick<ResourceList, "items"> {
  readonly resources: readonly Resource[];
  readonly paths: readonly (string | undefined)[];
  readonly onInput: readonly Finding[];
}

/** Writes the guard in place of an earlier one; every other item stays unchanged. */
function proposeGuard(list: GuardedList, settings: FunctionSettings, action: GuardAction): Proposal {
  const { resources, items, paths, onInput } = list;
  const { renderConfig, profile, dir } = settings;
  const made = guardOfInputs({ resources, config: renderConfig, profile }, action);
  const stale = settings.validate === true && !hasErrors(made.findings) ? staleGuards(resources, made.value) : [];
  const findings = [...onInput, ...made.findings, ...stale];
  if (hasErrors(findings)) return { findings, edits: UNCHANGED };
  const edits = packageEdits(resources, made.value, {
    dir: dir ?? "guard",
    prune: true,
    items,
    paths,
    keepsFiles: dir !== undefined || paths.some((path) => path !== undefined),
    isEarlier: isEarlierGuard,
  });
  const annotate = settings.localConfig === true ? unmarkedInputs(topLevel(resources)) : UNCHANGED.annotate;
  return { findings, edits: { ...UNCHANGED, ...edits, annotate } };
}

/** Without duplicates that the host adds, and with whether each item may be a rule: with a policy folder, only items in it. */
function withTrust(
  { resources, functionConfig, items }: ResourceList,
  paths: readonly (string | undefined)[],
  { policyDir }: FunctionSettings,
): { value: Resource[]; findings: Finding[] } {
  const own = resources.filter((item) => functionConfig === undefined || !isSameObject(item, functionConfig));
  if (policyDir === undefined) return { value: own, findings: [] };
  const isBelow = (path: string | undefined): boolean => isIn(policyDir, path);
  const value = own.map((item) => {
    const trusted = isBelow(paths[Number(item.base[1])]);
    return { ...item, document: { ...item.document, source: { ...item.document.source, trusted } } };
  });
  const programs = nestedExec(value, (item) => paths[Number(item.base[1])]);
  if (items.some((_item, index) => isBelow(paths[index]))) return { value, findings: programs };
  // A wrong folder would otherwise turn every rule off silently.
  const message = "no item is in this folder, and rules are read only from it (policyDir)";
  const hint = "check the path: it is relative to the package, and kustomize gives its items no paths";
  return { value, findings: [findingInFile("input-empty", policyDir, { message, hint })] };
}

/** Items that are no objects are skipped, except in the folder of rules: they may have been rules. */
function asRules(onList: readonly Finding[], { policyDir }: FunctionSettings): Finding[] {
  return onList.map((finding) =>
    finding.code === "file-skipped" && policyDir !== undefined && isIn(policyDir, finding.file)
      ? { ...finding, code: "not-krm", severity: "error" }
      : finding,
  );
}

function isIn(policyDir: string, path: string | undefined): boolean {
  const folder = pathInPackage(policyDir);
  return folder === "" || (folder !== undefined && path?.startsWith(`${folder}/`) === true);
}

/**
 * kustomize also lists a generator's functionConfig among the items (docs/upstream/hosts.md#kustomize), and kpt lists the
 * file that contains it.
 */
function isSameObject(item: Resource, functionConfig: Resource): boolean {
  const { kind, apiVersion, name, namespace } = functionConfig;
  const same =
    item.kind === kind && item.apiVersion === apiVersion && item.name === name && item.namespace === namespace;
  return same && withoutMetadata(item) === withoutMetadata(functionConfig);
}

function withoutMetadata({ value }: Resource): string {
  const { metadata: _hosts, ...rest } = value;
  return JSON.stringify(rest, (_key, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
}

function severalClusters(names: readonly string[]): Finding {
  const message = `the package is for several hosted clusters, and a function renders one: ${names.join(", ")}`;
  return findingOnInput("ambiguous-cluster", { message, hint: "select one with hostedCluster in the functionConfig" });
}

function nothingChanged({ gateOff, resolved }: RenderedCluster): Finding {
  const why = gateOff ? "the feature gate AutoNode is off" : nothingRead(resolved.settings?.nodePools);
  const hint = "allowEmpty writes what there is and removes earlier output";
  return findingOnInput("output-kept", {
    message: `nothing was changed, because ${why}`,
    hint: gateOff ? hint : `check the package; ${hint}`,
  });
}

/** The items of the list by index, without objects nested in them. */
function topLevel(resources: readonly Resource[]): ReadonlyMap<number, Resource> {
  return new Map(
    resources.filter(({ base }) => base.length === 2).map((resource) => [Number(resource.base[1]), resource]),
  );
}

/** Inputs that must not be applied to the guest cluster from here: wrappers and rules. */
function unmarkedInputs(items: ReadonlyMap<number, Resource>): ReadonlySet<number> {
  const inputs = [...items].filter(([, item]) => {
    const role = roleOf(item);
    return typeof role === "string" && role !== "not-ours" && role !== "earlier-output" && !isLocalConfig(item.value);
  });
  return new Set(inputs.map(([place]) => place));
}
