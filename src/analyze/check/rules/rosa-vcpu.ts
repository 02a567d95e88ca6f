/** Rule: instance types that ROSA cannot bill, because vCPUs are not a multiple of 4. */
import { someOf } from "../../../krm/values/counted.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { isRefusedSize, vcpusOf } from "../rosa-sizes.ts";

const STEP = 4;

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
