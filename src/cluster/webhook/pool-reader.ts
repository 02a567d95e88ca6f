/** Reads the NodePools that claims need to be converted, once for all who ask at a time. */
import type { Fields } from "../../karpenter/conversion/plain-fields.ts";
import { type Answer, succeeded } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { Pools } from "./convert-objects.ts";
import { appliedKind } from "../../model/applied-kinds.ts";

/** @param names the pools that are needed; those that the cluster does not have are not in the answer */
export type PoolReader = (names: readonly string[]) => Promise<Answer<Pools>>;

/** Karpenter reads them from a cache that is behind as well, if mostly by less. */
const FRESH_MS = 2000;

/**
 * Who asks while others wait for an answer waits for the same one: each NodeClaim that is read on its own would be a list
 * else, and each list of pools that are stored in v1beta1 is a conversion again. That a pool is not there is believed only
 * of a list that began after it was asked for: a claim that is written without its pool's time keeps that for good.
 *
 * @param now milliseconds
 */
export function poolReader(api: Pick<ClusterApi, "list">, now: () => number): PoolReader {
  let lists = 0;
  let last: { readonly number: number; readonly at: number; readonly answer: Promise<Answer<Pools>> } | undefined;

  /** One that is fresh, and whose number is at least that one. */
  const ask = async (atLeast: number): Promise<Answer<Pools>> => {
    if (last === undefined || last.number < atLeast || now() - last.at > FRESH_MS)
      last = { number: (lists += 1), at: now(), answer: listPools(api) };
    const { answer } = last;
    const pools = await answer;
    // A failure is nobody's answer but theirs who wait for it.
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
