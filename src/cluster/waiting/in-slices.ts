/** Does long work in slices, so that probes and other requests are answered in between. */
import { setImmediate as nextTurn } from "node:timers/promises";

const SLICE_MS = 20;

/** Each in its order; ends with the first for which `work` returns something, and returns that. */
export async function inSlices<T, R>(list: readonly T[], work: (item: T) => R | undefined): Promise<R | undefined> {
  let until = performance.now() + SLICE_MS;
  for (const item of list) {
    const result = work(item);
    if (result !== undefined) return result;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + SLICE_MS;
  }
  return undefined;
}
