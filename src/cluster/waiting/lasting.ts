/** Whether what was begun has lasted for long enough to be well. */

/** A server that ends each watch after a moment is asked ever more seldom: what it says in that moment counts for nothing. */
const LASTED_MS = 10_000;

/** Begins now. */
export function lasting(): () => boolean {
  const begun = performance.now();
  return () => performance.now() - begun >= LASTED_MS;
}
