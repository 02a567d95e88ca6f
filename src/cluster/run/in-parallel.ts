/** Items and an asynchronous act in, all done out: never more than so many at once, begun in order. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    for (const item of queue) await act(item);
  });
  await Promise.all(workers);
}
