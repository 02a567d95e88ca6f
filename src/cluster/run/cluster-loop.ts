/** One watched cluster's loop with all that wakes it, until the signal. */
import type { Collection } from "../api/served-kind.ts";
import type { Desk } from "../fleet/fleet-state.ts";
import { hasLiveWrappers, type WatchedCluster } from "../objects/watched-cluster.ts";
import type { ReconcileResult } from "../tell/pass-result.ts";
import { alarm } from "../waiting/alarm.ts";
import { type PendingSignal, pendingSignal } from "../waiting/pending-signal.ts";
import type { Slots } from "../waiting/slots.ts";
import { clusterPass } from "./cluster-pass.ts";
import { hintOnCluster } from "./hint-on-cluster.ts";
import type { knocking } from "./knock.ts";
import { loop } from "./loop.ts";
import { quiet } from "./quiet.ts";
import type { Run } from "./run.ts";

interface ClusterLoopOptions {
  readonly run: Pick<Run, "log" | "catalogue">;
  readonly desk: Desk;
  readonly news: PendingSignal;
  /** All loops together. */
  readonly slots: Slots;
  /** Whether its servers answer at all. */
  readonly knock: ReturnType<typeof knocking>;
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** A pass came to its end. */
  readonly took: (seconds: number) => void;
  /** Whether somebody else tells now what changes in the management cluster; undefined where nobody else does. */
  readonly isToldOfManagement: (() => boolean) | undefined;
}

export async function clusterLoop(cluster: WatchedCluster, options: ClusterLoopOptions): Promise<void> {
  const { desk, news, slots, knock, intervalMs, signal, took, isToldOfManagement } = options;
  const { log, catalogue } = options.run;
  const random = Math.random;
  const again = alarm(news, signal);
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
  const still = quiet(() => performance.now());
  const passed = pendingSignal();
  const hints = hintOnCluster(hinted, news, { signal, random, isLimited, passed, onUnwatched, quiet: still }).catch(
    (error: unknown) => {
      log({ level: "error", msg: "hints ended", fields: { cluster: cluster.name, reason: String(error) } });
    },
  );
  const answers = () => knock(cluster);
  // Whoever tells of the management cluster finds out what was missed as well, as soon as that can be listed.
  const isTold = () => isToldOfManagement?.() ?? true;
  const mayRest = () =>
    !isLimited() && isCalm(desk.state().last) && isAllWatched(cluster) && still.isQuiet() && isTold();
  const watched: typeof pass = async (place) => {
    still.passed();
    const result = await pass(place);
    passed.raise();
    return result;
  };
  await loop(watched, news, { mayRest, intervalMs, signal, random, desk, slots, prepare, answers });
  await hints;
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
