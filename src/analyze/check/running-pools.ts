/** Compares running NodePools with what their wrappers render to now. */
import type { DescribedOutput } from "./explain-answer.ts";
import type { CatalogueFor } from "../explain/explain.ts";
import { poolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import { formatFieldPath } from "../../krm/places/field-path.ts";
import { fileLineOf } from "../../krm/places/location.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import { carriesMarks } from "../../model/objects/marks.ts";
import { sortRawObjects } from "../../model/objects/raw-objects.ts";
import type { RenderedCluster } from "../../render/render-all.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { resolveRaw } from "../../resolve/resolve-raw.ts";
import { describeExplanation } from "../explain/describe-explanation.ts";
import { type ExplainedCluster, explainClusters } from "../explain/explain.ts";
import { fieldsApart, renderedOf, standardOf } from "./standard.ts";

export interface RunningPools {
  readonly clusters: readonly ExplainedCluster[];
  readonly outputs: readonly DescribedOutput[];
}

/** `anp check` judges the differences. A NodePool that Karpenter would refuse does not run, and is left out. */
export function runningPools(
  clusters: readonly RenderedCluster<ResolvedCluster>[],
  catalogueFor: CatalogueFor,
): RunningPools {
  const all = clusters.map((cluster) => {
    const { bundle, settings } = cluster.resolved;
    const made = outputsOf(bundle);
    const explained =
      made.length === 0
        ? []
        : explainClusters(resolveRaw(sortRawObjects(made).value, settings?.profile).value, catalogueFor(settings));
    return { explained, outputs: explained.flatMap((one) => describe(one, cluster)) };
  });
  return {
    clusters: all.flatMap(({ explained }) => explained),
    outputs: all.flatMap(({ outputs }) => outputs),
  };
}

function outputsOf({ earlierOutput, operatorOutput }: Bundle): Resource[] {
  return [...earlierOutput, ...operatorOutput];
}

function describe({ pools, explanations }: ExplainedCluster, cluster: RenderedCluster): DescribedOutput[] {
  const { hostedCluster, policy } = cluster.resolved.bundle;
  const places = poolPlaces(pools);
  const standard = standardOf(cluster);
  return explanations.map((explanation) => {
    const output = explanation.pool.wrapper;
    const object = standard === undefined ? undefined : renderedOf(output, standard);
    const apart = standard === undefined || object === undefined ? undefined : fieldsApart(output, object, standard);
    return {
      ...describeExplanation(explanation, places),
      hostedCluster,
      // A rendered pool has the policy's entries among its own, so only the place of the policy is added.
      policy: policy === undefined ? null : fileLineOf(policy, []),
      madeBy: carriesMarks(output.value) ? "anp" : "hypershift",
      differences:
        apart?.map(({ path, here, rendered }) => ({
          field: formatFieldPath(path),
          here: here ?? null,
          rendered: rendered ?? null,
        })) ?? null,
    };
  });
}
