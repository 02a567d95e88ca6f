/** Waits and time limits that an AbortSignal ends early, and SIGTERM as such a signal. */

/** setTimeout fires at once if it is set for longer. */
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

/** Ends with the signal, or with `other` if that is earlier. The signal keeps no listener. */
export async function untilAborted(signal: AbortSignal, other?: Promise<unknown>): Promise<void> {
  if (signal.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  signal.addEventListener("abort", end);
  try {
    await (other === undefined ? aborted : Promise.race([aborted, other]));
  } finally {
    signal.removeEventListener("abort", end);
  }
}

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether the time is over; false if the other signal came first. */
  readonly isLate: () => boolean;
  readonly release: () => void;
}

/** Call `release` at the end: it clears the timer and removes the listener from the other signal. */
export function timeLimit(milliseconds: number, until?: AbortSignal): TimeLimit {
  const controller = new AbortController();
  let late = false;
  const end = (): void => controller.abort();
  const timer = setTimeout(() => {
    late = true;
    end();
  }, milliseconds);
  if (until?.aborted === true) end();
  until?.addEventListener("abort", end);
  return {
    signal: controller.signal,
    isLate: () => late,
    release: () => {
      clearTimeout(timer);
      until?.removeEventListener("abort", end);
    },
  };
}

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
