/** Compares running NodePools with what their wrappers render to now. */
import type { DescribedOutput } from "./explain-answer.ts";
import { judgePool } from "../explain/judge-pool.ts";
import { isNotReady, readyWords, reportedReady } from "../explain/describe-clusters.ts";
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { type CatalogueFor, type ExplainedCluster, explainClusters } from "../explain/explain.ts";
import { poolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import { formatFieldPath } from "../../krm/places/field-path.ts";
import { fileLineOf } from "../../krm/places/location.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import { carriesMarks } from "../../model/objects/marks.ts";
import { sortRawObjects } from "../../model/objects/raw-objects.ts";
import type { RenderedCluster } from "../../render/render-all.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import { resolveRaw } from "../../resolve/resolve-raw.ts";
import { describeExplanation } from "../explain/describe-explanation.ts";
import type { InstanceTypes } from "../explain/remaining-types.ts";
import { fieldsApart, renderedOf, standardOf } from "./standard.ts";

export interface RunningPools {
  readonly clusters: readonly ExplainedCluster[];
  readonly outputs: readonly DescribedOutput[];
  /** On pools that get no nodes in their cluster. */
  readonly findings: readonly Finding[];
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
        : explainClusters(
            resolveRaw(sortRawObjects(made).value, settings?.profile, settings?.karpenter).value,
            catalogueFor(settings),
          );
    const outputs = explained.flatMap((one) => describe(one, cluster));
    return { explained, outputs, findings: withoutNodes(bundle, explained) };
  });
  return {
    clusters: all.flatMap(({ explained }) => explained),
    outputs: all.flatMap(({ outputs }) => outputs),
    findings: all.flatMap(({ findings }) => findings),
  };
}

/** The wrapper's condition has the reason of a watch, which knows the policy; a running NodePool shows its own. */
function withoutNodes({ nodePools }: Bundle, running: readonly ExplainedCluster[]): Finding[] {
  const runs = new Map(
    running.flatMap(({ pools, knownTypes }) => pools.map((pool) => [pool.name, { pool, knownTypes }])),
  );
  return nodePools.flatMap((wrapper) => {
    const why = whyNotReady(wrapper) ?? whyOfRunning(runs.get(wrapper.name));
    if (why === undefined) return [];
    const message = `${describeResource(wrapper)} ${why}`;
    const hint = "change what the reason names, or ask the owner of the policy or of the node class";
    return [findingAt("pool-not-ready", wrapper, ["metadata", "name"], { message, hint })];
  });
}

function whyNotReady(object: Resource): string | undefined {
  const ready = reportedReady(object);
  return isNotReady(ready) ? `is not ready in its cluster: ${readyWords(ready)}` : undefined;
}

interface Running {
  readonly pool: ResolvedPool;
  readonly knownTypes: InstanceTypes;
}

function whyOfRunning(running: Running | undefined): string | undefined {
  if (running === undefined) return undefined;
  const { verdict, why } = judgePool(running.pool, running.knownTypes);
  return verdict === "unsatisfiable" ? `gets no nodes in its cluster: ${why}` : whyNotReady(running.pool.wrapper);
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
    const ready = reportedReady(output);
    const apart = standard === undefined || object === undefined ? undefined : fieldsApart(output, object, standard);
    return {
      ...describeExplanation(explanation, places),
      ...(ready === undefined ? {} : { ready }),
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
