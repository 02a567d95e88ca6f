/** Explains the pool of a wrapper, and how long its nodes may stay, one pool at a time. */
import { describeExplanation, type DescribedPool } from "../../analyze/explain/describe-explanation.ts";
import { type CatalogueFor, priceIndexes, type PricesFor } from "../../analyze/explain/explain.ts";
import { explainPool } from "../../analyze/explain/explain-pool.ts";
import { type RunningPool, runningPool } from "../../analyze/check/running-nodes.ts";
import { poolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { Resource } from "../../krm/resource.ts";
import { once } from "../../model/once.ts";
import type { InspectedPass } from "./inspected-pass.ts";

interface WrapperExplainer {
  readonly explain: (wrapper: Resource) => DescribedPool | undefined;
  /** What becomes of nodes that no longer fit. */
  readonly stay: (wrapper: Resource) => RunningPool | undefined;
}

/**
 * Undefined where nobody can tell: the policy is held, or the wrapper is invalid.
 *
 * @param catalogue asked for with the first pool
 */
export function wrapperExplainer(
  { bundle, resolved }: InspectedPass,
  catalogue: CatalogueFor,
  pricesFor: PricesFor,
): WrapperExplainer {
  const filter = once(() => offeredTypes(catalogue(resolved?.inputs.settings)));
  const places = once(() => poolPlaces((bundle?.nodePools ?? []).map(weighed)));
  const pools = once(() => new Map(resolved?.pools.map((pool) => [pool.wrapper, pool])));
  const market = once(() => {
    const known = pricesFor(resolved?.inputs.settings);
    return { filter: filter(), prices: known && priceIndexes(filter().catalogue)(known) };
  });
  return {
    explain: (wrapper) => {
      const pool = pools().get(wrapper);
      if (resolved === undefined || pool === undefined) return undefined;
      const { profile } = resolved.inputs.settings;
      return describeExplanation(explainPool(pool, { ...market(), profile }), places());
    },
    stay: (wrapper) => {
      const pool = pools().get(wrapper);
      return pool && runningPool(pool, resolved?.inputs.settings.config.minDriftedBudget);
    },
  };
}

function weighed({ name, value }: Resource) {
  const weight = valueAt(value, ["spec", "weight"]);
  return { name, spec: typeof weight === "number" ? { weight } : {} };
}
