/** Acquires the slot of a pass: a slot of healthy clusters, or of those that do not answer. */
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { pause } from "../waiting/pause.ts";
import { type ReleaseSlot, semaphore, type Semaphore } from "../waiting/semaphore.ts";

interface TakeOptions {
  readonly slots: Semaphore;
  /** `slow`: its last passes were; `well`: its servers answer; undefined if neither is known. */
  readonly is: "slow" | "well" | undefined;
  readonly answers: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

export interface AcquiredSlot {
  readonly release: ReleaseSlot;
  readonly isSuspect: boolean;
}

/** While a cluster waits among those that do not answer, it is probed again, with backoff. */
const ASK_AGAIN_MS = 3000;
const LONGEST_MS = 30_000;

/**
 * A cluster that failed to answer in a busy moment only would wait for minutes behind clusters that hang. So it leaves
 * their queue as soon as it answers.
 *
 * @returns undefined if the signal comes first
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

/** A healthy server returns its version sooner. */
const WITHIN_MS = 5000;

/** Connections at once: each is closed or answered within seconds. */
const AT_ONCE = 256;

type ProbedCluster = Pick<WatchedCluster, "guest" | "management">;

/** For all hosted clusters. False if one of the two servers does not answer within seconds, or after the signal. */
export function reachabilityProbe(signal: AbortSignal): (cluster: ProbedCluster) => Promise<boolean> {
  const slots = semaphore(AT_ONCE);
  return async ({ guest, management }) => {
    const release = await slots.acquire(false, signal);
    if (release === undefined) return false;
    try {
      const answers = await Promise.all([guest.answers(WITHIN_MS), management?.answers(WITHIN_MS)]);
      return !answers.includes(false);
    } finally {
      release();
    }
  };
}
