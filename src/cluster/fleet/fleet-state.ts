/** The state of the fleet, which the reporter of each loop writes. */
import { type WakeUp, wakeUp } from "../waiting/wake-up.ts";
import type { ClusterState, Fleet, Phase } from "./fleet.ts";
import type { PassResult } from "../status/outcomes.ts";
import type { ReconcileResult } from "../status/pass-result.ts";
import { figuresOf } from "./figures.ts";

interface EndedPass {
  /** Undefined if the pass threw an error. */
  readonly result: ReconcileResult | undefined;
  readonly broken: string | undefined;
  readonly end: Date;
}

/** Reports the state of one cluster's loop, and passes on the controls of a user. */
export interface StatusReporter {
  readonly state: () => ClusterState;
  readonly report: (phase: Phase, nextRun?: Date) => void;
  readonly started: () => void;
  readonly ended: (pass: EndedPass) => void;
  /** How long it has been in its phase, by a monotonic clock. */
  readonly phaseMs: () => number;
  /** Raised when a user pauses, resumes or reconciles the cluster. */
  readonly controls: WakeUp;
}

export interface Named {
  readonly name: string;
  readonly hostedCluster: string;
}

export interface FleetState {
  readonly fleet: Fleet;
  /** The current ones, in the order in which they were added. */
  readonly reporters: readonly StatusReporter[];
  /** Adds a cluster that was discovered later. Names are unique. */
  readonly add: (cluster: Named) => StatusReporter;
  readonly remove: (reporter: StatusReporter) => void;
  readonly setLeader: (isLeader: boolean) => void;
}

export function fleetState(clusters: readonly Named[], quit: () => void): FleetState {
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) {
      try {
        listener();
      } catch {
        // An error of a listener must not affect the loops.
      }
    }
  };
  const reporters = clusters.map((cluster) => statusReporterOf(cluster, changed));
  const byName = new Map(reporters.map((reporter) => [reporter.state().name, reporter]));
  let leader: boolean | undefined;
  return {
    reporters,
    add: (cluster) => {
      const reporter = statusReporterOf(cluster, changed);
      reporters.push(reporter);
      byName.set(cluster.name, reporter);
      changed();
      return reporter;
    },
    remove: (reporter) => {
      const index = reporters.findIndex((one) => one === reporter);
      if (index === -1) return;
      const [removed] = reporters.splice(index, 1);
      const { name } = removed!.state();
      if (byName.get(name) === removed) byName.delete(name);
      changed();
    },
    setLeader: (isLeader) => {
      leader = isLeader;
      changed();
    },
    fleet: {
      clusters: () => reporters.map(({ state }) => state()),
      leader: () => leader,
      onChange: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      pause: (name) => byName.get(name)?.setPaused(true),
      resume: (name) => byName.get(name)?.setPaused(false),
      reconcileNow: (name) => byName.get(name)?.controls.raise(),
      quit,
    },
  };
}

/** @param changed called after each change */
function statusReporterOf({ name, hostedCluster }: Named, changed: () => void) {
  const controls = wakeUp();
  let state: ClusterState = {
    name,
    hostedCluster,
    phase: "starting",
    isPaused: false,
    figures: undefined,
    last: undefined,
    broken: undefined,
    lastEnd: undefined,
    lastSuccess: undefined,
    nextRun: undefined,
    passes: { ok: 0, held: 0, failed: 0 },
    drift: 0,
    pruned: 0,
  };
  let since = performance.now();
  const set = (change: Partial<ClusterState>): void => {
    if (change.phase !== undefined) since = performance.now();
    state = { ...state, ...change };
    changed();
  };
  return {
    state: () => state,
    phaseMs: () => performance.now() - since,
    controls,
    report: (phase: Phase, nextRun?: Date) => {
      if (phase !== state.phase || nextRun !== state.nextRun) set({ phase, nextRun });
    },
    started: () => set({ phase: "running", nextRun: undefined }),
    ended: (pass: EndedPass) => set(afterPass(state, pass)),
    setPaused: (isPaused: boolean) => {
      if (isPaused === state.isPaused) return;
      set({ isPaused });
      controls.raise();
    },
  };
}

function afterPass(state: ClusterState, pass: EndedPass): Partial<ClusterState> {
  const { result, broken, end } = pass;
  const figures = result && figuresOf(result);
  const came: PassResult = figures?.result ?? "failed";
  const { drift = 0, pruned = 0 } = figures ?? {};
  return {
    figures,
    last: result,
    broken,
    lastEnd: end,
    lastSuccess: came === "ok" ? end : state.lastSuccess,
    passes: { ...state.passes, [came]: state.passes[came] + 1 },
    drift: state.drift + drift,
    pruned: state.pruned + pruned,
  };
}
