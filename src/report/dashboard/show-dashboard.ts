/** Draws the dashboard on the terminal until it is closed. */
import { render, type RenderOptions } from "ink";
import { createElement } from "react";
import { Dashboard, type DashboardProps } from "./dashboard.ts";

export { byTrouble } from "./by-trouble.ts";

export interface ShownDashboard {
  /** Restores the terminal. */
  readonly close: () => void;
  /** Resolves when the terminal is restored; rejects on a bug. */
  readonly closed: Promise<void>;
}

/** Keys are handled at once; frames are drawn at most this often. */
const FRAMES_A_SECOND = 20;

/** Restores the terminal at the end. @param terminal other streams than those of the process */
export async function showDashboard(
  props: DashboardProps,
  terminal: Pick<RenderOptions, "stdin" | "stdout" | "stderr" | "debug"> = {},
): Promise<ShownDashboard> {
  const { unmount, waitUntilExit } = render(createElement(Dashboard, props), {
    ...terminal,
    // The caller has checked the terminal; ink would otherwise guess again.
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
