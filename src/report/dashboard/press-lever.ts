/** A key that is for one cluster in, what it shows or asks for out: findings, pause, reconcile. */
import type { FleetView } from "./fleet-view.ts";
import type { Screen } from "./screen.ts";
import { popScreen, type Pressed, pushScreen, shownScreen, type UiState } from "./ui-state.ts";

/** Keys that are for one cluster: the opened one, or the selected one of the list. */
export function pressLever(typed: string, ui: UiState, { content }: Screen, view: FleetView): Pressed {
  const screen = shownScreen(ui);
  const name =
    "cluster" in screen
      ? screen.cluster
      : screen.kind === "fleet" && content.kind === "list"
        ? content.selected
        : undefined;
  const cluster = view.clusters.find((one) => one.name === name);
  if (cluster === undefined) return { ui };
  if (typed === "f")
    return {
      ui:
        screen.kind === "findings"
          ? popScreen(ui)
          : pushScreen(ui, { kind: "findings", cluster: cluster.name, top: 0 }),
    };
  if (typed === "p") {
    const paused = cluster.isPaused;
    const words = paused ? "resumed" : "paused: the pass that runs is finished, and no other starts";
    return {
      ui: { ...ui, note: `${cluster.name} is ${words}` },
      action: { do: paused ? "resume" : "pause", cluster: cluster.name },
    };
  }
  if (typed !== "r") return { ui };
  if (cluster.isPaused) return { ui: { ...ui, note: `${cluster.name} is paused: p resumes it` } };
  if (cluster.phase === "standby") return { ui: { ...ui, note: "another replica holds the lease and reconciles" } };
  return {
    ui: { ...ui, note: `${cluster.name} is reconciled now` },
    action: { do: "reconcile", cluster: cluster.name },
  };
}
