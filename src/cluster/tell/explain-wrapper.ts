/** Explains the pool of a wrapper as `anp explain` does, one pool at a time. */
import { describeExplanation, type DescribedPool } from "../../analyze/explain/describe-explanation.ts";
import { explainPool } from "../../analyze/explain/explain-pool.ts";
import { poolOrder } from "../../karpenter/scheduling/pool-order.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { Resource } from "../../krm/resource.ts";
import { once } from "../../model/once.ts";
import type { InspectedPass } from "./inspected-pass.ts";

/** Undefined where nobody can tell: the policy is held, or the wrapper is invalid. @param catalogue asked for with the first pool */
export function wrapperExplainer({ bundle, resolved }: InspectedPass, catalogue: () => Catalogue) {
  const filter = once(() => offeredTypes(catalogue()));
  const order = once(() => poolOrder((bundle?.nodePools ?? []).map(weighed)).map(({ name }) => name));
  const pools = once(() => new Map(resolved?.pools.map((pool) => [pool.wrapper, pool])));
  return (wrapper: Resource): DescribedPool | undefined => {
    const pool = pools().get(wrapper);
    if (resolved === undefined || pool === undefined) return undefined;
    const { profile } = resolved.inputs.settings;
    return describeExplanation(explainPool(pool, { filter: filter(), profile }), order());
  };
}

function weighed({ name, value }: Resource) {
  const weight = valueAt(value, ["spec", "weight"]);
  return { name, spec: typeof weight === "number" ? { weight } : {} };
}
