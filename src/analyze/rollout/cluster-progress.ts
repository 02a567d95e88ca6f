/** How far a hosted cluster has come with its rendered NodePools. */
import { templateHashForm } from "../../karpenter/drift/change-hash-form.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { isFields } from "../../krm/values/fields.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { counted } from "../../krm/values/counted.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { fitsPool } from "../diff/change-nodes.ts";
import { conditionOf } from "../nodes/held-pod.ts";
import { pairNodes } from "../nodes/node-pairs.ts";

/**
 * `not-in-files`: the manifests do not have the policy of the plan yet. `not-applied`: the cluster has other NodePools
 * than the manifests render. `replacing`: nodes drift. `converged`: no node drifts. `unknown`: the cluster was not read.
 */
export const PROGRESS = ["not-in-files", "not-applied", "replacing", "converged", "unknown"] as const;

export interface ClusterProgress {
  readonly state: (typeof PROGRESS)[number];
  /** Of the rendered pools; null if they were not counted. */
  readonly nodes: { readonly total: number; readonly outdated: number } | null;
  readonly why: string;
}

/**
 * @param rendered the NodePools and EC2NodeClasses that the manifests render
 * @param live the objects of the cluster
 */
export function progressOf(rendered: readonly KubeObject[], live: readonly Resource[]): ClusterProgress {
  const pools = rendered.filter(({ kind }) => kind === "NodePool");
  const inCluster = new Map(live.filter(isNodePool).map((one) => [one.name, one.value]));
  for (const pool of pools) {
    const problem = notApplied(pool, inCluster.get(pool.metadata.name)) ?? otherVolumes(pool, rendered, live);
    if (problem !== undefined)
      return { state: "not-applied", nodes: null, why: `NodePool ${pool.metadata.name}: ${problem}` };
  }
  const byName = new Map(pools.map((pool) => [pool.metadata.name, pool]));
  const classHashes = new Map(live.filter(isNodeClass).map((one) => [one.name, hashOf(one.value, CLASS_HASH)]));
  let total = 0;
  const outdated: string[] = [];
  for (const { claim, node } of pairNodes(live)) {
    const one = (claim ?? node)!;
    const pool = byName.get(textsAt(one.value, ["metadata", "labels"])[POOL_LABEL] ?? "");
    if (pool === undefined) continue;
    total += 1;
    const livePool = inCluster.get(pool.metadata.name);
    if (isOutdated(one.value, pool, livePool, classHashes)) outdated.push(one.name);
  }
  const nodes = { total, outdated: outdated.length };
  if (outdated.length === 0) return { state: "converged", nodes, why: `none of ${counted(total, "node")} drifts` };
  return { state: "replacing", nodes, why: `${outdated.length} of ${counted(total, "node")} left to replace` };
}

const POOL_LABEL = "karpenter.sh/nodepool";
const POOL_HASH = "karpenter.sh/nodepool-hash";
const CLASS_HASH = "karpenter.k8s.aws/ec2nodeclass-hash";

function isNodePool({ apiVersion, kind }: Resource): boolean {
  return kind === "NodePool" && groupOf(apiVersion) === KARPENTER_GROUP;
}

function isNodeClass({ apiVersion, kind }: Resource): boolean {
  return kind === "EC2NodeClass" && groupOf(apiVersion) === "karpenter.k8s.aws";
}

/** Why the cluster does not have the pool as it is rendered; undefined if it has. */
function notApplied(pool: KubeObject, live: unknown): string | undefined {
  if (live === undefined) return "is not in the cluster yet";
  const template = (one: unknown) => valueAt(one, ["spec", "template"]);
  if (requirementsForm(pool) !== requirementsForm(live)) return "has other requirements in the cluster";
  if (canonical(templateHashForm(template(pool))) !== canonical(templateHashForm(template(live))))
    return "has another template in the cluster";
  const generation = valueAt(live, ["metadata", "generation"]);
  const observed = conditionsOf(live).flatMap((condition) => {
    const seen = valueAt(condition, ["observedGeneration"]);
    return typeof seen === "number" ? [seen] : [];
  });
  const isSeen = typeof generation !== "number" || observed.length === 0 || Math.max(...observed) >= generation;
  return isSeen ? undefined : `Karpenter has not observed generation ${generation} yet`;
}

/** In any order of entries and values, as Karpenter reads them. */
function requirementsForm(pool: unknown): string {
  const entries = valueAt(pool, ["spec", "template", "spec", "requirements"]);
  const forms = (Array.isArray(entries) ? entries : []).map((entry: unknown) => {
    if (!isFields(entry)) return canonical(entry);
    const { values, ...rest } = entry;
    return canonical({ ...rest, values: Array.isArray(values) ? values.map(String).toSorted() : [] });
  });
  return JSON.stringify([...new Set(forms)].toSorted());
}

/** A policy's root volume is in the node class. Only the volumes are compared: operators write other fields. */
function otherVolumes(
  pool: KubeObject,
  rendered: readonly KubeObject[],
  live: readonly Resource[],
): string | undefined {
  const name = textAt(pool, ["spec", "template", "spec", "nodeClassRef", "name"]);
  const made = rendered.find(({ kind, metadata }) => kind === "EC2NodeClass" && metadata.name === name);
  const volumes = (one: unknown) => valueAt(one, ["spec", "blockDeviceMappings"]);
  if (made === undefined || volumes(made) === undefined) return undefined;
  const found = live.find((one) => isNodeClass(one) && one.name === name);
  if (found === undefined) return `its EC2NodeClass ${String(name)} is not in the cluster yet`;
  return canonical(volumes(made)) === canonical(volumes(found.value))
    ? undefined
    : `its EC2NodeClass ${String(name)} has other volumes in the cluster`;
}

function isOutdated(
  node: unknown,
  pool: KubeObject,
  livePool: unknown,
  classHashes: ReadonlyMap<string, string | undefined>,
): boolean {
  if (conditionOf(node, "Drifted") === "True") return true;
  if (!fitsPool(textsAt(node, ["metadata", "labels"]), pool)) return true;
  const differs = (own: string | undefined, wanted: string | undefined): boolean =>
    own !== undefined && wanted !== undefined && own !== wanted;
  const nodeClass = textAt(node, ["spec", "nodeClassRef", "name"]) ?? "";
  return (
    differs(hashOf(node, POOL_HASH), hashOf(livePool, POOL_HASH)) ||
    differs(hashOf(node, CLASS_HASH), classHashes.get(nodeClass))
  );
}

function hashOf(object: unknown, annotation: string): string | undefined {
  return textsAt(object, ["metadata", "annotations"])[annotation];
}

function conditionsOf(object: unknown): readonly unknown[] {
  const conditions = valueAt(object, ["status", "conditions"]);
  return Array.isArray(conditions) ? conditions : [];
}
