/** The current state of all watched clusters, with the controls of the dashboard. */
import type { ReconcileResult } from "../status/pass-result.ts";
import type { PassFigures } from "./figures.ts";

/**
 * - `waiting`: until the clock or a change starts the next pass; `backing-off`: the same after a failure
 * - `queued`: its pass is due, and all slots are taken
 * - `paused`: by a user of the dashboard
 * - `standby`: another replica holds the lease
 */
export type Phase = "starting" | "queued" | "running" | "waiting" | "backing-off" | "paused" | "standby";

/** Each change replaces the whole object, so that the same object means the same state. */
export interface ClusterState {
  readonly name: string;
  /** The hosted control plane's namespace. */
  readonly hostedCluster: string;
  readonly phase: Phase;
  /** Whether a user paused it; a running pass stays `running` until it ends. */
  readonly isPaused: boolean;
  /** Of the last pass; undefined before the first one, and if it threw an error. */
  readonly figures: PassFigures | undefined;
  /** The whole result of that pass. */
  readonly last: ReconcileResult | undefined;
  /** Why the last pass had no result, in one line. */
  readonly broken: string | undefined;
  readonly lastEnd: Date | undefined;
  /** The end of the last pass whose result was `ok`. */
  readonly lastSuccess: Date | undefined;
  /** When the next pass begins, while it waits. */
  readonly nextRun: Date | undefined;
  /** Passes since the start of the program; one that threw an error has failed. */
  readonly passes: Readonly<Record<"ok" | "held" | "failed", number>>;
  /** Corrected fields since the start. */
  readonly drift: number;
  /** Deleted objects since the start. */
  readonly pruned: number;
}

export interface Fleet {
  /** In the order of the configuration. */
  readonly clusters: () => readonly ClusterState[];
  /** Undefined without leader election. */
  readonly leader: () => boolean | undefined;
  /** The listener is called after each change. Returns a function that removes it. */
  readonly onChange: (listener: () => void) => () => void;
  /** The running pass ends, and no other one begins until the cluster is resumed. */
  readonly pause: (name: string) => void;
  /** A pass follows at once. */
  readonly resume: (name: string) => void;
  /** A pass begins as soon as there is a slot, even during backoff, but not while the cluster is paused. */
  readonly reconcileNow: (name: string) => void;
  /** Like SIGTERM: no pass begins any more, the current write ends, and the run ends. */
  readonly quit: () => void;
}
