/** SIGTERM and SIGINT as an AbortSignal. */

export interface ShutdownSignal {
  readonly signal: AbortSignal;
  /** Aborts the signal, as the first SIGTERM does. */
  readonly end: () => void;
  readonly release: () => void;
}

/** A shell reports these codes for a process that a signal ended: 128 and the number of the signal. */
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;

/** The first signal aborts, so that the write in progress can finish. The second one ends the process at once. */
export function shutdownSignal(): ShutdownSignal {
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
    end: () => controller.abort(),
    release: () => {
      for (const remove of handlers) remove();
    },
  };
}
