/** What a dashboard looks at: anew a few times a second, where there is news or time went on. */
import type { FleetSource } from "../../report/dashboard/dashboard.ts";
import type { FleetView } from "../../report/dashboard/fleet-view.ts";
import type { Context } from "../cli/context.ts";

/** However often things change. */
const LOOK_MS = 250;
/** What only the clock changes. */
const CLOCK_MS = 1000;

interface Looking extends Pick<FleetSource, "view" | "onChange"> {
  readonly stop: () => void;
}

/** @param hasNews whether anything but the clock has changed since the view that is given; asked once for each look */
export function looking(
  look: () => FleetView,
  hasNews: (view: FleetView) => boolean,
  machine: Pick<Context["machine"], "now" | "every">,
): Looking {
  const listeners = new Set<() => void>();
  let view = look();
  const stop = machine.every(LOOK_MS, () => {
    if (!hasNews(view) && machine.now() - view.now < CLOCK_MS) return;
    view = look();
    for (const listener of listeners) listener();
  });
  return {
    view: () => view,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop,
  };
}
