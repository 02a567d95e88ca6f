/** Watches the hosted clusters of a management cluster: all of them, or this replica's shards. */
import { definedFields } from "../../krm/values/fields.ts";
import { allConnections } from "../api/connections.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { ClusterError } from "../api/api-answer.ts";
import { watchHostedClusters, type FoundCluster } from "../discover/hosted-clusters.ts";
import { crashBook } from "../lease/crashes.ts";
import { passNote } from "../lease/pass-note.ts";
import { serveFleet } from "../serve/serve-fleet.ts";
import { type HeldShards, holdShards, type ShardingSpec } from "../shards/hold-shards.ts";
import { shardOf } from "../shards/assign-shards.ts";
import { pause, untilAborted } from "../waiting/pause.ts";
import { nameOf, openFound } from "./found-cluster.ts";
import { workHere } from "./cluster-work.ts";
import { crashedClusters } from "./crashed-clusters.ts";
import { ENDED_WITHIN_MS } from "./end-work.ts";
import { type ClusterKeeper, keepClusters } from "./keep-clusters.ts";
import { leaderCandidate, type LeaderCandidate, type ReplicaCrashes, unreadableNote } from "./leader-candidate.ts";
import { passAlone } from "./pass-alone.ts";
import type { DiscoverSpec, Run, RunOutcome } from "./run.ts";
import { passOnce } from "./run-once.ts";

/** The time to release all Leases, so that other replicas need not wait until they expire. */
const GIVE_BACK_MS = 5000;
/** A pod has 30 seconds to end (deploy/fleet/deployment.yaml), and its log takes one of them. */
const DRAIN_MS = ENDED_WITHIN_MS + GIVE_BACK_MS;
/** Cancelled requests end at once. */
const CUT_MS = 1000;

/** How replicas share clusters: by shards, by leader election, or not at all. */
type Share =
  | { readonly kind: "shards"; readonly shards: HeldShards; readonly crashes: ReplicaCrashes }
  | { readonly kind: "leader"; readonly lease: LeaderCandidate; readonly crashes: ReplicaCrashes }
  | { readonly kind: "all" };

export async function runDiscovered(
  discover: DiscoverSpec,
  sharding: ShardingSpec | undefined,
  run: Run,
): Promise<RunOutcome> {
  const { options, ending, state, log } = run;
  const connections = allConnections();
  const cut = new AbortController();
  const follows = new AbortController();
  const management = httpClusterApi({ ...discover.management, connections, until: cut.signal });
  let keeper: ClusterKeeper | undefined;
  let share: Share | undefined;
  let isComplete = false;
  let isWatched = false;
  let served: Awaited<ReturnType<typeof serveFleet>> | undefined;
  try {
    const shards = sharding?.shards ?? 1;
    share = shareOf(sharding, run, () => keeper);
    const mine = share;
    const crashes = mine.kind === "all" ? undefined : mine.crashes;
    keeper = keepClusters({
      nameOf: (namespace) => nameOf(namespace, discover),
      state,
      log,
      isOurs: (namespace) => !ending.signal.aborted && isOurs(mine, namespace),
      begin: workHere({
        discover,
        run,
        intervalMs: options.intervalMs,
        concurrency: options.concurrency,
        management,
        connections,
        cut: cut.signal,
        mayAsk: (namespace) => mayAsk(mine, namespace),
        took: (cluster, seconds) => served?.took(cluster, seconds),
        isWatched: () => isWatched,
        crashes,
      }),
    });
    const mineOnly = keeper;
    const { review, clusters } = keeper;
    if (options.listen !== undefined) {
      const complaints = () => complaintsOf(mine, isComplete);
      const held = mine.kind === "shards" ? factsOf(mine.shards, shards) : undefined;
      served = await serveFleet(options.listen, {
        clusters,
        state,
        lease: mine.kind === "leader" ? mine.lease : undefined,
        intervalMs: options.intervalMs,
        concurrency: options.concurrency,
        ending: ending.signal,
        replica: { discovery: management, shards: held, failures: complaints },
        notes: crashes?.crashed.notes,
      });
      log({ level: "info", msg: "listening", fields: { address: served.address } });
    }
    const following = watchHostedClusters(management, {
      ...keeper,
      found: (cluster) => {
        if (isAsked(cluster, discover)) mineOnly.found(cluster);
      },
      selector: discover.selector,
      kubeconfigSecret: discover.kubeconfigSecret.name,
      signal: AbortSignal.any([follows.signal, cut.signal]),
      random: Math.random,
      complete: () => {
        isComplete = true;
      },
      followed: (isFollowed) => {
        isWatched = isFollowed;
      },
      trouble: (kind, reason) => log({ level: "warn", msg: "cannot be followed", fields: { kind, reason } }),
    });
    if (mine.kind === "leader") {
      state.setLeader(false);
      void mine.lease.won.then(() => {
        if (mine.lease.isLeader()) state.setLeader(true);
        review();
        return undefined;
      });
    }
    return await untilOver(mine, keeper, run, cut, follows, following);
  } finally {
    cut.abort();
    if (share?.kind === "shards") share.shards.abandon();
    if (share?.kind === "leader") share.lease.abandon();
    if (share?.kind === "shards") share.shards.api.close();
    if (share?.kind === "leader") share.lease.api.close();
    served?.close();
    connections.close();
  }
}

