/** Sorts Karpenter's own objects by cluster and kind, and marks user data as secret. */
import { type Finding, findingAt, type Outcome } from "../../krm/findings/finding.ts";
import { KARPENTER_GROUP, notServed } from "../../krm/findings/known-kinds.ts";
import { describeResource, groupOf, type Resource, type SourceDocument } from "../../krm/places/resource.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { byBytes } from "../values/by-bytes.ts";
import { isNodeClass } from "./input-mode.ts";

export interface RawObjects {
  /** Sorted by name, as the node classes are. */
  readonly nodePools: readonly Resource[];
  readonly nodeClasses: readonly Resource[];
  /** In the order given; two of one name may be of different clusters. */
  readonly nodeClaims: readonly Resource[];
}

/** Other objects are left out. */
export function sortRawObjects(given: readonly Resource[]): Outcome<RawObjects> {
  const findings: Finding[] = [];
  const resources = markUserData(given).filter(({ apiVersion, kind }) => notServed(apiVersion, kind) === undefined);
  const value = {
    nodePools: eachOnce(resources.filter(isNodePool), findings),
    nodeClasses: eachOnce(resources.filter(isNodeClass), findings),
    nodeClaims: resources.filter(isNodeClaim),
  };
  return { value, findings };
}

function isNodePool({ kind, apiVersion }: Resource): boolean {
  return kind === "NodePool" && groupOf(apiVersion) === KARPENTER_GROUP;
}

export function isNodeClaim({ kind, apiVersion }: Resource): boolean {
  return kind === "NodeClaim" && groupOf(apiVersion) === KARPENTER_GROUP;
}

function eachOnce(resources: readonly Resource[], findings: Finding[]): Resource[] {
  const seen = new Map<string, Resource[]>();
  for (const resource of resources) {
    const id = idOf(resource);
    const given = seen.get(id) ?? [];
    seen.set(id, given);
    const first = given.find((one) => mayBeOfOneProvider(one, resource));
    if (first === undefined) given.push(resource);
    else findings.push(givenTwice(resource, first));
  }
  return [...seen.values()].flat().toSorted((a, b) => byBytes(a.name, b.name));
}

/** Two pools of one name, of two providers, are the same example for two clusters: Karpenter runs with one provider. */
function mayBeOfOneProvider(a: Resource, b: Resource): boolean {
  const [one, other] = [a, b].map(({ value }) => textAt(value, ["spec", "template", "spec", "nodeClassRef", "group"]));
  return one === undefined || other === undefined || one === other;
}

function idOf({ apiVersion, kind, name }: Resource): string {
  return `${groupOf(apiVersion)}/${kind}/${name}`;
}

function givenTwice(resource: Resource, first: Resource): Finding {
  const message = `${describeResource(resource)} is given twice (first in ${first.document.source.file}), and names are unique in a cluster`;
  const hint = "remove one of the two, or read the folder of each cluster separately";
  return findingAt("duplicate-resource", resource, ["metadata", "name"], { message, hint });
}

/** The whole document is marked, because a single line may hold all its objects. */
export function markUserData(resources: readonly Resource[]): readonly Resource[] {
  const secret = new Map<SourceDocument, SourceDocument>();
  for (const { value, document } of resources) {
    const spec = value["spec"] as { userData?: unknown } | null | undefined;
    if (spec?.userData !== undefined) secret.set(document, { ...document, secret: true });
  }
  if (secret.size === 0) return resources;
  return resources.map((resource) => ({ ...resource, document: secret.get(resource.document) ?? resource.document }));
}

export interface RawCluster {
  /** Its folder, below the one that all clusters are in; undefined if the input is one cluster. */
  readonly name: string | undefined;
  readonly resources: readonly Resource[];
}

/**
 * A folder is one cluster, unless two of its folders hold the same pool or node class: then each of these is. Folders
 * with node classes alone belong to each cluster that lacks these.
 *
 * @param beside another version of the same folders: what are clusters there are clusters here, too
 */
export function clustersByFolder(
  resources: readonly Resource[],
  beside: readonly Resource[] = [],
): readonly RawCluster[] {
  const [own, other] = [resources, beside].map((some) => sideOf(some)) as [Side, Side];
  const isSame = own.ours.some(({ folder }) => other.folders.has(folder));
  const [here, there] = isSame ? [splitLike(own, other), splitLike(other, own)] : [own, { clusters: [] }];
  const { clusters, shared } = here;
  const isOne = clusters.length < 2 && there.clusters.length < 2;
  if (isOne || clusters.length * shared.length > MOST_SHARED) return [{ name: undefined, resources }];
  const common = countCommon([...clusters, ...there.clusters].map(({ names }) => names));
  return clusters.map(({ names, resources: inside }) => ({
    name: names.slice(common).join("/") || ".",
    resources: [...inside, ...missingIn(inside, shared, names)],
  }));
}

