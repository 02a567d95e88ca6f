/** The data source of the dashboard: the fleet and its log, and the actions of keys. */
import type { Fleet } from "../../cluster/fleet/fleet.ts";
import type { LogEntry } from "../../cluster/objects/log-entry.ts";
import type { FleetView, LogLine } from "../../report/dashboard/fleet-view.ts";
import type { FleetSource } from "../../report/dashboard/show-dashboard.ts";
import type { UiAction } from "../../report/dashboard/ui-state.ts";
import type { Context } from "../cli/context.ts";
import { type Asked, clusterViews } from "./dashboard-clusters.ts";

interface WatchedSource extends FleetSource {
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

interface RecentLog {
  readonly add: (entry: LogEntry, time: Date) => void;
  /** Oldest first; a new array after each line. */
  readonly lines: () => readonly LogLine[];
  readonly entries: () => readonly { readonly entry: LogEntry; readonly time: Date }[];
}

const KEPT = 500;

export function recentLog(): RecentLog {
  let entries: readonly { readonly entry: LogEntry; readonly time: Date }[] = [];
  let lines: readonly LogLine[] = [];
  return {
    add: (entry, time) => {
      entries = [...entries, { entry, time }].slice(-KEPT);
      lines = [...lines, lineOf(entry, time)].slice(-KEPT);
    },
    lines: () => lines,
    entries: () => entries,
  };
}

/** `03:00:12 warn deleting cluster=c1 object="NodePool web"`, with the time in UTC, as in the log. */
function lineOf({ level, msg, fields }: LogEntry, time: Date): LogLine {
  const { cluster } = fields;
  const words = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${/^[^\s"=]+$/.test(String(value)) ? String(value) : JSON.stringify(value)}`],
  );
  const head = [time.toISOString().slice(11, 19), ...(level === "info" ? [] : [level]), msg];
  return { cluster: typeof cluster === "string" ? cluster : undefined, level, text: [...head, ...words].join(" ") };
}