function isAsked({ namespace }: FoundCluster, discover: DiscoverSpec): boolean {
  return discover.only.size === 0 || discover.only.has(nameOf(namespace, discover));
}

async function untilOver(
  share: Share,
  keeper: ClusterKeeper,
  { ending, log }: Run,
  cut: AbortController,
  follows: AbortController,
  following: Promise<void>,
): Promise<RunOutcome> {
  const lost = lostOf(share);
  await Promise.race([untilAborted(ending.signal), following, ...(lost === undefined ? [] : [untilAborted(lost)])]);
  if (lost?.aborted !== true) {
    if (share.kind !== "all") share.crashes.note.end();
    log({ level: "info", msg: "stopping", fields: { running: keeper.running().join(",") } });
    const over = new AbortController();
    const ended = released(share, keeper).then(() => over.abort());
    await Promise.race([ended, pause(DRAIN_MS, over.signal), ...(lost === undefined ? [] : [untilAborted(lost)])]);
    follows.abort();
    if (over.signal.aborted) return { result: "ok", findings: [] };
  }
  const unfinished = keeper.running().join(",");
  cut.abort();
  await Promise.race([keeper.settled(() => true), pause(CUT_MS, new AbortController().signal)]);
  if (lost?.aborted === true) return failure(`the lease is lost: ${String(lost.reason)}`);
  return failure(`cut off, because it was not done within ${DRAIN_MS / 1000} seconds: ${unfinished}`);
}

/** Releases each shard as soon as the loops of its clusters have ended. */
async function released(share: Share, keeper: ClusterKeeper): Promise<void> {
  if (share.kind === "shards") await share.shards.release();
  await keeper.settled(() => true);
  if (share.kind === "leader") await share.lease.release();
}

function failure(problem: string): RunOutcome {
  return { result: "failed", findings: [], problem };
}

function shareOf(sharding: ShardingSpec | undefined, run: Run, keeper: () => ClusterKeeper | undefined): Share {
  const { leaderElection } = run.options;
  if (sharding === undefined) {
    if (leaderElection === undefined) return { kind: "all" };
    const lease = leaderCandidate(leaderElection, run);
    return { kind: "leader", lease, crashes: lease.crashes };
  }
  const ofShard = (shard: number) => (namespace: string) => shardOf(namespace, sharding.shards) === shard;
  const book = crashBook(Date.now);
  const unreadable = unreadableNote(run);
  const note = passNote({ unreadable });
  const shards = holdShards(sharding, {
    log: run.log,
    note,
    crashes: book,
    unreadable,
    changed: () => keeper()?.review(),
    handOver: async (shard) => keeper()?.settled(ofShard(shard)),
  });
  const crashed = crashedClusters({
    book,
    save: (namespace) => void shards.saveCrashes(namespace),
    worksUntil: shards.worksUntil,
    log: run.log,
    passAlone,
  });
  return { kind: "shards", shards, crashes: { note, crashed } };
}

