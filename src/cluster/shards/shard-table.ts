/** The shards and replicas that were seen in Leases so far. */
import type { LiveObject } from "../api/live-object.ts";
import { recordOf } from "../lease/lease-record.ts";
import { leaseKindOf, type ShardingNames } from "./lease-names.ts";

interface Seen {
  /** The resourceVersion of its Lease; undefined if there is none. */
  readonly version: string | undefined;
  /** When this version was first seen, by this replica's own clock: times in a Lease are for users. */
  readonly at: number;
  readonly durationMs: number;
  /** Its number of shards, its range, and whether it takes no shard any more. */
  readonly shards: number;
  readonly range: string;
  readonly isEnding: boolean;
  /** The annotation with its clusters in a pass. */
  readonly passes: string | undefined;
}

/** After all reads so far. */
export interface ShardTable {
  readonly members: ReadonlyMap<string, Seen>;
  /** The last read Lease of each shard. */
  readonly leases: ReadonlyMap<number, LiveObject>;
  /** The last known holder of each shard. */
  readonly holders: ReadonlyMap<number, string>;
}

export const EMPTY_TABLE: ShardTable = { members: new Map(), leases: new Map(), holders: new Map() };

/** A holder without a Lease of its own has the usual time. */
const UNKNOWN_MS = 15_000;

/** @param now milliseconds of a monotonic clock after the Leases were read: a new version is not older */
export function readTable(
  before: ShardTable,
  leases: readonly LiveObject[],
  names: Pick<ShardingNames, "name">,
  now: number,
): ShardTable {
  const members = new Map<string, Seen>();
  const ofShards = new Map<number, LiveObject>();
  const holders = new Map<number, string>();
  for (const lease of leases) {
    const known = leaseKindOf(lease, names);
    if (known?.is === "shard") ofShards.set(known.shard, lease);
    if (known?.is !== "member") continue;
    const { resourceVersion: version } = lease.metadata;
    const last = before.members.get(known.member);
    const { shards, range, isEnding, passes } = known;
    const at = last?.version === version ? last.at : now;
    const durationMs = recordOf(lease).durationSeconds * 1000;
    members.set(known.member, { version, at, durationMs, shards, range, isEnding, passes });
  }
  for (const [shard, lease] of ofShards) {
    const { holder } = recordOf(lease);
    if (holder !== "") holders.set(shard, holder);
  }
  // A Lease may be deleted. The replica that held it continues for a while, and creates it again.
  for (const [shard, holder] of before.holders) if (!ofShards.has(shard)) holders.set(shard, holder);
  for (const holder of holders.values()) {
    if (members.has(holder)) continue;
    const last = before.members.get(holder);
    const at = last !== undefined && last.version === undefined ? last.at : now;
    const unknown = { version: undefined, durationMs: UNKNOWN_MS, shards: 0, range: "", isEnding: true };
    members.set(holder, { ...unknown, at, passes: last?.passes });
  }
  return { members, leases: ofShards, holders };
}

/**
 * Whether its Lease has not expired.
 *
 * @param now when the Leases were requested: later changes are not known
 */
export function isAlive({ members }: ShardTable, member: string, now: number): boolean {
  const seen = members.get(member);
  return seen !== undefined && now - seen.at < seen.durationMs;
}

/** The shards of the range with their live holders, and the live replicas that share them. */
export function shareViewOf(table: ShardTable, { first, last, shards }: ShardingNames, now: number) {
  const holders = new Map<number, string | undefined>();
  for (let shard = first; shard <= last; shard++) {
    const holder = table.holders.get(shard);
    holders.set(shard, holder !== undefined && isAlive(table, holder, now) ? holder : undefined);
  }
  const living = [...table.members].filter(([member]) => isAlive(table, member, now));
  const members = living
    .filter(([, seen]) => seen.version !== undefined && !seen.isEnding)
    .filter(([, seen]) => seen.shards === shards && seen.range === `${first}-${last}`)
    .map(([member]) => member)
    .toSorted();
  /** Replicas with another number of shards: a cluster would be in a shard of theirs and in one of this replica. */
  const others = living.flatMap(([, seen]) =>
    seen.version !== undefined && seen.shards !== shards ? [seen.shards] : [],
  );
  return { holders, members, others };
}