interface Side {
  /** Pools and node classes. */
  readonly ours: readonly Resource[];
  /** The folders that hold some. */
  readonly folders: ReadonlySet<string>;
  /** Parts with pools. */
  readonly clusters: readonly Part[];
  /** Node classes of no cluster. */
  readonly shared: readonly Resource[];
}

function sideOf(resources: readonly Resource[]): Side {
  const ours = resources.filter((resource) => isNodePool(resource) || isNodeClass(resource));
  const { parts } = partsOf(treeOf(ours));
  const clusters = parts.filter((part) => part.resources.some(isNodePool));
  const shared = parts.filter((part) => !clusters.includes(part)).flatMap((part) => part.resources);
  return { ours, folders: new Set(ours.map(({ folder }) => folder)), clusters, shared };
}

/** A side that is one cluster by itself, divided into the clusters of the other one. */
function splitLike(side: Side, { clusters }: Side): Side {
  if (side.clusters.length > 1 || clusters.length < 2) return side;
  const known = new Set(clusters.map(({ names }) => names.join("/")));
  const byCluster = Map.groupBy(side.ours, (resource) => {
    const names = namesOf(resource);
    const within = names.map((_, at) => names.slice(0, names.length - at).join("/"));
    return within.find((folder) => known.has(folder)) ?? names.join("/");
  });
  const parts = [...byCluster].map(([folder, inside]) => ({ names: folder.split("/"), resources: inside }));
  const { true: split = [], false: rest = [] } = Object.groupBy(parts, (part) =>
    String(part.resources.some(isNodePool)),
  );
  return { ...side, clusters: split, shared: rest.flatMap((part) => part.resources) };
}

/** One cluster, beside which each kustomization that was built is one, with the node classes that it lacks. */
export function clustersByBuild(resources: readonly Resource[]): readonly RawCluster[] {
  const byBuild = Map.groupBy(resources, ({ document }) => document.source.built);
  const rest = byBuild.get(undefined) ?? [];
  byBuild.delete(undefined);
  const shared = rest.filter(isNodeClass);
  if (byBuild.size === 0 || byBuild.size * shared.length > MOST_SHARED) return [{ name: undefined, resources }];
  const builds = [...byBuild].map(([folder = "", own]) => ({ names: folder.split("/"), own }));
  const common = builds.length === 1 ? -1 : countCommon(builds.map(({ names }) => names));
  const clusters = builds.map(({ names, own }) => ({
    name: names.slice(common).join("/") || ".",
    resources: [...own, ...missingIn(own, shared, names)],
  }));
  const isPart = rest.some((one) => isNodePool(one) || isNodeClass(one));
  return isPart ? [{ name: undefined, resources: rest }, ...clusters] : clusters;
}

const MOST_SHARED = 1_000_000;

interface Folder {
  readonly names: readonly string[];
  readonly own: Resource[];
  readonly children: Map<string, Folder>;
}

function treeOf(resources: readonly Resource[]): Folder {
  const root: Folder = { names: [], own: [], children: new Map() };
  for (const resource of resources) {
    let folder = root;
    for (const name of namesOf(resource)) {
      const child = folder.children.get(name) ?? { names: [...folder.names, name], own: [], children: new Map() };
      folder.children.set(name, child);
      folder = child;
    }
    folder.own.push(resource);
  }
  return root;
}

function namesOf({ folder }: Resource): string[] {
  return folder.split("/").filter((name) => name !== "");
}

interface Part {
  readonly names: readonly string[];
  readonly resources: readonly Resource[];
}

/** The parts of a folder that hold no object twice, unless one of their own folders lies in another one. */
function partsOf({ names, own, children }: Folder): { readonly parts: readonly Part[]; readonly ids: Set<string> } {
  const below = [...children.values()].map(partsOf);
  const inChildren = new Set<string>();
  let isOne = true;
  for (const { parts, ids } of below) {
    if (parts.length > 1 || !inChildren.isDisjointFrom(ids)) isOne = false;
    for (const id of ids) inChildren.add(id);
  }
  const parts = [{ names, resources: own }, ...below.flatMap((child) => child.parts)].filter(
    (part) => part.resources.length > 0,
  );
  const ids = inChildren.union(new Set(own.map(idOf)));
  return { parts: isOne ? [{ names, resources: parts.flatMap((part) => part.resources) }] : parts, ids };
}

/** Of each node class that a cluster lacks, the nearest one. */
function missingIn(own: readonly Resource[], shared: readonly Resource[], names: readonly string[]): Resource[] {
  const known = new Set(own.map(idOf));
  const near = (resource: Resource): number => countCommon([names, namesOf(resource)]);
  return shared
    .toSorted((a, b) => near(b) - near(a))
    .filter((resource) => !known.has(idOf(resource)) && known.add(idOf(resource)));
}

/** How many names the paths have in common at their start. */
function countCommon([first = [], ...others]: readonly (readonly string[])[]): number {
  const at = first.findIndex((name, index) => others.some((other) => other[index] !== name));
  return at === -1 ? first.length : at;
}
