/** The fleet's state: a desk for each loop that writes it, and the fleet for all who read it. */
import { type WakeUp, wakeUp } from "../waiting/wake-up.ts";
import type { ClusterState, Fleet, Phase } from "./fleet.ts";
import type { PassResult } from "../status/outcomes.ts";
import type { ReconcileResult } from "../status/pass-result.ts";
import { figuresOf } from "./figures.ts";

interface EndedPass {
  /** Undefined for a pass that broke. */
  readonly result: ReconcileResult | undefined;
  readonly broken: string | undefined;
  readonly end: Date;
}

/** What one cluster's loop tells, and what it is told. */
export interface StatusReporter {
  readonly state: () => ClusterState;
  readonly tell: (phase: Phase, nextRun?: Date) => void;
  readonly started: () => void;
  readonly ended: (pass: EndedPass) => void;
  /** How long it has been in its phase, by a monotonic clock. */
  readonly phaseMs: () => number;
  /** Raised for each control that a user operates. */
  readonly levers: WakeUp;
}

export interface Named {
  readonly name: string;
  readonly hostedCluster: string;
}

export interface FleetState {
  readonly fleet: Fleet;
  /** In the order in which they came: those that are there now. */
  readonly desks: readonly StatusReporter[];
  /** One that was not there at the start. No two have one name. */
  readonly add: (cluster: Named) => StatusReporter;
  readonly remove: (desk: StatusReporter) => void;
  readonly setLeader: (isLeader: boolean) => void;
}

export function fleetState(clusters: readonly Named[], quit: () => void): FleetState {
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) {
      try {
        listener();
      } catch {
        // What goes wrong for those who look on is no business of the loops.
      }
    }
  };
  const desks = clusters.map((cluster) => statusReporterOf(cluster, changed));
  const byName = new Map(desks.map((desk) => [desk.state().name, desk]));
  let leader: boolean | undefined;
  return {
    desks,
    add: (cluster) => {
      const desk = statusReporterOf(cluster, changed);
      desks.push(desk);
      byName.set(cluster.name, desk);
      changed();
      return desk;
    },
    remove: (desk) => {
      const index = desks.findIndex((one) => one === desk);
      if (index === -1) return;
      const [removed] = desks.splice(index, 1);
      const { name } = removed!.state();
      if (byName.get(name) === removed) byName.delete(name);
      changed();
    },
    setLeader: (isLeader) => {
      leader = isLeader;
      changed();
    },
    fleet: {
      clusters: () => desks.map(({ state }) => state()),
      leader: () => leader,
      onChange: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      pause: (name) => byName.get(name)?.setPaused(true),
      resume: (name) => byName.get(name)?.setPaused(false),
      reconcileNow: (name) => byName.get(name)?.levers.raise(),
      quit,
    },
  };
}

/** @param changed told after each change */
function statusReporterOf({ name, hostedCluster }: Named, changed: () => void) {
  const levers = wakeUp();
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
    levers,
    tell: (phase: Phase, nextRun?: Date) => {
      if (phase !== state.phase || nextRun !== state.nextRun) set({ phase, nextRun });
    },
    started: () => set({ phase: "running", nextRun: undefined }),
    ended: (pass: EndedPass) => set(afterPass(state, pass)),
    setPaused: (isPaused: boolean) => {
      if (isPaused === state.isPaused) return;
      set({ isPaused });
      levers.raise();
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
