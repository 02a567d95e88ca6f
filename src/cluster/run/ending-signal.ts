/** SIGTERM and SIGINT as an AbortSignal: the first lets the object in hand be finished, the second ends the process at once. */

/** As a shell reports a process that a signal ended. */
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;

export function endingSignal(): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const handlers = (["SIGTERM", "SIGINT"] as const).map((signal) => {
    const handler = (): void => {
      if (controller.signal.aborted) process.exit(EXIT_CODES[signal]);
      controller.abort();
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return {
    signal: controller.signal,
    release: () => {
      for (const remove of handlers) remove();
    },
  };
}
