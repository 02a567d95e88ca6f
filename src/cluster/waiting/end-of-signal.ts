/** A signal in, a wait for it out. */

/** At once where it has come already. */
export async function endOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