function isOurs(share: Share, namespace: string): boolean {
  switch (share.kind) {
    case "all":
      return true;
    case "leader":
      return share.lease.isLeader();
    case "shards":
      return share.shards.holds(namespace);
  }
}

/** Called right before each request: no request is sent when another replica may have taken over. */
function mayAsk(share: Share, namespace: string): boolean {
  return share.kind === "shards" ? share.shards.mayWork(namespace) : isOurs(share, namespace);
}

function lostOf(share: Share): AbortSignal | undefined {
  if (share.kind === "all") return undefined;
  return share.kind === "shards" ? share.shards.lost : share.lease.lost;
}

function complaintsOf(share: Share, isComplete: boolean): readonly string[] {
  return [
    ...(isComplete ? [] : ["the hosted clusters have not been read yet"]),
    ...(share.kind === "shards" && !share.shards.isInformed() ? ["the shards have not been read yet"] : []),
  ];
}

function factsOf({ api, held, replicas }: HeldShards, count: number) {
  return { api, count, held: () => held().length, replicas };
}

/** One pass over each hosted cluster that exists now, without leader election. */
export async function runDiscoveredOnce(discover: DiscoverSpec, run: Run): Promise<RunOutcome> {
  const connections = allConnections();
  const client = { connections, ...definedFields({ mayAsk: run.options.mayAsk }) };
  try {
    const management = httpClusterApi({ ...discover.management, ...client });
    const all = await findOnce(management, discover, run.ending.signal);
    const found = all.filter((cluster) => isAsked(cluster, discover));
    const names = new Set(found.map(({ namespace }) => nameOf(namespace, discover)));
    const missing = [...discover.only].filter((name) => !names.has(name));
    if (missing.length > 0) throw new ClusterError(`no hosted cluster ${missing.join(", ")} was found`);
    const problems = found.flatMap(({ settings }) => settings.problem ?? []);
    if (problems.length > 0) throw new ClusterError(problems.join("; "));
    const opened = found.map((cluster) => openFound(cluster, discover, { client, management, settleMs: 0 }));
    for (const { namespace } of found) run.state.add({ name: nameOf(namespace, discover), hostedCluster: namespace });
    return await passOnce(
      opened.map(({ cluster }) => cluster),
      run,
    );
  } finally {
    connections.close();
  }
}

/** @throws ClusterError if they cannot be read */
async function findOnce(
  management: ClusterApi,
  { selector, kubeconfigSecret }: DiscoverSpec,
  signal: AbortSignal,
): Promise<readonly FoundCluster[]> {
  const found: FoundCluster[] = [];
  const enough = new AbortController();
  let problem: string | undefined;
  const nothing = () => undefined;
  await watchHostedClusters(management, {
    selector,
    kubeconfigSecret: kubeconfigSecret.name,
    signal: AbortSignal.any([signal, enough.signal]),
    random: Math.random,
    found: (cluster) => void found.push(cluster),
    gone: nothing,
    news: nothing,
    credentials: nothing,
    complete: () => enough.abort(),
    trouble: (kind, words) => {
      if (kind !== "HostedControlPlane" && kind !== "ConfigMap") return;
      problem = `${kind} of the management cluster cannot be listed: ${words}`;
      enough.abort();
    },
  });
  if (problem !== undefined) throw new ClusterError(problem);
  return found;
}
