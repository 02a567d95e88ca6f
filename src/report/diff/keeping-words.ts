/** A sentence on how to keep the nodes that a change would replace. */
import type { NonDisruptiveWay, WayOfPools } from "../../analyze/diff/non-disruptive-ways.ts";
import { someOf } from "../../krm/counted.ts";

/** The page on each way, and its costs. */
const PAGE = "docs/change-without-replacing.md";

const WORDS: Readonly<Record<NonDisruptiveWay, string>> = {
  "second-pool": "make the change in a second pool with a higher weight",
  budget: 'give the pool a budget {nodes: "0", reasons: [Drifted]}',
  window: "give such a budget a schedule and a duration",
};

/** At most this many pools are named, and the others counted. */
const MOST_POOLS = 5;

/** Empty if no node is replaced, or if nothing helps. */
export function keepingWords(ways: readonly WayOfPools[]): string {
  if (ways.length === 0) return "";
  const named = ways.map(({ way, pools }) => ({
    way,
    of: someOf(
      pools.map(({ hostedCluster, name }) => `${hostedCluster === undefined ? "" : `${hostedCluster} `}${name}`),
      MOST_POOLS,
    ),
  }));
  const isSame = named.every(({ of }) => of === named[0]!.of);
  const parts = named.map(({ way, of }) => (isSame ? WORDS[way] : `${WORDS[way]} (${of})`));
  const all = parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(", ")} or ${parts.at(-1)!}`;
  return `to keep the nodes${isSame ? ` of ${named[0]!.of}` : ""}: ${all}; see ${PAGE}`;
}
