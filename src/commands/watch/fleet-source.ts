/** What the dashboard draws from: the fleet and its log, and what its keys do. */
import type { Fleet } from "../../cluster/fleet/fleet.ts";
import type { FleetSource } from "../../report/dashboard/dashboard.ts";
import type { FleetView } from "../../report/dashboard/fleet-view.ts";
import type { UiAction } from "../../report/dashboard/ui-state.ts";
import type { Context } from "../cli/context.ts";
import { type Asked, clusterViews } from "./dashboard-clusters.ts";
import { looking } from "./looking.ts";
import type { RecentLog } from "./recent-log.ts";

export interface WatchedSource extends FleetSource {
  readonly act: (action: UiAction) => void;
  readonly stop: () => void;
}

/** As a shell reports a process that Ctrl-C ended. */
const INTERRUPTED = 130;

/** Looks at the fleet a few times a second. */
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
    // Of each pass it is remembered what it changed, also of two between two looks.
    clusters(fleet.clusters());
  });
  const hasNews = (view: FleetView): boolean => {
    const isNews = hasChanged || view.log !== log.lines() || isStopping !== view.stopping;
    hasChanged = false;
    return isNews;
  };
  const { stop, ...looked } = looking(look, hasNews, machine);
  return {
    ...looked,
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
