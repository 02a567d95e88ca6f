/** Something that many may ring and one waits for: what rang before the wait counts as well. */

export interface Bell {
  readonly ring: () => void;
  /** Whoever goes to look needs no earlier ringing any more. */
  readonly hush: () => void;
  /** Ends when it has rung since it was hushed, or with the signal. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
}

export function bell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    hush: () => {
      rung = false;
    },
    wait: async (signal) => {
      if (rung || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const end = () => {
          signal.removeEventListener("abort", end);
          if (wake === end) wake = undefined;
          resolve();
        };
        wake = end;
        signal.addEventListener("abort", end);
      });
    },
  };
}
