/** Something that many may raise and one waits for; what was raised before the wait counts too. */

export interface PendingSignal {
  readonly raise: () => void;
  /** Whoever goes to look needs no earlier news any more. */
  readonly clear: () => void;
  /** Ends when it has been raised since it was cleared, or with the signal. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
}

export function pendingSignal(): PendingSignal {
  let raised = false;
  let wake: (() => void) | undefined;
  return {
    raise: () => {
      raised = true;
      wake?.();
    },
    clear: () => {
      raised = false;
    },
    wait: async (signal) => {
      if (raised || signal.aborted) return;
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
