/** SIGTERM and SIGINT as an AbortSignal. */

export interface Ending {
  readonly signal: AbortSignal;
  /** As the first signal does. */
  readonly end: () => void;
  readonly release: () => void;
}

/** As a shell reports a process that a signal ended. */
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;

/** The first signal lets the object in hand be finished, the second ends the process at once. */
export function endingSignal(): Ending {
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
