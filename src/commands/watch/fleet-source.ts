/** What the dashboard draws from: the fleet and its log, and what its keys do. */
import type { Fleet } from "../../cluster/fleet/fleet.ts";
import type { FleetSource } from "../../report/dashboard/dashboard.ts";
import type { FleetView } from "../../report/dashboard/fleet-view.ts";
import type { UiAction } from "../../report/dashboard/ui-state.ts";
import type { Context } from "../cli/context.ts";
import { type Asked, clusterViews } from "./dashboard-clusters.ts";
import type { RecentLog } from "./recent-log.ts";

export interface WatchedSource extends FleetSource {
  readonly act: (action: UiAction) => void;
  readonly stop: () => void;
}

/** However often things change. */
const LOOK_MS = 250;
/** What only the clock changes. */
const CLOCK_MS = 1000;

/** As a shell reports a process that Ctrl-C ended. */
const INTERRUPTED = 130;

/** Looks at the fleet a few times a second. */
export function fleetSource(fleet: Fleet, log: RecentLog, asked: Asked, machine: Context["machine"]): WatchedSource {
  const { inOrder = (all) => all } = asked;
  const clusters = clusterViews(asked);
  const listeners = new Set<() => void>();
  let isStopping = false;
  const look = (): FleetView => ({
    now: machine.now(),
    clusters: inOrder(clusters(fleet.clusters())),
    leader: fleet.leader(),
    stopping: isStopping,
    log: log.lines(),
    catalogue: asked.catalogue,
  });
  let view = look();
  let hasChanged = false;
  const forget = fleet.onChange(() => {
    hasChanged = true;
    // Of each pass it is remembered what it changed, also of two between two looks.
    clusters(fleet.clusters());
  });
  const stop = machine.every(LOOK_MS, () => {
    const isNews = hasChanged || view.log !== log.lines() || isStopping !== view.stopping;
    if (!isNews && machine.now() - view.now < CLOCK_MS) return;
    hasChanged = false;
    view = look();
    for (const listener of listeners) listener();
  });
  return {
    view: () => view,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    act: (action) => {
      switch (action.do) {
        case "pause":
          return fleet.pause(action.cluster);
        case "resume":
          return fleet.resume(action.cluster);
        case "reconcile":
          return fleet.reconcileNow(action.cluster);
        case "quit":
          if (isStopping) return machine.leave(INTERRUPTED);
          isStopping = true;
          return fleet.quit();
      }
    },
    stop: () => {
      stop();
      forget();
    },
  };
}
