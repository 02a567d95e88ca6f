/** Who takes which shard and who gives one back: what all replicas see in, acts out. */
import { preferenceOf } from "./shard-of.ts";

export interface ShareView {
  /** Each shard with the living replica that holds it; undefined if there is none. */
  readonly holders: ReadonlyMap<number, string | undefined>;
  /** Replicas that live and share, this one among them where it does. */
  readonly members: readonly string[];
}

interface Moves {
  /** The dearest first. */
  readonly take: readonly number[];
  readonly giveBack: number | undefined;
}

/**
 * Shares differ by one at most. A shard without a holder is taken at once by a replica with too few; surplus goes back one
 * after another, and only when nothing else is on its way. So only what has to move moves, and there is always a replica
 * that may take a free shard: the shares of all are as many as there are shards.
 */
export function movesOf({ holders, members }: ShareView, me: string): Moves {
  if (!members.includes(me)) return { take: [], giveBack: undefined };
  const counts = new Map(members.map((member) => [member, 0]));
  for (const holder of holders.values())
    if (holder !== undefined && counts.has(holder)) counts.set(holder, counts.get(holder)! + 1);
  const least = Math.floor(holders.size / members.length);
  const extras = holders.size % members.length;
  const free = [...holders].flatMap(([shard, holder]) => (holder === undefined ? [shard] : []));
  const missing = [...counts.values()].reduce((sum, count) => sum + Math.max(0, least - count), 0);
  const above = [...counts.values()].filter((count) => count > least).length;
  const mine = counts.get(me)!;
  const byPreference = (shards: readonly number[]) =>
    shards.toSorted((a, b) => preferenceOf(me, b) - preferenceOf(me, a) || a - b);

  if (free.length > 0) {
    // One more than the least only if no replica lacks that: otherwise one of two would have to give a shard back.
    const room = missing > 0 ? Math.max(0, least - mine) : mine === least && above < extras ? 1 : 0;
    return { take: byPreference(free).slice(0, room), giveBack: undefined };
  }
  const most = [...counts].toSorted(([a, of], [b, than]) => than - of || (a < b ? -1 : 1))[0]!;
  // One shard too many does no harm unless another replica lacks it.
  const isSurplus = mine > least + (extras > 0 ? 1 : 0) || (mine > least && missing > 0);
  if (most[0] !== me || !isSurplus) return { take: [], giveBack: undefined };
  const held = [...holders].flatMap(([shard, holder]) => (holder === me ? [shard] : []));
  return { take: [], giveBack: byPreference(held).at(-1) };
}
