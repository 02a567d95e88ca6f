/** The pools of explained clusters as plain data, held against a policy where one is named. */
import { poolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import { type DescribedPool, describeExplanation } from "./describe-explanation.ts";
import type { ExplainedCluster } from "./explain.ts";
import type { PoolExplanation } from "./explanation.ts";
import { meantWords } from "./meant-words.ts";
import { describeUnderPolicy, type PoolSummary, summarizePool } from "./summarize-pool.ts";
import { underPolicy } from "./under-policy.ts";

/** @param policy that raw pools are held against */
export function describeClusters(
  clusters: readonly ExplainedCluster[],
  policy: EffectivePolicy | undefined,
): DescribedPool[] {
  return clusters.flatMap((cluster) => {
    const { pools, explanations, market, provider } = cluster;
    const places = poolPlaces(pools);
    const meantBy = meantWords(market.filter.catalogue, provider.labels);
    return explanations.map((explanation) => ({
      ...withMeant(describeExplanation(explanation, places), explanation, meantBy),
      ...askedOf(explanation, cluster, policy),
    }));
  });
}

/** For a table. */
export function summarizeClusters(
  clusters: readonly ExplainedCluster[],
  policy: EffectivePolicy | undefined,
): PoolSummary[] {
  return clusters.flatMap((cluster) =>
    cluster.explanations.map((explanation) => ({
      ...summarizePool(explanation),
      ...askedOf(explanation, cluster, policy),
    })),
  );
}

/** What it was asked about, and held against. */
function askedOf(
  { pool }: PoolExplanation,
  { inputs, market }: ExplainedCluster,
  policy: EffectivePolicy | undefined,
): Pick<PoolSummary, "catalogue" | "underPolicy"> {
  const { source, date } = market.filter.catalogue;
  return {
    ...(inputs.settings.config.catalogue === undefined ? {} : { catalogue: { source, date } }),
    ...(policy === undefined ? {} : { underPolicy: describeUnderPolicy(underPolicy(pool, policy, market)) }),
  };
}

/** Each entry with what its author most likely meant. */
function withMeant(
  described: DescribedPool,
  { requirements }: PoolExplanation,
  meantBy: ReturnType<typeof meantWords>,
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
