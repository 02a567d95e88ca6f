/** Rule: instance types that ROSA's admission policies refuse. */
import { someOf } from "../../../krm/values/counted.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { entriesOf, placeOfValue, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { PoolExplanation } from "../../explain/explanation.ts";
import { isRefusedSize, refusedValues } from "../rosa-sizes.ts";
import type { PoolRequirement } from "../../../resolve/pool-requirements.ts";

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
