/** What a pass is given beside its cluster: its end, its clock, and what lasts between passes. */
import type { Place } from "./loop.ts";
import type { Refusals } from "../apply/refusals.ts";
import type { Step } from "../plan/step.ts";
import type { Rivals } from "../rivals/rivals.ts";
import type { EventRecorder } from "../tell/event-recorder.ts";
import type { JudgePools } from "../tell/pool-judge.ts";

export interface PassOptions {
  readonly signal: AbortSignal;
  /** Where others wait for it. */
  readonly place?: Place | undefined;
  /** The time of the pass. */
  readonly now: () => Date;
  readonly recorder: EventRecorder;
  /** Of all passes over the cluster. */
  readonly rivals: Rivals;
  /** Of all passes over the cluster. */
  readonly refusals: Refusals;
  readonly judge: JudgePools;
  /** Told before a pool or class is deleted, with the number of nodes that go with it. */
  readonly onPrune: (step: Step, nodes: number | undefined) => void;
}
