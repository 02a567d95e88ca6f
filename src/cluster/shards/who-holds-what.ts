/** Leases and hosted clusters in, rows of shards and replicas for people out. */
import type { LiveObject } from "../api/live-object.ts";
import { recordOf } from "../lease/lease-record.ts";
import { leaseKindOf, memberLeaseName, type ShardingNames } from "./lease-names.ts";
import { shardOf } from "./shard-of.ts";

interface ShardRow {
  readonly shard: number;
  /** Undefined where nobody holds it, or whoever did has not renewed its Lease in time. */
  readonly replica: string | undefined;
  /** Namespaces. */
  readonly clusters: readonly string[];
}

interface ReplicaRow {
  readonly replica: string;
  readonly lives: boolean;
  /** Takes nothing more. */
  readonly ending: boolean;
  /** Those that it shares with others: `0-31`, of so many. */
  readonly range: string;
  readonly of: number;
  readonly shards: number;
  readonly clusters: number;
  /** By the clock of its machine. */
  readonly renewTime: string | undefined;
}

export interface WhoHoldsWhat {
  readonly shards: readonly ShardRow[];
  readonly replicas: readonly ReplicaRow[];
}

/** @param now by the machine's clock; one that is wrong by seconds shows a replica that lives as one that does not */
export function whoHoldsWhat(
  leases: readonly LiveObject[],
  namespaces: readonly string[],
  names: ShardingNames,
  now: Date,
): WhoHoldsWhat {
  const byName = new Map(leases.map((lease) => [lease.metadata.name, lease]));
  const lives = (replica: string): boolean => {
    const lease = byName.get(memberLeaseName(names, replica));
    if (lease === undefined) return false;
    const { renewTime = "", durationSeconds, holder } = recordOf(lease);
    return holder !== "" && now.getTime() - Date.parse(renewTime) < durationSeconds * 1000;
  };
  const holders = new Map<number, string>();
  for (const lease of leases) {
    const known = leaseKindOf(lease, names);
    const { holder } = recordOf(lease);
    if (known?.is === "shard" && holder !== "" && lives(holder)) holders.set(known.shard, holder);
  }
  const inShard = Map.groupBy(namespaces.toSorted(), (namespace) => shardOf(namespace, names.shards));
  const shards = Array.from({ length: names.last - names.first + 1 }, (_, index): ShardRow => {
    const shard = names.first + index;
    return { shard, replica: holders.get(shard), clusters: inShard.get(shard) ?? [] };
  });
  const replicas = leases.flatMap((lease): ReplicaRow[] => {
    const known = leaseKindOf(lease, names);
    if (known?.is !== "member") return [];
    const held = [...holders].filter(([, holder]) => holder === known.member);
    const { member: replica, isEnding: ending, range, shards: of } = known;
    const clusters = held.reduce((sum, [shard]) => sum + (inShard.get(shard)?.length ?? 0), 0);
    const { renewTime } = recordOf(lease);
    return [{ replica, lives: lives(replica), ending, range, of, shards: held.length, clusters, renewTime }];
  });
  return { shards, replicas: replicas.toSorted((a, b) => (a.replica < b.replica ? -1 : 1)) };
}
