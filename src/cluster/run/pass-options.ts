/** The options of a pass: its signal, its clock, and state that is kept between passes. */
import type { PassSlot } from "./loop.ts";
import type { ApplyBackoff } from "../apply/apply-backoff.ts";
import type { Step } from "../plan/step.ts";
import type { ConflictingWriters } from "../apply/conflicting-writers.ts";
import type { EventRecorder } from "../status/event-recorder.ts";
import type { EvaluatePools } from "../status/pool-verdicts.ts";

export interface PassOptions {
  readonly signal: AbortSignal;
  /** Undefined if no other pass waits for a slot. */
  readonly slot?: PassSlot | undefined;
  /** The time of the pass. */
  readonly now: () => Date;
  readonly recorder: EventRecorder;
  /** State of all passes over the cluster. */
  readonly conflicts: ConflictingWriters;
  /** State of all passes over the cluster. */
  readonly applyBackoff: ApplyBackoff;
  readonly judge: EvaluatePools;
  /** Called before a pool or class is deleted, with the number of its nodes. */
  readonly onPrune: (step: Step, nodes: number | undefined) => void;
}
