/** How many workers there are, and how much memory each may have, where nobody says it. */

/** More would not help: what they wait for are API servers. */
const MOST_WORKERS = 4;

/** The main thread, and what no worker's limit counts: code, buffers. */
const MAIN_MIB = 256;
const LEAST_MIB = 128;
const MOST_MIB = 1024;

export function workersOf(processors: number): number {
  return Math.min(Math.max(1, processors), MOST_WORKERS);
}

/**
 * All of them, and one more for clusters under suspicion, fit into what there is: a worker that takes too much is to end
 * by itself, before the kernel ends the process.
 *
 * @param totalMiB of the container, or else of the machine
 */
export function memoryOf(totalMiB: number, workers: number): number {
  const share = Math.floor((totalMiB - MAIN_MIB) / (workers + 1));
  return Math.min(Math.max(share, LEAST_MIB), MOST_MIB);
}
