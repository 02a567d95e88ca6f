/** The pools of an explained cluster as plain data, held against a policy where one is named. */
import { poolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import { type DescribedPool, describeExplanation, describeUnderPolicy } from "./describe-explanation.ts";
import type { ExplainedCluster } from "./explain.ts";
import type { PoolExplanation } from "./explanation.ts";
import { meantWords } from "./meant-words.ts";
import { underPolicy } from "./under-policy.ts";

/** @param policy that raw pools are held against */
export function describeCluster(
  { inputs, pools, explanations, market, provider }: ExplainedCluster,
  policy: EffectivePolicy | undefined,
): DescribedPool[] {
  const places = poolPlaces(pools);
  const { source, date } = market.filter.catalogue;
  const own = inputs.settings.config.catalogue === undefined ? {} : { catalogue: { source, date } };
  const meantBy = meantWords(market.filter.catalogue, provider.labels);
  return explanations.map((explanation) => {
    const described = { ...withMeant(describeExplanation(explanation, places), explanation, meantBy), ...own };
    if (policy === undefined) return described;
    return { ...described, underPolicy: describeUnderPolicy(underPolicy(explanation.pool, policy, market)) };
  });
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
