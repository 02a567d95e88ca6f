/** Leases in, who works on which hosted cluster out. */
import type { LiveObject } from "../api/live-object.ts";
import { recordOf } from "../lease/lease-record.ts";
import { leaseKindOf, WATCH_LABEL } from "../shards/lease-names.ts";
import { shardOf } from "../shards/shard-of.ts";
import { whoHoldsWhat } from "../shards/who-holds-what.ts";
import { describe, type Stored } from "./follow-stored.ts";
import type { Keeper, ObservedReplica } from "./observed.ts";

interface Keepers {
  readonly of: (namespace: string) => Keeper;
  readonly replicas: readonly ObservedReplica[];
}

/** What the configuration says of Leases; nothing is known without one. */
export interface LeasesOf {
  /** How the names of shards' Leases begin. */
  readonly watch?: string | undefined;
  /** Whether there should be one at all: one replica alone has none. */
  readonly expected: boolean | undefined;
}

/** @param now by the machine's clock */
export function keepersOf(stored: Stored, asked: LeasesOf, now: Date): Keepers {
  const leases = [...stored.leases.values()];
  const time = new Date(now.getTime() + (stored.aheadMs ?? 0));
  const watches = Map.groupBy(leases, ({ metadata }) => metadata.labels?.[WATCH_LABEL]);
  const leader = watches.get(undefined)?.[0];
  watches.delete(undefined);
  const names = [...watches.keys()].filter((name) => asked.watch === undefined || name === asked.watch) as string[];
  const [name, ...others] = names;
  if (others.length > 0)
    return unknownTo(
      `${names.length} watches share shards here (${names.join(", ")}): --config says which one is meant`,
    );
  if (name !== undefined) return ofShards(watches.get(name) ?? [], name, time);
  if (leader !== undefined) return ofLeader(leader, time);
  const problem = [...stored.problems].find(([place]) => place.startsWith("leases/"));
  if (problem !== undefined) return unknownTo(describe(problem[1]));
  if (asked.expected === true) return { of: () => ({ state: "nobody", why: "there is no Lease" }), replicas: [] };
  return unknownTo("there is no Lease: whether a replica that is alone runs, nobody can tell from here");
}

function unknownTo(why: string): Keepers {
  return { of: () => ({ state: "unknown", why }), replicas: [] };
}

function ofLeader(lease: LiveObject, now: Date): Keepers {
  const { holder, renewTime = "", durationSeconds } = recordOf(lease);
  const lives = holder !== "" && now.getTime() - Date.parse(renewTime) < durationSeconds * 1000;
  const where = `the Lease ${lease.metadata.namespace}/${lease.metadata.name}`;
  const why = holder === "" ? `nobody holds ${where}` : `${holder} has not renewed ${where} in time`;
  return {
    of: () => (lives ? { state: "works", replica: holder } : { state: "nobody", why }),
    replicas: holder === "" ? [] : [{ replica: holder, lives, shards: undefined }],
  };
}

function ofShards(leases: readonly LiveObject[], name: string, now: Date): Keepers {
  const counts = leases.flatMap((lease) => {
    const known = leaseKindOf(lease, { name });
    return known?.is === "member" ? [known.shards] : [];
  });
  const shards = counts.length === 0 ? 0 : Math.max(...counts);
  if (shards === 0 || counts.some((count) => count !== shards))
    return {
      of: () =>
        shards === 0
          ? { state: "nobody", why: `no replica of ${name} takes part` }
          : { state: "unknown", why: `the replicas of ${name} count their shards differently` },
      replicas: [],
    };
  const places = { namespace: leases[0]?.metadata.namespace ?? "", name, shards, first: 0, last: shards - 1 };
  const held = whoHoldsWhat(leases, [], places, now);
  return {
    of: (namespace) => {
      const shard = shardOf(namespace, shards);
      const replica = held.shards[shard]?.replica;
      return replica === undefined
        ? { state: "nobody", why: `nobody holds the shard ${shard}` }
        : { state: "works", replica };
    },
    replicas: held.replicas.map(({ replica, lives, shards: count }) => ({ replica, lives, shards: count })),
  };
}
