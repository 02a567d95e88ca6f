/** Milliseconds and a signal in, a wait out that ends with either. */

/** A timer that is set for longer ends at once. */
const LONGEST_MS = 2 ** 31 - 1;

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, LONGEST_MS));
    signal.addEventListener("abort", end);
  });
}
