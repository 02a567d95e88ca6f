/** All watched clusters at a moment, with a few levers, for logs, metrics, probes and dashboard. */
import type { ReconcileResult } from "../status/pass-result.ts";
import type { PassFigures } from "./figures.ts";

/**
 * - `waiting`: for the clock or for a change; `backing-off`: the same after a failure
 * - `queued`: due, and as many passes as may run at once are running
 * - `paused`: by a user of the dashboard
 * - `standby`: another replica holds the lease
 */
export type Phase = "starting" | "queued" | "running" | "waiting" | "backing-off" | "paused" | "standby";

/** Replaced as a whole by each change: two that are the same object say the same. */
export interface ClusterState {
  readonly name: string;
  /** The hosted control plane's namespace. */
  readonly hostedCluster: string;
  readonly phase: Phase;
  /** A user paused it; a pass that was running then is still `running` until it ends. */
  readonly isPaused: boolean;
  /** Of the last pass that came to an end; undefined before the first, and where that was broken. */
  readonly figures: PassFigures | undefined;
  /** All of that pass. */
  readonly last: ReconcileResult | undefined;
  /** Why the last pass had no result at all, in one line. */
  readonly broken: string | undefined;
  readonly lastEnd: Date | undefined;
  /** The end of the last pass whose result was `ok`. */
  readonly lastSuccess: Date | undefined;
  /** While it waits. */
  readonly nextRun: Date | undefined;
  /** Since the start of the program; a broken pass has failed. */
  readonly passes: Readonly<Record<"ok" | "held" | "failed", number>>;
  /** Fields set right since the start. */
  readonly drift: number;
  /** Objects deleted since the start. */
  readonly pruned: number;
}

export interface Fleet {
  /** In the order in which they were named. */
  readonly clusters: () => readonly ClusterState[];
  /** Undefined where no leader is elected. */
  readonly leader: () => boolean | undefined;
  /** Called after each change; the function that it returns ends that. */
  readonly onChange: (listener: () => void) => () => void;
  /** Finishes the pass that is running, and starts no other one until it is resumed. */
  readonly pause: (name: string) => void;
  /** A pass follows at once. */
  readonly resume: (name: string) => void;
  /** Unless it is paused: as soon as there is a place for it, also while it backs off. */
  readonly reconcileNow: (name: string) => void;
  /** As SIGTERM: no pass is started any more, the object in hand is finished, and the run ends. */
  readonly quit: () => void;
}
