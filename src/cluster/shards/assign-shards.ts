/** The assignment of hosted clusters to shards, and of shards to replicas. */
import { createHash } from "node:crypto";

/** @param shards how many there are */
export function shardOf(namespace: string, shards: number): number {
  return numberOf(namespace) % shards;
}

/** How much a replica prefers a shard (rendezvous hashing), so that two replicas rarely want the same one. */
function preferenceOf(member: string, shard: number): number {
  return numberOf(`${member} ${shard}`);
}

function numberOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}

export interface ShareView {
  /** Each shard with the live replica that holds it; undefined if there is none. */
  readonly holders: ReadonlyMap<number, string | undefined>;
  /** The live replicas that share the shards. */
  readonly members: readonly string[];
}

interface Moves {
  /** The preferred ones first. */
  readonly take: readonly number[];
  readonly giveBack: number | undefined;
}

/**
 * The numbers of shards of two replicas differ by one at most. A replica with too few shards takes a free one at once.
 * A replica with too many releases them one after another, and only while no shard is free. So no shard moves without
 * need, and there is always a replica that may take a free one (docs/decisions/0020-hosted-clusters-shared-out.md).
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
    // One more than the least only if no replica lacks it: otherwise a shard would have to be released again.
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
