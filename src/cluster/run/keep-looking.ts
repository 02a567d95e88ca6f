/** Looks at clusters again and again: each in its time, who was not looked at for longest first. */

const TICK_MS = 1000;

/** Never at more than so many at once. Out comes what ends it. */
export function keepLooking<T extends { readonly name: string }>(
  present: () => readonly T[],
  look: (cluster: T) => Promise<void>,
  { intervalMs, concurrency }: { readonly intervalMs: number; readonly concurrency: number },
): () => void {
  const due = new Map<string, number>();
  const running = new Set<string>();
  const dueOf = ({ name }: T) => due.get(name) ?? 0;
  const timer = setInterval(() => {
    for (const cluster of present().toSorted((a, b) => dueOf(a) - dueOf(b))) {
      const { name } = cluster;
      if (running.size >= concurrency || dueOf(cluster) > performance.now()) return;
      if (running.has(name)) continue;
      running.add(name);
      void look(cluster).finally(() => {
        running.delete(name);
        due.set(name, performance.now() + intervalMs);
      });
    }
  }, TICK_MS);
  return () => clearInterval(timer);
}
