/** Runs passes until the signal: by the clock, after changes, and with backoff after failures. */
import type { WakeUp } from "../waiting/wake-up.ts";
import type { StatusReporter } from "../fleet/fleet-state.ts";
import { backoffMs, debounce } from "../waiting/backoff.ts";
import { pause } from "../waiting/pause.ts";
import type { PassResult } from "../status/outcomes.ts";
import type { ReleaseSlot, Semaphore } from "../waiting/semaphore.ts";
import { acquireSlot } from "./acquire-slot.ts";

export interface LoopOptions {
  /** The time between two passes without a change: each reads both clusters again, whatever a watch missed. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** 0 to 1: for jitter, so that clusters do not begin all at once. */
  readonly random: () => number;
  /** Takes the state of the loop, and passes on the controls of a user. */
  readonly reporter: StatusReporter;
  /** Shared by all loops. */
  readonly slots: Semaphore;
  /** Preparation that may take long and sends no requests: done before the pass has its slot. */
  readonly prepare: () => Promise<void>;
  /** Called before the first pass and after a failed one. A cluster that does not answer gets the slot of a suspect. */
  readonly answers: () => Promise<boolean>;
  /** Whether every change since the last pass was reported, so that a pass by the clock may be left out. */
  readonly mayRest?: () => boolean;
}

/** A user who chooses a shorter interval gets all of its passes. */
const SHORT_INTERVAL_MS = 30_000;
/** The longest time without a pass: watches do not report everything. */
const LONGEST_REST_MS = 600_000;

/** A longer pass may be waiting for its server, and must not keep others waiting. */
const SLOW_MS = 10_000;
/** After so many slow passes, the next one counts as slow. A single one may be due to a load on all clusters. */
const SLOW_TIMES = 2;

/** The slot of a running pass. */
export interface PassSlot {
  /** Gives it back, waits, and acquires one again. */
  readonly rest: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** @param pass reports its start and its end */
export async function loop(
  pass: (slot: PassSlot) => Promise<PassResult>,
  news: WakeUp,
  options: LoopOptions,
): Promise<void> {
  const { intervalMs, signal, random, reporter, slots, prepare, answers } = options;
  const settleMs = debounce(() => performance.now());
  let failures = 0;
  let isKnown = false;
  let slowTimes = 0;
  while (!signal.aborted) {
    reporter.controls.clear();
    if (reporter.state().isPaused) {
      reporter.report("paused");
      await reporter.controls.wait(signal);
      continue;
    }
    reporter.report("queued");
    await prepare();
    const is = slowTimes >= SLOW_TIMES ? "slow" : isKnown ? "well" : undefined;
    const taken = await acquireSlot({ slots, is, answers, signal });
    if (taken === undefined) break;
    let release: ReleaseSlot | undefined = taken.release;
    const slot: PassSlot = {
      rest: async (milliseconds, until) => {
        release?.();
        await pause(milliseconds, until);
        release = await slots.acquire(taken.isSuspect, until);
      },
    };
    const slow = alarmOf(SLOW_MS, () => release?.markSlow());
    try {
      if (reporter.state().isPaused || signal.aborted) continue;
      news.clear();
      const begun = performance.now();
      failures = (await pass(slot)) === "failed" ? failures + 1 : 0;
      isKnown = failures === 0;
      slowTimes = performance.now() - begun > SLOW_MS ? slowTimes + 1 : 0;
    } finally {
      slow();
      release?.();
    }
    if (signal.aborted) reporter.report("waiting");
    if (signal.aborted) break;
    const since = performance.now();
    for (;;) {
      const waitMs = failures > 0 ? backoffMs(failures, random) : intervalMs * (0.9 + random() / 5);
      reporter.report(failures > 0 ? "backing-off" : "waiting", new Date(Date.now() + waitMs));
      const changed = failures > 0 ? undefined : { news, settleMs };
      const came = await waitFor(waitMs, changed, reporter.controls, signal);
      const isOver = performance.now() - since + intervalMs > LONGEST_REST_MS;
      const mayRest = came === "clock" && failures === 0 && intervalMs >= SHORT_INTERVAL_MS && !isOver;
      if (!mayRest || signal.aborted || options.mayRest?.() !== true) break;
    }
  }
}

/** Returns a function that cancels it. */
function alarmOf(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
}

async function waitFor(
  waitMs: number,
  changed: { readonly news: WakeUp; readonly settleMs: () => number } | undefined,
  controls: WakeUp,
  signal: AbortSignal,
): Promise<"clock" | "other"> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const other = () => "other" as const;
  const ends: Promise<"clock" | "other">[] = [
    pause(waitMs, either).then(() => (either.aborted ? "other" : "clock")),
    controls.wait(either).then(other),
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
