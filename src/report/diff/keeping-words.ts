/** What keeps nodes that a change would replace, in a sentence for the whole answer. */
import type { KeepingWay, WayOfPools } from "../../analyze/diff/keeping-ways.ts";
import { someOf } from "../../krm/counted.ts";

/** Where each way is shown, and what it costs. */
const PAGE = "docs/change-without-replacing.md";

const WORDS: Readonly<Record<KeepingWay, string>> = {
  "second-pool": "make the change in a second pool with a higher weight",
  budget: 'give the pool a budget {nodes: "0", reasons: [Drifted]}',
  window: "give such a budget a schedule and a duration",
};

/** As many pools are named, and the others counted. */
const MOST_POOLS = 5;

/** Empty where no node goes, or nothing helps. */
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
