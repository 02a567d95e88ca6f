/** Loads the pools and nodes of `anp simulate` from paths and a dump, and applies `--set`. */
import { isNodeData, isPodBudget } from "../../analyze/nodes/node-pairs.ts";
import { type SimulatedNode, simulatedNodes } from "../../analyze/simulate/pool-nodes.ts";
import { plainPools, type SimulatedPool, wrappedPools } from "../../analyze/simulate/pools.ts";
import { parseSetting, type Setting, withSettings } from "../../analyze/simulate/set.ts";
import type { Finding, Outcome } from "../../krm/findings/finding.ts";
import { KARPENTER_AWS_GROUP, KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import { gatherBundles } from "../../model/inputs/gather.ts";
import { wrapperIdOf } from "../../model/objects/applied-kinds.ts";
import { DEFAULT_PROFILE } from "../../model/crds/profile.ts";
import { inputMode, type InputMode, isNodeClass } from "../../model/objects/input-mode.ts";
import { clustersByFolder } from "../../model/objects/raw-objects.ts";
import { roleOf } from "../../model/objects/role.ts";
import { applyRulesOf } from "../../render/render-all.ts";
import { asV1 } from "../../resolve/read-raw-pool.ts";
import { resolve } from "../../resolve/resolve.ts";
import { configOf, karpenterOf } from "../../resolve/settings.ts";
import type { Context } from "../cli/context.ts";
import { renderOptionsOf } from "../cli/options.ts";
import { UsageError } from "../cli/exit-codes.ts";
import { buildsOf } from "../input/builds.ts";
import { kustomizedFolders, type Loaded, namedByPlace } from "../input/gather-loaded.ts";
import { loadResources } from "../input/load.ts";
import { readDump } from "../input/read-dump.ts";
import type { SimulateOptions } from "./options.ts";

export interface Simulation {
  readonly mode: InputMode;
  readonly pools: readonly SimulatedPool[];
  /** Undefined if the input has no information on nodes. */
  readonly nodes: readonly SimulatedNode[] | undefined;
}

/** @param live the objects of a cluster, if `--live` is given */
export function loadSimulation(
  paths: readonly string[],
  live: readonly Resource[] | undefined,
  options: SimulateOptions,
  context: Context,
): Outcome<Simulation> {
  const asked = live ?? (options.nodeData === undefined ? undefined : readDump(options.nodeData, DUMP, context));
  const dump = asked ?? [];
  // A dump that also holds the pools is an input of its own, and so is a cluster.
  const alone = paths.length === 0 && asked !== undefined;
  const { value, findings } = alone
    ? { value: { resources: dump, config: undefined }, findings: [] }
    : withPoolsOf(
        dump,
        loadResources(
          paths,
          { ...options, set: undefined, lenient: true, builds: buildsOf(options, false, context) },
          context,
        ),
      );
  const all = [...new Set([...dump, ...value.resources])];
  const data = all.filter(isNodeData);
  const mode = inputMode(value.resources, options);
  const strays = new Set(mode === "hosted" ? straysOf(value.resources, dump) : []);
  const ours = value.resources.filter((resource) => isOfAnp(resource) || strays.has(resource));
  const kustomized = kustomizedFolders(findings);
  const gathered = gatherBundles(ours, { ...options, config: value.config, kustomized });
  const { bundles } = gathered.value;
  const wrapped = new Set(bundles.flatMap(({ nodePools }) => nodePools.map(({ name }) => name)));
  // The NodePool rendered from a wrapper is the same pool.
  const isPlain = (resource: Resource) => isNodePool(resource) && !strays.has(resource) && !wrapped.has(resource.name);
  const classes = value.resources.filter(isNodeClass);
  const given = value.resources.filter(isPlain);
  const folders = clustersByFolder(given).flatMap(({ name, resources }) =>
    resources.map(({ folder }) => [folder, name] as const),
  );
  const converted = given.map((pool) => asV1(pool, classes));
  const plain = converted.flatMap((pool) => pool.value ?? []);
  const onVersions = converted.flatMap((pool) => pool.findings);
  const names = [...wrapped, ...plain.map(({ name }) => name)];
  checkNames(options, names);
  const settings = options.set.map((text) => settingOf(text, names));
  const loaded = { resources: all, config: value.config, folders: new Map(folders) };
  const before = poolsOf(bundles, plain, options, loaded);
  const after = poolsOf(
    bundles.map((bundle) => changed(bundle, settings)),
    plain.map((pool) => withSettings(pool, settings)),
    options,
    loaded,
  );
  refuseSlips(before.findings, after.findings);
  const pools = after.value.toSorted((a, b) => order(a.hostedCluster, b.hostedCluster) || order(a.name, b.name));
  if (data.length > 0 && new Set(pools.map(({ hostedCluster }) => hostedCluster)).size > 1)
    throw new UsageError(
      mode === "raw"
        ? "the nodes are of one cluster, and the pools of several: name the folder of that cluster"
        : "the nodes are of one cluster, and the pools of several: select one with --hosted-cluster",
    );
  const nodes =
    data.length === 0 && asked === undefined ? undefined : simulatedNodes([...data, ...all.filter(isPodBudget)]);
  const named = (found: readonly Finding[]) => namedByPlace(found, gathered.value, value.resources);
  const reported = [
    ...applyRulesOf(bundles, named([...findings, ...gathered.findings])),
    ...named([...onVersions, ...after.findings]),
  ];
  return { value: { mode, pools, nodes }, findings: reported };
}

/** If PATH also names the dump, its pools are read from it. */
function withPoolsOf(dump: readonly Resource[], loaded: Outcome<Loaded>): Outcome<Loaded> {
  if (dump.length === 0 || loaded.value.resources.length > 0) return loaded;
  const findings = loaded.findings.filter(({ code }) => code !== "input-empty");
  return { value: { ...loaded.value, resources: dump }, findings };
}

function order(a = "", b = ""): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function isNodePool({ kind, apiVersion }: Resource): boolean {
  return kind === "NodePool" && groupOf(apiVersion) === KARPENTER_GROUP;
}

/** Karpenter's own objects are simulated unchanged, not refused. */
function isOfAnp(resource: Resource): boolean {
  return ![KARPENTER_GROUP, KARPENTER_AWS_GROUP].includes(groupOf(resource.apiVersion)) && !isNodeData(resource);
}

/**
 * Karpenter's own objects beside the wrappers of a hosted cluster, which no policy covers. Objects of a cluster belong
 * there, and an object with the name of a wrapper was rendered from it.
 */
function straysOf(resources: readonly Resource[], dump: readonly Resource[]): Resource[] {
  const dumped = new Set(dump);
  const wrappers = new Set(resources.map(({ kind, name }) => `${kind}/${name}`));
  return resources.filter((resource) => {
    const { kind, name, value } = resource;
    const wrapper = wrapperIdOf(kind, name);
    const isOfCluster = dumped.has(resource) || typeof valueAt(value, ["metadata", "uid"]) === "string";
    if (wrapper === undefined || isOfCluster || wrappers.has(wrapper)) return false;
    const role = roleOf(resource);
    return typeof role !== "string" && role.code === "raw-object";
  });
}

function poolsOf(
  bundles: readonly Bundle[],
  plain: readonly Resource[],
  options: SimulateOptions,
  { resources, config, folders }: Loaded & { readonly folders: ReadonlyMap<string, string | undefined> },
) {
  const settings = { ...renderOptionsOf(options), autoNode: undefined, among: resources };
  const fromWrappers = wrappedPools(bundles.map((bundle) => resolve(bundle, settings)));
  const { profile = DEFAULT_PROFILE } = settings;
  const { karpenter } = configOf({ renderConfig: config }).value ?? {};
  const fromPools = plainPools(plain, profile, karpenterOf(profile, settings, karpenter), folders);
  return {
    value: [...fromWrappers.value, ...fromPools.value],
    findings: [...fromWrappers.findings, ...fromPools.findings],
  };
}

function changed(bundle: Bundle, settings: readonly Setting[]): Bundle {
  return { ...bundle, nodePools: bundle.nodePools.map((wrapper) => withSettings(wrapper, settings)) };
}

/** An error that appears only after the change comes from the `--set` option. */
function refuseSlips(before: readonly Finding[], after: readonly Finding[]): void {
  const known = new Set(before.map(({ message }) => message));
  const slip = after.find(({ message }) => !known.has(message));
  if (slip === undefined) return;
  throw new UsageError(`--set: ${slip.message}${slip.hint === undefined ? "" : `; ${slip.hint}`}`);
}

function settingOf(text: string, names: readonly string[]): Setting {
  const setting = parseSetting(text, names);
  if (setting !== undefined) return setting;
  const known = names.length === 0 ? "" : `; the pools are ${names.toSorted().join(", ")}`;
  throw new UsageError(`--set ${text}: write POOL.FIELD=VALUE, such as web.limits.nodes=20${known}`);
}

function checkNames({ nodes }: SimulateOptions, names: readonly string[]): void {
  for (const { name } of nodes) {
    if (names.includes(name)) continue;
    const nearest = nearestWord(name, names, 3);
    throw new UsageError(
      `--nodes: the input has no node pool ${name}${nearest === undefined ? "" : `: did you mean ${nearest}?`}`,
    );
  }
}

const DUMP = {
  isWanted: (resource: Resource) => isNodeData(resource) || isNodePool(resource),
  wanted: "neither NodeClaims nor Nodes nor NodePools",
  kubectl: "kubectl get nodepools,nodeclaims,nodes,pods,pdb -A -o json",
};
