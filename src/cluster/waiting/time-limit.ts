/** One signal for a time limit and for another signal that may come first. */

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** The time is over; false where the other signal came first. */
  readonly isLate: () => boolean;
  readonly release: () => void;
}

/** Releasing it leaves nothing behind at the other signal. */
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
