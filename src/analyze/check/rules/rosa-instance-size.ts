/** Rules: instance types that ROSA's admission policies refuse, or that it cannot bill. */
import { someOf } from "../../../krm/values/counted.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { entriesOf, placeOfValue, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { PoolExplanation } from "../../explain/explanation.ts";
import type { PoolRequirement } from "../../../resolve/pool-requirements.ts";

const REFUSED = /\.(nano|micro|small|medium|large)$/;

/** See docs/upstream/hypershift.md#rosa. */
function isRefusedSize(instanceType: string): boolean {
  return REFUSED.test(instanceType);
}

/** The values that ROSA's admission policy for NodePools refuses. It checks only In entries of this key. */
function refusedValues(key: string, complement: boolean, values: Iterable<string>): string[] {
  return key === "node.kubernetes.io/instance-type" && !complement ? [...values].filter(isRefusedSize) : [];
}

const SIZES = "nano, micro, small, medium and large";

/** See docs/upstream/hypershift.md#rosa. */
export function rosaInstanceSize(cluster: ExplainedCluster): Finding[] {
  return [...entriesOf(cluster).flatMap(named), ...cluster.explanations.flatMap((one) => left(one, cluster))];
}

function refused({ requirement: { key, complement, values } }: PoolRequirement): string[] {
  return refusedValues(key, complement, values);
}

/** ROSA refuses a NodePool that names such a type. */
function named(entry: PoolRequirement): Finding[] {
  const names = refused(entry);
  const [first] = names;
  // A template label is not checked in the NodePool, but the NodeClaim has it and is refused.
  if (first === undefined) return [];
  const message = `${subjectOf(entry)}: ROSA's admission policies refuse ${someOf(names, 3)}: the sizes ${SIZES} are not allowed`;
  const hint = "name sizes from xlarge up";
  return [findingAt("rosa-instance-size", entry.place.resource, placeOfValue(entry, first), { message, hint })];
}

/** Karpenter lists up to 600 remaining types in each NodeClaim, and a single refused type is enough to refuse it. */
function left({ pool, instanceTypes, conflict }: PoolExplanation, { mode }: ExplainedCluster): Finding[] {
  if (conflict.length > 0 || pool.demands.some((demand) => refused(demand).length > 0)) return [];
  const names = instanceTypes.names.filter(isRefusedSize);
  if (names.length === 0) return [];
  const message = `${describeResource(pool.wrapper)} may get ${someOf(names, 3)}: ROSA's admission policies refuse every NodeClaim that lists such a size, and pods stay pending`;
  const where = mode === "hosted" ? "the policy, or to the pool" : "the pool";
  const hint = `add karpenter.k8s.aws/instance-cpu Gte 4 to ${where}`;
  const path = ["spec", "template", "spec", "requirements"];
  return [findingAt("rosa-instance-size", pool.wrapper, path, { message, hint })];
}

const STEP = 4;

/** ROSA bills vCPUs in steps. */
export function rosaVcpu(cluster: ExplainedCluster): Finding[] {
  const vcpus = vcpusOf(cluster);
  return cluster.explanations.flatMap(({ pool, instanceTypes, conflict }) => {
    if (conflict.length > 0) return [];
    const odd = instanceTypes.names.filter((name) => {
      const count = vcpus.get(name);
      return count !== undefined && (count < STEP || count % STEP !== 0);
    });
    // Sizes that the admission policies refuse have a finding of their own.
    if (!odd.some((name) => !isRefusedSize(name))) return [];
    const list = odd.filter((name) => !isRefusedSize(name)).map((name) => `${name} (${vcpus.get(name)} vCPUs)`);
    const message = `${describeResource(pool.wrapper)} may get ${someOf(list, 3)}: ROSA requires at least ${STEP} vCPUs and a multiple of ${STEP}`;
    const where = cluster.mode === "hosted" ? "the policy, or in the pool" : "the pool";
    const hint = `exclude these instance types in ${where}`;
    const path = ["spec", "template", "spec", "requirements"];
    return [findingAt("rosa-vcpu", pool.wrapper, path, { message, hint })];
  });
}

/** By name; empty if the catalogue has no vCPUs. */
function vcpusOf({ knownTypes }: ExplainedCluster): ReadonlyMap<string, number> {
  const { names, labels } = knownTypes.filter.catalogue;
  const column = labels.get("karpenter.k8s.aws/instance-cpu");
  if (column === undefined) return new Map();
  return new Map(
    names.flatMap((name, type): [string, number][] => {
      const [value] = column.sets[column.of[type]!]?.values ?? [];
      return value === undefined ? [] : [[name, Number(value)]];
    }),
  );
}
