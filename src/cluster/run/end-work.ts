/** Ends the work for a cluster that another replica takes: it finishes, or is cut as it waits. */
import type { InFlightRequests } from "../api/connections.ts";
import { pause } from "../waiting/pause.ts";

/** The time for a pass to finish. */
const DRAIN_MS = 10_000;

/** A healthy server answers sooner. Waiting for one that hangs leaves all clusters of its shard without a writer. */
const HANGS_MS = 1000;
const LOOK_MS = 200;

/** What was under way when it was cut may still be done by the API server. */
export const AFTER_CUT_MS = 5000;

/** So long work takes to end at the most, whatever a server does: who waits for it has to wait for longer. */
export const ENDED_WITHIN_MS = DRAIN_MS + AFTER_CUT_MS;

interface EndingWork {
  /** All that is done has been told that it is to end; this ends with it. */
  readonly over: Promise<void>;
  /** Of the guest and the management cluster. */
  readonly underWay: InFlightRequests;
  readonly cut: AbortController;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
}

/** Afterwards nothing is done any more, here or by a server that was told to. */
export async function endWork({ over, underWay, cut, signal }: EndingWork): Promise<void> {
  const done = new AbortController();
  const either = AbortSignal.any([done.signal, signal]);
  const deadline = performance.now() + DRAIN_MS;
  const ended = over.then(() => done.abort());
  while (!either.aborted && performance.now() < deadline && !underWay.onlyWaits(HANGS_MS)) await pause(LOOK_MS, either);
  const mayBeDone = !done.signal.aborted && underWay.writes();
  cut.abort();
  await ended;
  if (mayBeDone) await pause(AFTER_CUT_MS, signal);
}
