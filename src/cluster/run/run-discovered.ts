/** The watch of the clusters that a management cluster has: all, or a replica's share. */
import { allConnections } from "../api/connections.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { ClusterError } from "../api/cluster-error.ts";
import { followHostedClusters, type FoundCluster } from "../discover/hosted-clusters.ts";
import { type Candidate, candidate } from "../lease/candidate.ts";
import { serveFleet } from "../serve/serve-fleet.ts";
import { type HeldShards, holdShards, type ShardingSpec } from "../shards/hold-shards.ts";
import { shardOf } from "../shards/shard-of.ts";
import { endOf } from "../waiting/end-of-signal.ts";
import { pause } from "../waiting/pause.ts";
import { type DiscoverSpec, nameOf, openFound } from "./found-cluster.ts";
import { workHere } from "./cluster-work.ts";
import { ENDED_WITHIN_MS } from "./end-work.ts";
import { type ClusterKeeper, keepClusters } from "./keep-clusters.ts";
import type { Run } from "./run.ts";
import { passOnce } from "./run-once.ts";
import type { RunOutcome } from "./run-watch.ts";
import { type SharedFence, sharedFence } from "./workers/fence.ts";
import { startWorkers, workerCount } from "./workers/start-workers.ts";

/** For all that ends together to be given back by Leases, so that others need not wait until they have run out. */
const GIVE_BACK_MS = 5000;
/** A pod that is told to end has 30 seconds (deploy/fleet/deployment.yaml), and its log takes one of them. */
const DRAIN_MS = ENDED_WITHIN_MS + GIVE_BACK_MS;
/** What is cut ends at once. */
const CUT_MS = 1000;

/** Whose work is whose: of one replica of many, of the one that leads, or of the only one. */
type Share =
  | { readonly kind: "shards"; readonly shards: HeldShards }
  | { readonly kind: "leader"; readonly lease: Candidate }
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
  let isTold = false;
  let served: Awaited<ReturnType<typeof serveFleet>> | undefined;
  try {
    const shards = sharding?.shards ?? 1;
    const fence = sharedFence(shards);
    share = shareOf(sharding, run, fence, () => keeper);
    const mine = share;
    const took = (cluster: string, seconds: number): void => served?.took(cluster, seconds);
    const workers =
      options.workers === undefined || workerCount(options.workers) === 0
        ? undefined
        : startWorkers(options.workers, { discover, run, shards, fence, took, cut: cut.signal });
    keeper = keepClusters({
      nameOf: (namespace) => nameOf(namespace, discover),
      state,
      log,
      isOurs: (namespace) => !ending.signal.aborted && isOurs(mine, namespace),
      begin:
        workers?.begin ??
        workHere({
          discover,
          run,
          intervalMs: options.intervalMs,
          concurrency: options.concurrency,
          management,
          connections,
          cut: cut.signal,
          mayAsk: (namespace) => mayAsk(mine, namespace),
          took,
          isTold: () => isTold,
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
        replica: { discovery: management, shards: held, workers, complaints },
      });
      log({ level: "info", msg: "listening", fields: { address: served.address } });
    }
    const following = followHostedClusters(management, {
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
        isTold = isFollowed;
        fence.setTold(isFollowed);
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
  await Promise.race([endOf(ending.signal), following, ...(lost === undefined ? [] : [endOf(lost)])]);
  if (lost?.aborted !== true) {
    log({ level: "info", msg: "stopping", fields: { running: keeper.running().join(",") } });
    const over = new AbortController();
    const ended = released(share, keeper).then(() => over.abort());
    await Promise.race([ended, pause(DRAIN_MS, over.signal), ...(lost === undefined ? [] : [endOf(lost)])]);
    follows.abort();
    if (over.signal.aborted) return { result: "ok", findings: [] };
  }
  const unfinished = keeper.running().join(",");
  cut.abort();
  await Promise.race([keeper.settled(() => true), pause(CUT_MS, new AbortController().signal)]);
  if (lost?.aborted === true) return failure(`the lease is lost: ${String(lost.reason)}`);
  return failure(`cut off, because it was not done within ${DRAIN_MS / 1000} seconds: ${unfinished}`);
}

/** Each shard goes back as soon as nothing is under way for its own clusters. */
async function released(share: Share, keeper: ClusterKeeper): Promise<void> {
  if (share.kind === "shards") await share.shards.release();
  await keeper.settled(() => true);
  if (share.kind === "leader") await share.lease.release();
}

function failure(problem: string): RunOutcome {
  return { result: "failed", findings: [], problem };
}

/** @param fence kept as the share says, for those who work in other threads */
function shareOf(
  sharding: ShardingSpec | undefined,
  run: Run,
  fence: SharedFence,
  keeper: () => ClusterKeeper | undefined,
): Share {
  const { leaderElection } = run.options;
  if (sharding === undefined) {
    fence.setShard(0, true);
    if (leaderElection !== undefined)
      return { kind: "leader", lease: candidate(leaderElection, run.log, fence.setUntil) };
    fence.setUntil(Infinity);
    return { kind: "all" };
  }
  const ofShard = (shard: number) => (namespace: string) => shardOf(namespace, sharding.shards) === shard;
  const shards = holdShards(sharding, {
    log: run.log,
    worksUntil: fence.setUntil,
    opened: fence.setShard,
    changed: () => keeper()?.review(),
    handOver: async (shard) => keeper()?.settled(ofShard(shard)),
  });
  return { kind: "shards", shards };
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

/** The first to know that another replica may work: whatever is asked after that is not asked. */
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

/** One pass over each hosted cluster that is there now, whoever leads. */
export async function runDiscoveredOnce(discover: DiscoverSpec, run: Run): Promise<RunOutcome> {
  const connections = allConnections();
  const door = { connections };
  try {
    const management = httpClusterApi({ ...discover.management, ...door });
    const all = await findOnce(management, discover, run.ending.signal);
    const found = all.filter((cluster) => isAsked(cluster, discover));
    const names = new Set(found.map(({ namespace }) => nameOf(namespace, discover)));
    const missing = [...discover.only].filter((name) => !names.has(name));
    if (missing.length > 0) throw new ClusterError(`no hosted cluster ${missing.join(", ")} was found`);
    const problems = found.flatMap(({ settings }) => settings.problem ?? []);
    if (problems.length > 0) throw new ClusterError(problems.join("; "));
    const opened = found.map((cluster) => openFound(cluster, discover, { door, management, settleMs: 0 }));
    for (const { namespace } of found) run.state.add({ name: nameOf(namespace, discover), hostedCluster: namespace });
    return await passOnce(
      opened.map(({ cluster }) => cluster),
      run,
    );
  } finally {
    connections.close();
  }
}

/** @throws ClusterError where they cannot be read */
async function findOnce(
  management: ClusterApi,
  { selector, kubeconfigSecret }: DiscoverSpec,
  signal: AbortSignal,
): Promise<readonly FoundCluster[]> {
  const found: FoundCluster[] = [];
  const enough = new AbortController();
  let problem: string | undefined;
  const nothing = () => undefined;
  await followHostedClusters(management, {
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
