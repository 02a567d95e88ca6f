/** Does long work in slices, so that probes and other requests are answered in between. */
import { setImmediate as nextTurn } from "node:timers/promises";

const SLICE_MS = 20;

/** Waits for others to have their turn, but only where the last turn is some time ago. */
export function breather(): () => Promise<void> {
  let until = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < until) return;
    await nextTurn();
    until = performance.now() + SLICE_MS;
  };
}

/** Each in its order; ends with the first for which `work` returns something, and returns that. */
export async function inSlices<T, R>(list: readonly T[], work: (item: T) => R | undefined): Promise<R | undefined> {
  const breathe = breather();
  for (const item of list) {
    const result = work(item);
    if (result !== undefined) return result;
    await breathe();
  }
  return undefined;
}
