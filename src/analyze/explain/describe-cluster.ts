/** The pools of an explained cluster as plain data, held against a policy where one is named. */
import { poolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import { type DescribedPool, describeExplanation, describeUnderPolicy } from "./describe-explanation.ts";
import type { ExplainedCluster } from "./explain.ts";
import { underPolicy } from "./under-policy.ts";

/** @param policy that raw pools are held against */
export function describeCluster(
  { inputs, pools, explanations, market }: ExplainedCluster,
  policy: EffectivePolicy | undefined,
): DescribedPool[] {
  const places = poolPlaces(pools);
  const { source, date } = market.filter.catalogue;
  const own = inputs.settings.config.catalogue === undefined ? {} : { catalogue: { source, date } };
  return explanations.map((explanation) => {
    const described = { ...describeExplanation(explanation, places), ...own };
    if (policy === undefined) return described;
    return { ...described, underPolicy: describeUnderPolicy(underPolicy(explanation.pool, policy, market)) };
  });
}
