/** Whether the servers of a hosted cluster answer at all, asked before it takes a place. */
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { semaphore } from "../waiting/semaphore.ts";

/** Who takes longer for a version number is no healthy server. */
const WITHIN_MS = 5000;

/** Connections at once: each is closed or answered within seconds. */
const AT_ONCE = 256;

type Knocked = Pick<WatchedCluster, "guest" | "management">;

/** For all hosted clusters together. False where one of the two servers does not answer in seconds, or with the signal. */
export function reachabilityProbe(signal: AbortSignal): (cluster: Knocked) => Promise<boolean> {
  const places = semaphore(AT_ONCE);
  return async ({ guest, management }) => {
    const release = await places.acquire(false, signal);
    if (release === undefined) return false;
    try {
      const answers = await Promise.all([guest.answers(WITHIN_MS), management?.answers(WITHIN_MS)]);
      return !answers.includes(false);
    } finally {
      release();
    }
  };
}
