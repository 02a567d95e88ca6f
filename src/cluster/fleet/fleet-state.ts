/** The fleet's state: a desk for each loop that writes it, and the fleet for all who read it. */
import { type PendingSignal, pendingSignal } from "../waiting/pending-signal.ts";
import type { ClusterState, Fleet, Phase } from "./fleet.ts";
import type { PassResult, ReconcileResult } from "../tell/pass-result.ts";
import { figuresOf, type PassFigures } from "./figures.ts";

export interface EndedPass {
  /** Undefined for a pass that broke. */
  readonly result: ReconcileResult | undefined;
  /** In place of the result of a pass that another thread made. */
  readonly figures?: PassFigures | undefined;
  readonly broken: string | undefined;
  readonly end: Date;
}

/** What one cluster's loop tells, and what it is told. */
export interface Desk {
  readonly state: () => ClusterState;
  readonly tell: (phase: Phase, nextRun?: Date) => void;
  readonly started: () => void;
  readonly ended: (pass: EndedPass) => void;
  /** How long it has been in its phase, by a clock that nobody sets. */
  readonly phaseMs: () => number;
  /** Rings for each lever that somebody pulls. */
  readonly levers: PendingSignal;
}

export interface Named {
  readonly name: string;
  readonly hostedCluster: string;
}

export interface FleetState {
  readonly fleet: Fleet;
  /** In the order in which they came: those that are there now. */
  readonly desks: readonly Desk[];
  /** One that was not there at the start. No two have one name. */
  readonly add: (cluster: Named) => Desk;
  readonly remove: (desk: Desk) => void;
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
  const desks = clusters.map((cluster) => deskOf(cluster, changed));
  const byName = new Map(desks.map((desk) => [desk.state().name, desk]));
  let leader: boolean | undefined;
  return {
    desks,
    add: (cluster) => {
      const desk = deskOf(cluster, changed);
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
export function deskOf({ name, hostedCluster }: Named, changed: () => void) {
  const levers = pendingSignal();
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
  const figures = pass.figures ?? (result && figuresOf(result));
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
