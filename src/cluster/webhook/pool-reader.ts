/** Reads the NodePools for the conversion of NodeClaims, once for all requests at the same time. */
import type { Fields } from "../../krm/values/fields.ts";
import { type Answer, succeeded } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { Pools } from "./convert-objects.ts";
import { appliedKind } from "../../model/objects/applied-kinds.ts";

/** @param names the needed pools; pools that do not exist are not in the answer */
export type PoolReader = (names: readonly string[]) => Promise<Answer<Pools>>;

/** Karpenter reads them from a cache that is also late, but mostly by less. */
const FRESH_MS = 2000;

/**
 * Requests share one list. Otherwise each single NodeClaim would need a list, and each list of pools that are stored in
 * v1beta1 would call the webhook again. A pool counts as missing only if the list began after the request: a claim that
 * is converted without its pool keeps the wrong expireAfter for good.
 *
 * @param now milliseconds of a monotonic clock
 */
export function poolReader(api: Pick<ClusterApi, "list">, now: () => number): PoolReader {
  let lists = 0;
  let last: { readonly number: number; readonly at: number; readonly answer: Promise<Answer<Pools>> } | undefined;

  /** Returns a fresh list with at least this number. */
  const ask = async (atLeast: number): Promise<Answer<Pools>> => {
    if (last === undefined || last.number < atLeast || now() - last.at > FRESH_MS)
      last = { number: (lists += 1), at: now(), answer: listPools(api) };
    const { answer } = last;
    const pools = await answer;
    // Do not cache a failure: only the requests that wait for it get it.
    if (!pools.ok && last?.answer === answer) last = undefined;
    return pools;
  };

  return async (names) => {
    const next = lists + 1;
    const pools = await ask(0);
    return pools.ok && names.some((name) => !pools.value.has(name)) ? ask(next) : pools;
  };
}

async function listPools(api: Pick<ClusterApi, "list">): Promise<Answer<Pools>> {
  const answer = await api.list(appliedKind("NodePool"));
  if (!answer.ok) return answer;
  return succeeded(new Map(answer.value.items.map((pool) => [pool.metadata.name, pool as unknown as Fields])));
}
