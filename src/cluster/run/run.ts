/** What all parts of a run share: its options, its end, its state and its log. */
import type { PerhapsCatalogueFor } from "../tell/pool-judge.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import type { Ending } from "../waiting/ending-signal.ts";
import type { FleetState } from "../fleet/fleet-state.ts";
import type { RunOptions } from "./run-watch.ts";

export interface Run {
  readonly options: RunOptions;
  readonly ending: Ending;
  readonly state: FleetState;
  readonly log: (entry: LogEntry) => void;
  /** For all hosted clusters: read when the first of them has a pool. Undefined where it cannot be read. */
  readonly catalogue: PerhapsCatalogueFor;
  /** Tells once why a catalogue cannot be read. */
  readonly unread: (reason: string) => void;
}
