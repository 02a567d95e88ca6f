/** Takes, holds and releases shards, with a Lease for each shard and one for this replica. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { ClusterApi } from "../api/cluster-api.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import { identityOf, type LiveObject } from "../api/live-object.ts";
import { LEASES } from "../api/served-kind.ts";
import { type ElectionNews, electLeader, LEASE_TIMING } from "../lease/elect-leader.ts";
import type { CrashBook } from "../lease/crashes.ts";
import { type Crash, CRASHES_ANNOTATION, crashesAtTake, crashesText } from "../lease/crashes.ts";
import { newLease, recordOf, withRecord } from "../lease/lease-record.ts";
import { recordAfter, releasedRecord } from "../lease/lease-record.ts";
import type { LeaseNote } from "../lease/pass-note.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { pause } from "../waiting/pause.ts";
import {
  ENDING_PATCH,
  memberLabels,
  memberLeaseName,
  selectorOf,
  shardLabels,
  shardLeaseName,
  type ShardingNames,
} from "./lease-names.ts";
import { shardOf } from "./assign-shards.ts";
import { movesOf } from "./assign-shards.ts";
import { EMPTY_TABLE, isAlive, readTable, type ShardTable, shareViewOf } from "./shard-table.ts";

export interface ShardingSpec extends ShardingNames {
  /** The cluster that holds the Leases. */
  readonly access: KubeAccessOptions;
}

interface HoldOptions {
  readonly log: (entry: LogEntry) => void;
  /** Which clusters are in a pass, for this replica's own Lease. */
  readonly note: LeaseNote;
  /** Of all shards that this replica takes. */
  readonly crashes: CrashBook;
  /** Called for an annotation that anp did not write. */
  readonly unreadable: (annotation: string) => void;
  /** Called when shards were taken or released: the results of `holds` and `mayWork` have changed. */
  readonly changed: () => void;
  /** Ends when the loops of the shard's clusters have ended. */
  readonly handOver: (shard: number) => Promise<void>;
}

export interface HeldShards {
  readonly api: ClusterApi;
  /** Aborted when this replica may send no request any more. The signal's reason says why, in one line. */
  readonly lost: AbortSignal;
  /** Whether the Leases have been read, so that this replica takes part. */
  readonly isInformed: () => boolean;
  /** Whether this replica may start the loop of the cluster. */
  readonly holds: (namespace: string) => boolean;
  /** Whether a request for the cluster may be sent now, also while its shard is handed over. */
  readonly mayWork: (namespace: string) => boolean;
  /** Until when this replica may send requests, by `performance.now()`. */
  readonly worksUntil: () => number;
  /** Writes the known crashes of the cluster's shard to its Lease. */
  readonly saveCrashes: (namespace: string) => Promise<void>;
  readonly held: () => readonly number[];
  readonly replicas: () => number;
  /** Releases all shards and ends, so that other replicas need not wait. */
  readonly release: () => Promise<void>;
  /** Ends without releasing them, because requests may still be in flight. */
  readonly abandon: () => void;
}

/** Between two reads of the Leases. */
const LOOK_MS = 1000;

/** Replicas start together. The first one would take all shards, and would have to release most of them again. */
const GATHER_MS = 3000;

/** The Lease of a replica that ended so long ago is deleted. Its name is not used again. */
const FORGOTTEN_MS = 10 * 60_000;

