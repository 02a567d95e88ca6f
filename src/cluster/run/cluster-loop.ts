/** The loop of one watched cluster, with its watches and timers, until the signal. */
import type { Collection } from "../api/served-kind.ts";
import type { StatusReporter } from "../fleet/fleet-state.ts";
import { hasLiveWrappers, type WatchedCluster } from "../objects/watched-cluster.ts";
import type { PassNote } from "../lease/pass-note.ts";
import { writeCrashed } from "../status/write-status.ts";
import type { ReconcileResult } from "../status/pass-result.ts";
import { delayedWakeUp, type WakeUp, wakeUp } from "../waiting/wake-up.ts";
import type { Semaphore } from "../waiting/semaphore.ts";
import { clusterPass } from "./cluster-pass.ts";
import type { CrashedClusters } from "./crashed-clusters.ts";
import { triggerOnCluster } from "./trigger-on-cluster.ts";
import type { reachabilityProbe } from "./acquire-slot.ts";
import { loop } from "./loop.ts";
import { watchLiveness } from "./watch-triggers.ts";
import type { Run } from "./run.ts";

/** Notes on Leases: the clusters that are in a pass, and those that were in one at a crash. */
export interface CrashNotes {
  readonly note: Pick<PassNote, "begin">;
  readonly crashed: CrashedClusters;
}

interface ClusterLoopOptions {
  readonly run: Pick<Run, "log" | "catalogue">;
  readonly reporter: StatusReporter;
  readonly news: WakeUp;
  /** Shared by all loops. */
  readonly slots: Semaphore;
  /** Whether its servers answer. */
  readonly probe: ReturnType<typeof reachabilityProbe>;
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** Called at the end of each pass. */
  readonly took: (seconds: number) => void;
  /** Whether discovery reports changes of the management cluster now; undefined without discovery. */
  readonly isManagementWatched: (() => boolean) | undefined;
  /** Undefined without a Lease; `key` names the cluster on it. */
  readonly crashes: (CrashNotes & { readonly key: string }) | undefined;
}

export async function clusterLoop(cluster: WatchedCluster, options: ClusterLoopOptions): Promise<void> {
  const { reporter, news, slots, probe, intervalMs, signal, took, isManagementWatched, crashes } = options;
  const { log, catalogue } = options.run;
  const random = Math.random;
  const writeReady = (words: string) => writeCrashed(cluster, words);
  await crashes?.crashed.untilWell({ key: crashes.key, name: cluster.name, reporter, signal, writeReady });
  const again = delayedWakeUp(news, signal);
  const pass = clusterPass(cluster, { reporter, log, signal, catalogue, took, again });
  const { allowEmpty, settleMs } = cluster;
  // The pass reads it again and reports any error.
  const prepare = () =>
    cluster.readDirectory({ allowEmpty, settleMs, signal }).then(
      () => undefined,
      () => undefined,
    );
  const isLimited = () => (reporter.state().last?.nodeLimits.counts.limited ?? 0) > 0;
  const onUnwatched = ({ kind }: Collection, reason: string) =>
    log({ level: "warn", msg: "cannot be watched", fields: { cluster: cluster.name, kind, reason } });
  // Without watches, passes run by the clock.
  const hinted = isManagementWatched !== undefined ? { ...cluster, management: undefined } : cluster;
  const still = watchLiveness(() => performance.now());
  const passed = wakeUp();
  const triggers = () =>
    triggerOnCluster(hinted, news, { signal, random, isLimited, passed, onUnwatched, quiet: still }).catch(
      (error: unknown) => {
        log({ level: "error", msg: "hints ended", fields: { cluster: cluster.name, reason: String(error) } });
      },
    );
  let watches: Promise<void> | undefined;
  const answers = () => probe(cluster);
  // Discovery also finds missed changes as soon as the management cluster can be listed.
  const isWatched = () => isManagementWatched?.() ?? true;
  const mayRest = () =>
    !isLimited() && isCalm(reporter.state().last) && isAllWatched(cluster) && still.isQuiet() && isWatched();
  const watched: typeof pass = async (slot) => {
    const end = await crashes?.note.begin(crashes.key, signal);
    // Opened within the first pass, before it reads: the first answers of a watch may crash the process, too.
    watches ??= triggers();
    try {
      still.passed();
      const result = await pass(slot);
      passed.raise();
      return result;
    } finally {
      end?.();
    }
  };
  await loop(watched, news, { mayRest, intervalMs, signal, random, reporter, slots, prepare, answers });
  await watches;
}

/** There is nothing to retry. Objects that HyperShift's operator writes stay as they are. */
function isCalm(last: ReconcileResult | undefined): boolean {
  return last?.result === "ok" || last?.ready.reason === "ManagedByOperator";
}

/** Some file systems do not report changes of files. */
function isAllWatched({ management, source }: WatchedCluster): boolean {
  const { policyDir, config } = source;
  return management !== undefined && hasLiveWrappers(source) && policyDir === undefined && config === undefined;
}
