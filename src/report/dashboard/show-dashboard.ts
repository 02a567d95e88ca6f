/** Draws the dashboard on the terminal until it is closed. */
import { render, type RenderOptions } from "ink";
import { createElement } from "react";
import { Dashboard, type DashboardProps } from "./dashboard.ts";

export { byTrouble } from "./by-trouble.ts";
export { observedTable } from "./observed-table.ts";

export interface ShownDashboard {
  /** Gives the terminal back. */
  readonly close: () => void;
  /** Ends when the terminal is given back; rejects with our own fault. */
  readonly closed: Promise<void>;
}

/** Keys are answered at once; that is as often as anything is drawn. */
const FRAMES_A_SECOND = 20;

/** The terminal is then as it was. @param terminal other streams than those of the process */
export async function showDashboard(
  props: DashboardProps,
  terminal: Pick<RenderOptions, "stdin" | "stdout" | "stderr" | "debug"> = {},
): Promise<ShownDashboard> {
  const { unmount, waitUntilExit } = render(createElement(Dashboard, props), {
    ...terminal,
    // Whoever asks has looked at the terminal; ink would guess once more.
    interactive: true,
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: FRAMES_A_SECOND,
  });
  return {
    close: unmount,
    closed: waitUntilExit().then(() => undefined),
  };
}
