/** Ends the loop of a cluster that another replica takes: drains or cancels its requests. */
import type { InFlightRequests } from "../api/connections.ts";
import { pause } from "../waiting/pause.ts";

/** The time for a pass to finish. */
const DRAIN_MS = 10_000;

/** A healthy server answers sooner. Waiting for one that hangs leaves all clusters of its shard without a writer. */
const HANGS_MS = 1000;
const LOOK_MS = 200;

/** The API server may still execute writes that were cancelled. */
export const AFTER_CUT_MS = 5000;

/** The longest time that ending takes, whatever a server does. Callers must wait for longer. */
export const ENDED_WITHIN_MS = DRAIN_MS + AFTER_CUT_MS;

interface EndingWork {
  /** The loop, which has been asked to end. */
  readonly over: Promise<void>;
  /** To the guest and the management cluster. */
  readonly underWay: InFlightRequests;
  readonly cut: AbortController;
  /** Ends every wait. */
  readonly signal: AbortSignal;
}

/** Afterwards nothing is written any more, neither by this replica nor by a server that still had its requests. */
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
