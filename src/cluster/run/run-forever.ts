/** Runs the loops of all clusters while this replica leads, until the run ends. */
import { serveFleet } from "../serve/serve-fleet.ts";
import { wakeUp } from "../waiting/wake-up.ts";
import { clusterLoop, type CrashNotes } from "./cluster-loop.ts";
import { leaderCandidate, type LeaderCandidate } from "./leader-candidate.ts";
import { reachabilityProbe } from "./acquire-slot.ts";
import { openClusters } from "./open-clusters.ts";
import { pause, untilAborted } from "../waiting/pause.ts";
import type { Run } from "./run.ts";
import type { ClusterSpec, RunOutcome } from "./run.ts";
import { semaphore } from "../waiting/semaphore.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";

/** How long changed files must stay the same before they count. */
const SETTLE_MS = 2000;

/** A pod has 30 seconds to end. */
const DRAIN_MS = 10_000;
/** Cancelled requests end at once. */
const CUT_MS = 1000;

type Took = (cluster: string, seconds: number) => void;

export async function runForever(specs: readonly ClusterSpec[], run: Run): Promise<RunOutcome> {
  const { options, ending, state, log } = run;
  const cut = new AbortController();
  let lease: LeaderCandidate | undefined;
  // Called right before each request: no request is sent when another replica may lead.
  const mayAsk = () => lease === undefined || lease.isLeader();
  const { clusters, close } = openClusters(specs, SETTLE_MS, { until: cut.signal, mayAsk });
  try {
    if (options.leaderElection !== undefined) lease = leaderCandidate(options.leaderElection, run);
    const { listen, intervalMs } = options;
    const context = {
      clusters: () => clusters,
      state,
      lease,
      intervalMs,
      ending: ending.signal,
      concurrency: options.concurrency,
      notes: lease?.crashes.crashed.notes,
    };
    const served = listen === undefined ? undefined : await serveFleet(listen, context);
    if (served !== undefined) log({ level: "info", msg: "listening", fields: { address: served.address } });
    try {
      return await lead(clusters, run, lease, cut, served?.took ?? (() => undefined));
    } finally {
      served?.close();
    }
  } finally {
    cut.abort();
    lease?.abandon();
    lease?.api.close();
    close();
  }
}

async function lead(
  clusters: readonly WatchedCluster[],
  run: Run,
  lease: LeaderCandidate | undefined,
  cut: AbortController,
  took: Took,
): Promise<RunOutcome> {
  const { ending, state, log } = run;
  if (lease !== undefined) {
    state.setLeader(false);
    for (const reporter of state.reporters) reporter.report("standby");
    await untilAborted(ending.signal, lease.won);
    if (lease.isLeader()) state.setLeader(true);
  }
  const stop = lease === undefined ? ending.signal : AbortSignal.any([ending.signal, lease.lost]);
  const running = loops(clusters, run, { signal: stop, took, crashes: lease?.crashes });
  const over = new AbortController();
  const late = untilAborted(ending.signal).then(() => {
    lease?.crashes.note.end();
    if (!over.signal.aborted) log({ level: "info", msg: "stopping", fields: { running: runningOf(run) } });
    return pause(DRAIN_MS, over.signal);
  });
  await Promise.race([running, late, ...(lease === undefined ? [] : [untilAborted(lease.lost)])]);
  over.abort();
  const unfinished = runningOf(run);
  if (lease?.lost.aborted !== true && unfinished === "") {
    await lease?.release();
    return { result: "ok", findings: [] };
  }
  cut.abort();
  await Promise.race([running, pause(CUT_MS, new AbortController().signal)]);
  if (lease?.lost.aborted !== true)
    return failure(`cut off, because it was not done within ${DRAIN_MS / 1000} seconds: ${unfinished}`);
  const { namespace, name } = run.options.leaderElection!;
  return failure(`the lease ${namespace}/${name} is lost: ${String(lease.lost.reason)}`);
}

function failure(problem: string): RunOutcome {
  return { result: "failed", findings: [], problem };
}

interface LoopsOptions {
  readonly signal: AbortSignal;
  readonly took: Took;
  readonly crashes: CrashNotes | undefined;
}

async function loops(
  clusters: readonly WatchedCluster[],
  run: Run,
  { signal, took, crashes }: LoopsOptions,
): Promise<void> {
  const { concurrency, intervalMs } = run.options;
  const slots = semaphore(concurrency);
  const probe = reachabilityProbe(signal);
  await Promise.all(
    clusters.map((cluster, index) =>
      clusterLoop(cluster, {
        run,
        reporter: run.state.reporters[index]!,
        news: wakeUp(),
        slots,
        probe,
        intervalMs,
        signal,
        took: (seconds) => took(cluster.name, seconds),
        isManagementWatched: undefined,
        crashes: crashes && { ...crashes, key: cluster.name },
      }),
    ),
  );
}

/** Names of clusters with a running pass. */
function runningOf({ state }: Run): string {
  const running = state.fleet.clusters().filter(({ phase }) => phase === "running");
  return running.map(({ name }) => name).join(",");
}