/** @throws ClusterError where the kubeconfig cannot be used */
export function holdShards({ access, ...names }: ShardingSpec, options: HoldOptions): HeldShards {
  const { log, changed, handOver, note, crashes } = options;
  const { namespace, shards } = names;
  const api = httpClusterApi({ ...access, timeoutMs: LEASE_TIMING.renewDeadlineMs / 2, breakerMs: 0 });
  const me = memberName();
  const leases = { ...LEASES, namespace };
  const now = () => performance.now();
  const memberLease = memberLeaseName(names, me);
  const onNews = (news: ElectionNews): void => {
    if (news.kind === "leading") log({ level: "info", msg: "taking part", fields: { replica: me } });
    if (news.kind === "trouble")
      log({ level: "error", msg: "lease not reached", fields: { lease: memberLease, reason: news.message } });
  };
  // No other replica takes this Lease: it shows that this replica is alive, and until when it may work.
  const alive = electLeader(api, {
    namespace,
    name: memberLease,
    labels: memberLabels(names),
    identity: me,
    timing: LEASE_TIMING,
    now,
    time: () => new Date(),
    random: Math.random,
    onNews,
    note,
  });

  const held = new Set<number>();
  /** Shards that are handed over. They are held until the loops of their clusters have ended. */
  const leaving = new Map<number, Promise<void>>();
  const over = new AbortController();
  let table: ShardTable = EMPTY_TABLE;
  let replicas = 0;
  let informedAt = Infinity;
  let isEnding = false;
  let said = "";

  const say = (words: string): void => {
    if (words !== said && words !== "") log({ level: "warn", msg: "shards not taken", fields: { reason: words } });
    said = words;
  };
  const ofShard = (shard: number) => (namespace: string) => shardOf(namespace, shards) === shard;
  const drop = (shard: number, why: string): void => {
    if (!held.delete(shard)) return;
    leaving.delete(shard);
    log({ level: "warn", msg: "shard lost", fields: { shard, reason: why } });
    changed();
  };

  const crashesOf = (shard: number, lease: LiveObject | undefined): readonly Crash[] => {
    const isMeant = ofShard(shard);
    if (lease === undefined) return crashes.all().filter(({ cluster }) => isMeant(cluster));
    const { holder } = recordOf(lease);
    const known = crashesAtTake({
      crashes: lease.metadata.annotations?.[CRASHES_ANNOTATION],
      passes: holder === "" || holder === me ? undefined : table.members.get(holder)?.passes,
      now: Date.now(),
      unreadable: options.unreadable,
    });
    return known.filter(({ cluster }) => isMeant(cluster));
  };

  const take = async (shard: number): Promise<void> => {
    const lease = table.leases.get(shard);
    const before = lease && recordOf(lease);
    const record = recordAfter(before, me, LEASE_TIMING.durationMs / 1000, microTime());
    const known = crashesOf(shard, lease);
    const annotations = { [CRASHES_ANNOTATION]: crashesText(known) };
    const place = { namespace, name: shardLeaseName(names, shard), labels: shardLabels(names) };
    const answer =
      lease === undefined
        ? await api.create(leases, newLease(place, record, annotations))
        : await api.replace(leases, withRecord(lease, record, annotations));
    if (!answer.ok) {
      // Another replica was first. The next read shows which one.
      if (answer.error.kind !== "conflict") say(answer.error.message);
      return;
    }
    if (held.has(shard) || !alive.isLeader() || isEnding) return;
    held.add(shard);
    crashes.load(known, ofShard(shard));
    log({ level: "info", msg: "shard taken", fields: { shard, from: before?.holder || undefined } });
    changed();
  };

  const giveBack = (shard: number): Promise<void> => {
    const known = leaving.get(shard);
    if (known !== undefined) return known;
    const leaves = leave(shard);
    leaving.set(shard, leaves);
    changed();
    return leaves;
  };
  const leave = async (shard: number): Promise<void> => {
    // First `leaving` must have it.
    await Promise.resolve();
    await handOver(shard);
    if (!held.has(shard) || !leaving.has(shard)) return;
    held.delete(shard);
    const answer = await api.get(leases, shardLeaseName(names, shard));
    const lease = answer.ok ? answer.value : undefined;
    if (lease !== undefined && recordOf(lease).holder === me)
      await api.replace(leases, withRecord(lease, releasedRecord(recordOf(lease), microTime())));
    // Not earlier: the next read would take it for a forgotten shard of this replica.
    leaving.delete(shard);
    log({ level: "info", msg: "shard given back", fields: { shard } });
    changed();
  };

  const look = async (): Promise<void> => {
    const asked = now();
    const answer = await api.list(leases, { labelSelector: selectorOf(names) });
    if (!answer.ok) return say(answer.error.message);
    if (!alive.isLeader()) return;
    table = readTable(table, answer.value.items, names, now());
    for (const shard of held) {
      const holder = table.holders.get(shard);
      if (holder !== undefined && holder !== me) drop(shard, `${holder} holds it`);
    }
    const view = shareViewOf(table, names, asked);
    replicas = view.members.length;
    if (view.members.includes(me)) informedAt = Math.min(informedAt, asked);
    if (isEnding) return;
    // Shards that this replica took in a request whose answer was lost, and shards whose Lease was deleted since.
    const ours = [...view.holders].flatMap(([shard, holder]) =>
      holder === me && !held.has(shard) && !leaving.has(shard) ? [shard] : [],
    );
    const unwritten = [...held].filter((shard) => !leaving.has(shard) && !table.leases.has(shard));
    const [other] = view.others;
    const waits = other !== undefined && held.size === 0;
    if (waits) return say(`other replicas count ${other} shards, and this one ${shards}: they have to end first`);
    const isFresh = [...view.holders.values()].every((holder) => holder === undefined);
    if (isFresh && now() < informedAt + GATHER_MS) return;
    const { take: wanted, giveBack: surplus } = movesOf(view, me);
    if (wanted.length === 0) say("");
    await Promise.all([...ours, ...unwritten, ...wanted].map(take));
    if (surplus !== undefined && leaving.size === 0) void giveBack(surplus);
    await forget(asked);
  };

  /** Deletes the Leases of replicas that ended without deleting them. */
  const forget = async (asked: number): Promise<void> => {
    for (const [member, { at, version }] of table.members) {
      if (version === undefined || member === me || asked - at < FORGOTTEN_MS || isAlive(table, member, asked))
        continue;
      const lease = await api.get(leases, memberLeaseName(names, member));
      if (lease.ok && lease.value?.metadata.resourceVersion === version)
        await api.remove(leases, identityOf(lease.value), { dryRun: false });
    }
  };

  const looking = (async () => {
    await alive.won;
    while (!over.signal.aborted && !alive.lost.aborted) {
      await look();
      await pause(LOOK_MS, AbortSignal.any([over.signal, alive.lost]));
    }
  })();

  const shardHolds = (of: string, still: boolean): boolean => {
    const shard = shardOf(of, shards);
    return alive.isLeader() && held.has(shard) && (still || !leaving.has(shard));
  };
  return {
    api,
    lost: alive.lost,
    isInformed: () => informedAt < Infinity,
    holds: (of) => !isEnding && shardHolds(of, false),
    mayWork: (of) => shardHolds(of, true),
    worksUntil: alive.leadsUntil,
    saveCrashes: async (of) => {
      if (!shardHolds(of, true)) return;
      const shard = shardOf(of, shards);
      const text = crashesText(crashes.all().filter(({ cluster }) => ofShard(shard)(cluster)));
      const change = { metadata: { annotations: { [CRASHES_ANNOTATION]: text ?? null } } };
      const answer = await api.patch(leases, shardLeaseName(names, shard), change);
      if (!answer.ok) log({ level: "warn", msg: "crashes not noted", fields: { shard, reason: answer.error.message } });
    },
    held: () => [...held].toSorted((a, b) => a - b),
    replicas: () => replicas,
    release: async () => {
      isEnding = true;
      changed();
      if (alive.isLeader()) await api.patch(leases, memberLease, ENDING_PATCH);
      await Promise.all([...held.union(leaving)].map(giveBack));
      over.abort();
      await looking;
      await alive.release();
      const lease = await api.get(leases, memberLease);
      if (lease.ok && lease.value !== undefined) await api.remove(leases, identityOf(lease.value), { dryRun: false });
    },
    abandon: () => {
      over.abort();
      alive.abandon();
    },
  };
}

/** The pod's name with a random suffix, valid as a part of an object's name. */
function memberName(): string {
  const words = hostname()
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const host = words
    .filter((word) => word !== "")
    .join("-")
    .slice(0, 63);
  return `${host || "anp"}-${randomUUID().slice(0, 8)}`;
}

function microTime(): string {
  return new Date().toISOString().replace("Z", "000Z");
}
