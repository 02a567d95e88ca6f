/** The pools of explained clusters as plain data, compared with a policy if one is given. */
import type { DescribedDemand, DescribedPool, PoolSummary, ReportedReady } from "./pool-answer.ts";
import { poolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import { describeExplanation, describeUnderPolicy, summarizePool } from "./describe-explanation.ts";
import type { ExplainedCluster } from "./explain.ts";
import type { PoolExplanation } from "./explanation.ts";
import { suggestionWords } from "./suggestions.ts";
import { underPolicy } from "./under-policy.ts";
import { withoutValues } from "../../krm/values/placeholders.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { isFields } from "../../krm/values/fields.ts";

/** @param policy that raw pools are compared with */
export function describeClusters(
  clusters: readonly ExplainedCluster[],
  policy: EffectivePolicy | undefined,
): DescribedPool[] {
  return clusters.flatMap((cluster) => {
    const { pools, explanations, knownTypes, provider } = cluster;
    const places = poolPlaces(pools);
    const meantBy = suggestionWords(knownTypes.filter.catalogue, provider.labels);
    return explanations.map((explanation) =>
      withoutValues(
        {
          ...withMeant(describeExplanation(explanation, places), explanation, meantBy),
          ...askedOf(explanation, cluster, policy),
        },
        explanation.pool.wrapper.filled,
        isOfAnp,
      ),
    );
  });
}

/** A summary of each pool, for a table. */
export function summarizeClusters(
  clusters: readonly ExplainedCluster[],
  policy: EffectivePolicy | undefined,
): PoolSummary[] {
  return clusters.flatMap((cluster) =>
    cluster.explanations.map((explanation) =>
      withoutValues(
        { ...summarizePool(explanation), ...askedOf(explanation, cluster, policy) },
        explanation.pool.wrapper.filled,
        isOfAnp,
      ),
    ),
  );
}

/** Names, places, counts and words of anp: no value that an option gives for a placeholder. */
function isOfAnp(key: string, part: unknown): boolean {
  return typeof part === "number" || KEPT.has(key);
}

const KEPT: ReadonlySet<string> = new Set<keyof DescribedPool | keyof DescribedDemand | "outcome" | "operator">([
  ...(["name", "hostedCluster", "verdict", "provider", "nodeClass", "prices", "order", "policy", "catalogue"] as const),
  ...(["from", "file", "outcome", "operator"] as const),
]);

/** The catalogue and the policy that the pool was judged by, and what its cluster says of a wrapper. */
function askedOf(
  { pool }: PoolExplanation,
  { inputs, knownTypes, mode }: ExplainedCluster,
  policy: EffectivePolicy | undefined,
): Pick<PoolSummary, "ready" | "catalogue" | "underPolicy"> {
  const { source, date } = knownTypes.filter.catalogue;
  const ready = mode === "hosted" ? reportedReady(pool.wrapper) : undefined;
  return {
    ...(ready === undefined ? {} : { ready }),
    ...(inputs.settings.config.catalogue === undefined ? {} : { catalogue: { source, date } }),
    ...(policy === undefined ? {} : { underPolicy: describeUnderPolicy(underPolicy(pool, policy, knownTypes)) }),
  };
}

/** Adds to each entry the spelling that its author most likely meant. */
function withMeant(
  described: DescribedPool,
  { requirements }: PoolExplanation,
  meantBy: ReturnType<typeof suggestionWords>,
): DescribedPool {
  return {
    ...described,
    requirements: described.requirements.map((key, index) => {
      const { policy, user } = requirements[index]!;
      const asked = [...policy, ...user];
      const entries = key.entries.map((entry, at) => {
        const meant = meantBy(asked[at]!);
        return meant.length === 0 ? entry : { ...entry, meant };
      });
      return { ...key, entries };
    }),
  };
}

/** Undefined without a status. A status may hold any value, because users can write files with one. */
export function reportedReady({ value }: Resource): ReportedReady | undefined {
  const conditions = valueAt(value, ["status", "conditions"]);
  const found = Array.isArray(conditions)
    ? conditions.filter(isFields).find(({ type }) => type === "Ready")
    : undefined;
  return (
    found && { status: textOf(found["status"]), reason: textOf(found["reason"]), message: textOf(found["message"]) }
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Whether the cluster says that the pool is not ready. */
export function isNotReady(ready: ReportedReady | undefined): ready is ReportedReady {
  return ready?.status === "False";
}

/** `NoInstanceTypes: no instance type satisfies …`. */
export function readyWords({ reason, message }: ReportedReady): string {
  return [reason, message].filter((part) => part !== "").join(": ");
}
