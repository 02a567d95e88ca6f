/** How simulations are shown, and their assumptions, for all parts of the text. */
import type { TimeZone } from "../../analyze/simulate/zone.ts";
import type { InputMode } from "../../model/input-mode.ts";
import type { Style } from "../terminal/style.ts";
import { padTo } from "../terminal/text-width.ts";

export interface SimulateLook {
  readonly mode: InputMode;
  readonly style: Style;
  readonly width: number;
  readonly zone: TimeZone;
  readonly at: number;
  /** Milliseconds that replacing one node is assumed to take. */
  readonly nodeTime: number;
  /** New nodes that one batch of pods is assumed to need. */
  readonly batch: number;
}

/** The column where the text of a labelled line begins. */
export const LABEL = 17;

/** `  Drifted        `. */
export function labelled(name: string): string {
  return padTo(`  ${name}`, LABEL);
}
