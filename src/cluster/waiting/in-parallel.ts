/** Work on many items, in parallel or in slices. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Acts on items in order with bounded concurrency, and begins none after the signal. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    for (const item of queue) {
      if (signal?.aborted === true) return;
      await act(item);
    }
  });
  await Promise.all(workers);
}

/** Long work in slices of this length: the event loop answers probes and other requests in between. */
const SLICE_MS = 20;

/** Yields to the event loop, but only if the last yield is more than 20 ms ago. */
export function breather(): () => Promise<void> {
  let until = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < until) return;
    await nextTurn();
    until = performance.now() + SLICE_MS;
  };
}

/** Works on items in order until `work` returns a value, and returns that value. */
export async function inSlices<T, R>(list: readonly T[], work: (item: T) => R | undefined): Promise<R | undefined> {
  const breathe = breather();
  for (const item of list) {
    const result = work(item);
    if (result !== undefined) return result;
    await breathe();
  }
  return undefined;
}
