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
