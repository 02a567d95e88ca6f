/** Explains a pool of a pass: its instance types, and how long its nodes may stay. */
import { regionOfPools } from "../../karpenter/catalogue/price-region.ts";
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import { describeExplanation } from "../../analyze/explain/describe-explanation.ts";
import { type CatalogueFor, priceIndexes, type PricesFor } from "../../analyze/explain/explain.ts";
import { explainPool } from "../../analyze/explain/explain-pool.ts";
import { type RunningPool, runningPool } from "../../analyze/check/running-nodes.ts";
import { poolPlaces } from "../../karpenter/scheduling/pool-order.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import { memoize } from "../../model/schema/memoize.ts";
import { poolAsWritten, type ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { ReadableCluster } from "../plan/render-cluster.ts";
import { usersPoolReader } from "./pool-verdicts.ts";

export interface PassRecord {
  readonly bundle: Bundle | undefined;
  /** Undefined if nothing can be rendered. */
  readonly resolved: ReadableCluster | undefined;
}

interface WrapperExplainer {
  readonly explain: (wrapper: Resource) => DescribedPool | undefined;
  /** A NodePool of the cluster as it runs; undefined unless users may write NodePools. */
  readonly explainUsers: (live: LiveObject) => DescribedPool | undefined;
  /** How long nodes that no longer fit may stay. */
  readonly stay: (wrapper: Resource) => RunningPool | undefined;
}

/**
 * All return undefined if the policy is held or the wrapper is invalid.
 *
 * @param catalogue called for the first pool
 */
export function wrapperExplainer(
  { bundle, resolved }: PassRecord,
  catalogue: CatalogueFor,
  pricesFor: PricesFor,
): WrapperExplainer {
  const filter = memoize(() => offeredTypes(catalogue(resolved?.inputs.settings)));
  const places = memoize(() => poolPlaces((bundle?.nodePools ?? []).map(weighed)));
  const pools = memoize(() => new Map(resolved?.pools.map((pool) => [pool.wrapper, pool])));
  const knownTypes = memoize(() => {
    const known = pricesFor(resolved?.inputs.settings, regionOfPools(resolved?.pools ?? []));
    return { filter: filter(), prices: known && priceIndexes(filter().catalogue)(known) };
  });
  const usersPool = memoize(() => (resolved?.mode === "shipped" ? usersPoolReader(resolved) : () => undefined));
  const explained = (pool: ResolvedPool | undefined): DescribedPool | undefined => {
    if (resolved === undefined || pool === undefined) return undefined;
    const { profile } = resolved.inputs.settings;
    return describeExplanation(explainPool(pool, { ...knownTypes(), profile }), places());
  };
  return {
    explain: (wrapper) => explained(pools().get(wrapper)),
    explainUsers: (live) => {
      const pool = usersPool()(live);
      return explained(pool && poolAsWritten(pool));
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
