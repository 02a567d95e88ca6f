/** What a pass is given beside its cluster: its end, its clock, and what lasts between passes. */
import type { Place } from "./loop.ts";
import type { ApplyBackoff } from "../apply/apply-backoff.ts";
import type { Step } from "../plan/step.ts";
import type { ConflictingWriters } from "../apply/conflicting-writers.ts";
import type { EventRecorder } from "../status/event-recorder.ts";
import type { EvaluatePools } from "../status/pool-verdicts.ts";

export interface PassOptions {
  readonly signal: AbortSignal;
  /** Where others wait for it. */
  readonly place?: Place | undefined;
  /** The time of the pass. */
  readonly now: () => Date;
  readonly recorder: EventRecorder;
  /** Of all passes over the cluster. */
  readonly conflicts: ConflictingWriters;
  /** Of all passes over the cluster. */
  readonly applyBackoff: ApplyBackoff;
  readonly judge: EvaluatePools;
  /** Told before a pool or class is deleted, with the number of nodes that go with it. */
  readonly onPrune: (step: Step, nodes: number | undefined) => void;
}
