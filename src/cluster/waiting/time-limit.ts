/** An AbortSignal with a timeout, which another signal may abort earlier. */

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
