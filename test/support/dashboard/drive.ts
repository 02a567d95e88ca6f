/** Drives the dashboard by keys without a terminal, and returns the state and the requested actions. */
import type { FleetView } from "../../../src/report/dashboard/fleet-view.ts";
import { handleKey } from "../../../src/report/dashboard/handle-key.ts";
import type { Screen, Size } from "../../../src/report/dashboard/ui-state.ts";
import { screenOf } from "../../../src/report/dashboard/screen-of.ts";
import { type KeyName, START, type UiAction, type UiState } from "../../../src/report/dashboard/ui-state.ts";
import { PLAIN, type Style } from "../../../src/report/terminal/style.ts";

export interface Driven {
  readonly ui: UiState;
  readonly screen: Screen;
  readonly actions: readonly UiAction[];
}

/** A word of several letters is a key name; single characters are typed. */
export type Typed = Extract<KeyName, string> | { readonly type: string };

export function drive(view: FleetView, typed: readonly Typed[], size?: Size, style?: Style): Driven {
  return driveEach(view, typed, size, style).at(-1)!;
}

/** The state before the first key, and after each. */
export function driveEach(
  view: FleetView,
  typed: readonly Typed[],
  size: Size = { columns: 80, rows: 24 },
  style: Style = PLAIN,
): Driven[] {
  const look = { ...size, style };
  const driven: Driven[] = [{ ui: START, screen: screenOf(view, START, look), actions: [] }];
  const keys = typed.flatMap((one): KeyName[] =>
    typeof one === "string" ? [one] : [...one.type].map((character) => ({ character })),
  );
  for (const key of keys) {
    const { ui, screen, actions } = driven.at(-1)!;
    const pressed = handleKey(key, ui, screen, view);
    driven.push({
      ui: pressed.ui,
      screen: screenOf(view, pressed.ui, look),
      actions: pressed.action === undefined ? actions : [...actions, pressed.action],
    });
  }
  return driven;
}

export function selectedOf({ screen }: Driven): string | undefined {
  return screen.content.kind === "list" ? screen.content.selected : undefined;
}
