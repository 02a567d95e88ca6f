/** One watched cluster's loop with all that wakes it, until the signal. */
import type { Collection } from "../api/served-kind.ts";
import type { StatusReporter } from "../fleet/fleet-state.ts";
import { hasLiveWrappers, type WatchedCluster } from "../objects/watched-cluster.ts";
import type { PassNote } from "../lease/pass-note.ts";
import { writeCrashed } from "../status/crashed-condition.ts";
import type { ReconcileResult } from "../status/pass-result.ts";
import { delayedWakeUp, type WakeUp, wakeUp } from "../waiting/wake-up.ts";
import type { Semaphore } from "../waiting/semaphore.ts";
import { clusterPass } from "./cluster-pass.ts";
import type { CrashedClusters } from "./crashed-clusters.ts";
import { triggerOnCluster } from "./trigger-on-cluster.ts";
import type { reachabilityProbe } from "./reachability-probe.ts";
import { loop } from "./loop.ts";
import { watchLiveness } from "./watch-liveness.ts";
import type { Run } from "./run.ts";

/** What is known of crashes, and noted for the next one. */
export interface CrashNotes {
  readonly note: Pick<PassNote, "begin">;
  readonly crashed: CrashedClusters;
}

interface ClusterLoopOptions {
  readonly run: Pick<Run, "log" | "catalogue">;
  readonly desk: StatusReporter;
  readonly news: WakeUp;
  /** All loops together. */
  readonly slots: Semaphore;
  /** Whether its servers answer at all. */
  readonly knock: ReturnType<typeof reachabilityProbe>;
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** A pass came to its end. */
  readonly took: (seconds: number) => void;
  /** Whether discovery reports changes of the management cluster now; undefined without discovery. */
  readonly isToldOfManagement: (() => boolean) | undefined;
  /** Undefined without a Lease; `key` names the cluster on it. */
  readonly crashes: (CrashNotes & { readonly key: string }) | undefined;
}

export async function clusterLoop(cluster: WatchedCluster, options: ClusterLoopOptions): Promise<void> {
  const { desk, news, slots, knock, intervalMs, signal, took, isToldOfManagement, crashes } = options;
  const { log, catalogue } = options.run;
  const random = Math.random;
  const tell = (words: string) => writeCrashed(cluster, words);
  await crashes?.crashed.untilWell({ key: crashes.key, name: cluster.name, desk, signal, tell });
  const again = delayedWakeUp(news, signal);
  const pass = clusterPass(cluster, { desk, log, signal, catalogue, took, again });
  const { allowEmpty, settleMs } = cluster;
  // Whatever is wrong with it, the pass finds again and tells.
  const prepare = () =>
    cluster.readDirectory({ allowEmpty, settleMs, signal }).then(
      () => undefined,
      () => undefined,
    );
  const isLimited = () => (desk.state().last?.nodeLimits.counts.limited ?? 0) > 0;
  const onUnwatched = ({ kind }: Collection, reason: string) =>
    log({ level: "warn", msg: "cannot be watched", fields: { cluster: cluster.name, kind, reason } });
  // Without them passes come by the clock.
  const hinted = isToldOfManagement !== undefined ? { ...cluster, management: undefined } : cluster;
  const still = watchLiveness(() => performance.now());
  const passed = wakeUp();
  const triggers = () =>
    triggerOnCluster(hinted, news, { signal, random, isLimited, passed, onUnwatched, quiet: still }).catch(
      (error: unknown) => {
        log({ level: "error", msg: "hints ended", fields: { cluster: cluster.name, reason: String(error) } });
      },
    );
  let watches: Promise<void> | undefined;
  const answers = () => knock(cluster);
  // Discovery also finds missed changes as soon as the management cluster can be listed.
  const isTold = () => isToldOfManagement?.() ?? true;
  const mayRest = () =>
    !isLimited() && isCalm(desk.state().last) && isAllWatched(cluster) && still.isQuiet() && isTold();
  const watched: typeof pass = async (place) => {
    const end = await crashes?.note.begin(crashes.key, signal);
    // With the first pass, and before it reads: what a watch tells at its begin may end the process as well.
    watches ??= triggers();
    try {
      still.passed();
      const result = await pass(place);
      passed.raise();
      return result;
    } finally {
      end?.();
    }
  };
  await loop(watched, news, { mayRest, intervalMs, signal, random, desk, slots, prepare, answers });
  await watches;
}

/** Nothing of it is to be tried again. What HyperShift's operator writes stays as it is. */
function isCalm(last: ReconcileResult | undefined): boolean {
  return last?.result === "ok" || last?.ready.reason === "ManagedByOperator";
}

/** Files tell of their changes on some file systems only. */
function isAllWatched({ management, source }: WatchedCluster): boolean {
  const { policyDir, config } = source;
  return management !== undefined && hasLiveWrappers(source) && policyDir === undefined && config === undefined;
}
