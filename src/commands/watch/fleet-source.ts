/** The data source of the dashboard: the fleet and its log, and the actions of keys. */
import type { Fleet } from "../../cluster/fleet/fleet.ts";
import type { FleetSource } from "../../report/dashboard/show-dashboard.ts";
import type { FleetView } from "../../report/dashboard/fleet-view.ts";
import type { UiAction } from "../../report/dashboard/ui-state.ts";
import type { Context } from "../cli/context.ts";
import { type Asked, clusterViews } from "./dashboard-clusters.ts";
import type { RecentLog } from "./recent-log.ts";

export interface WatchedSource extends FleetSource {
  readonly act: (action: UiAction) => void;
  readonly stop: () => void;
}

/** The exit code of a shell for a process that Ctrl-C ended. */
const INTERRUPTED = 130;

/** The shortest time between two frames. */
const LOOK_MS = 250;
/** The time between two frames without changes. */
const CLOCK_MS = 1000;

/** Reads the fleet a few times a second. */
export function fleetSource(fleet: Fleet, log: RecentLog, asked: Asked, machine: Context["machine"]): WatchedSource {
  const { inOrder = (all) => all } = asked;
  const clusters = clusterViews(asked);
  let isStopping = false;
  const look = (): FleetView => ({
    now: machine.now(),
    clusters: inOrder(clusters(fleet.clusters())),
    leader: fleet.leader(),
    stopping: isStopping,
    log: log.lines(),
    catalogue: asked.catalogue,
  });
  let hasChanged = false;
  const forget = fleet.onChange(() => {
    hasChanged = true;
    // Every pass is recorded, even if two end between two frames.
    clusters(fleet.clusters());
  });
  const hasNews = (): boolean => {
    const isNews = hasChanged || view.log !== log.lines() || isStopping !== view.stopping;
    hasChanged = false;
    return isNews;
  };
  const listeners = new Set<() => void>();
  let view = look();
  const stop = machine.every(LOOK_MS, () => {
    if (!hasNews() && machine.now() - view.now < CLOCK_MS) return;
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
