/** The NodePools of a cluster for the claims to be converted: access to the API server in, a question that many may ask at once out. */
import type { Fields } from "../../karpenter/plain-fields.ts";
import { type Answer, succeeded } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { appliedKind } from "../api/served-kind.ts";
import type { Pools } from "./convert-objects.ts";

export type PoolReader = () => Promise<Answer<Pools>>;

/** Karpenter reads them from a cache that is behind as well, if mostly by less. */
const FRESH_MS = 2000;

/**
 * Who asks while others wait for an answer waits for the same one: each NodeClaim that is read on its own would be a list
 * else, and each list of pools that are stored in v1beta1 is a conversion again.
 *
 * @param now milliseconds
 */
export function poolReader(api: Pick<ClusterApi, "list">, now: () => number): PoolReader {
  let asked: { readonly at: number; readonly answer: Promise<Answer<Pools>> } | undefined;
  return async () => {
    if (asked === undefined || now() - asked.at > FRESH_MS) asked = { at: now(), answer: listPools(api) };
    const { answer } = asked;
    const pools = await answer;
    // A failure is nobody's answer but theirs who wait for it.
    if (!pools.ok && asked?.answer === answer) asked = undefined;
    return pools;
  };
}

async function listPools(api: Pick<ClusterApi, "list">): Promise<Answer<Pools>> {
  const answer = await api.list(appliedKind("NodePool"));
  if (!answer.ok) return answer;
  return succeeded(new Map(answer.value.items.map((pool) => [pool.metadata.name, pool as unknown as Fields])));
}
