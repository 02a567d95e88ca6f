/** A place for a pass: among those who are well, or among suspects while no server answers. */
import { pause } from "../waiting/pause.ts";
import type { ReleaseSlot, Semaphore } from "../waiting/semaphore.ts";

interface TakeOptions {
  readonly slots: Semaphore;
  /** It was slow, or is known to answer; undefined if that is unknown. */
  readonly is: "slow" | "well" | undefined;
  readonly answers: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

export interface AcquiredSlot {
  readonly release: ReleaseSlot;
  readonly isSuspect: boolean;
}

/** While it waits among suspects it is asked again: first after so long, and then twice as long each time. */
const ASK_AGAIN_MS = 3000;
const LONGEST_MS = 30_000;

/**
 * Behind those that hang, who only failed to answer in a busy moment would wait for minutes: it leaves them as soon as
 * it answers.
 *
 * @returns undefined with the signal
 */
export async function acquireSlot({ slots, is, answers, signal }: TakeOptions): Promise<AcquiredSlot | undefined> {
  const isWell = is === "well" || (is === undefined && (await answers()));
  if (isWell) return taken(await slots.acquire(false, signal), false);
  if (is === "slow") return taken(await slots.acquire(true, signal), true);
  const over = new AbortController();
  const waiting = AbortSignal.any([signal, over.signal]);
  const among = slots.acquire(true, waiting);
  void untilItAnswers(answers, waiting).then(() => over.abort());
  const release = await among;
  if (release !== undefined) {
    over.abort();
    return { release, isSuspect: true };
  }
  return taken(await slots.acquire(false, signal), false);
}

function taken(release: ReleaseSlot | undefined, isSuspect: boolean): AcquiredSlot | undefined {
  return release && { release, isSuspect };
}

async function untilItAnswers(answers: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let wait = ASK_AGAIN_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_MS)) {
    await pause(wait, signal);
    if (signal.aborted || (await answers())) return;
  }
}
