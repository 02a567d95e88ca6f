/** Passes until the signal: by the clock, sooner when there is news, ever later while they fail. */
import type { WakeUp } from "../waiting/wake-up.ts";
import type { StatusReporter } from "../fleet/fleet-state.ts";
import { backoffMs, debounce } from "../waiting/backoff.ts";
import { pause } from "../waiting/pause.ts";
import type { PassResult } from "../status/outcomes.ts";
import type { ReleaseSlot, Semaphore } from "../waiting/semaphore.ts";
import { acquireSlot } from "./acquire-slot.ts";

export interface LoopOptions {
  /** Between two passes without news: what the clusters say then is the truth, whatever was missed in between. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** 0 to 1: several clusters should not come all at once. */
  readonly random: () => number;
  /** Where the state is told, and where levers are pulled. */
  readonly desk: StatusReporter;
  /** All loops together. */
  readonly slots: Semaphore;
  /** What may take its time and asks no server: done before there is a place for the pass. */
  readonly prepare: () => Promise<void>;
  /** Asked before the first pass, and after one that failed: a cluster that does not answer takes the place of a suspect. */
  readonly answers: () => Promise<boolean>;
  /** Every change since the last pass would have been reported: then a pass by the clock is not needed each time. */
  readonly mayRest?: () => boolean;
}

/** Who chooses a shorter interval wants each of its passes. */
const SHORT_INTERVAL_MS = 30_000;
/** So long the watches are believed: what they cannot tell is looked at anew. */
const LONGEST_REST_MS = 600_000;

/** What takes longer may be waiting for a server: it keeps no other one waiting. */
const SLOW_MS = 10_000;
/** Who is slow so often is slow the next time. Once, it may have been a moment in which everybody was. */
const SLOW_TIMES = 2;

/** The place of a pass among those of all clusters. */
export interface Place {
  /** Waits without it, and takes one again. */
  readonly rest: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** @param pass tells its start and its end at the desk itself */
export async function loop(
  pass: (place: Place) => Promise<PassResult>,
  news: WakeUp,
  options: LoopOptions,
): Promise<void> {
  const { intervalMs, signal, random, desk, slots, prepare, answers } = options;
  const settleMs = debounce(() => performance.now());
  let failures = 0;
  let isKnown = false;
  let slowTimes = 0;
  while (!signal.aborted) {
    desk.levers.clear();
    if (desk.state().isPaused) {
      desk.tell("paused");
      await desk.levers.wait(signal);
      continue;
    }
    desk.tell("queued");
    await prepare();
    const is = slowTimes >= SLOW_TIMES ? "slow" : isKnown ? "well" : undefined;
    const taken = await acquireSlot({ slots, is, answers, signal });
    if (taken === undefined) break;
    let release: ReleaseSlot | undefined = taken.release;
    const place: Place = {
      rest: async (milliseconds, until) => {
        release?.();
        await pause(milliseconds, until);
        release = await slots.acquire(taken.isSuspect, until);
      },
    };
    const slow = alarmOf(SLOW_MS, () => release?.markSlow());
    try {
      if (desk.state().isPaused || signal.aborted) continue;
      news.clear();
      const begun = performance.now();
      failures = (await pass(place)) === "failed" ? failures + 1 : 0;
      isKnown = failures === 0;
      slowTimes = performance.now() - begun > SLOW_MS ? slowTimes + 1 : 0;
    } finally {
      slow();
      release?.();
    }
    if (signal.aborted) desk.tell("waiting");
    if (signal.aborted) break;
    const since = performance.now();
    for (;;) {
      const waitMs = failures > 0 ? backoffMs(failures, random) : intervalMs * (0.9 + random() / 5);
      desk.tell(failures > 0 ? "backing-off" : "waiting", new Date(Date.now() + waitMs));
      const changed = failures > 0 ? undefined : { news, settleMs };
      const came = await waitFor(waitMs, changed, desk.levers, signal);
      const isOver = performance.now() - since + intervalMs > LONGEST_REST_MS;
      const mayRest = came === "clock" && failures === 0 && intervalMs >= SHORT_INTERVAL_MS && !isOver;
      if (!mayRest || signal.aborted || options.mayRest?.() !== true) break;
    }
  }
}

/** Out comes what takes it back. */
function alarmOf(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
}

async function waitFor(
  waitMs: number,
  changed: { readonly news: WakeUp; readonly settleMs: () => number } | undefined,
  levers: WakeUp,
  signal: AbortSignal,
): Promise<"clock" | "other"> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const other = () => "other" as const;
  const ends: Promise<"clock" | "other">[] = [
    pause(waitMs, either).then(() => (either.aborted ? "other" : "clock")),
    levers.wait(either).then(other),
  ];
  if (changed !== undefined) {
    const { news, settleMs } = changed;
    ends.push(
      news
        .wait(either)
        .then(() => (either.aborted ? undefined : pause(settleMs(), either)))
        .then(other),
    );
  }
  const first = await Promise.race(ends);
  over.abort();
  return first;
}
