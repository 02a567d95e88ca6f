/** How much the watches of one cluster may tell together: objects known, bytes in a while. */
import type { ApiError } from "./api-answer.ts";
import { READ_LIMITS, type ReadLimits } from "./read-budget.ts";

export interface HeardBudget {
  /** Came over the line. */
  readonly heard: (bytes: number) => void;
  /** So many more, or fewer, are known by the watches. */
  readonly knows: (more: number) => void;
  /** Undefined while there is something left. */
  readonly spent: () => ApiError | undefined;
}

/** Watches never end: in so long a time they may tell as much as one pass may read. */
const WHILE_MS = 10 * 60_000;

const MIB = 1024 * 1024;

/** @param now milliseconds of a clock that only goes on */
export function heardBudget(
  limits: Pick<ReadLimits, "bytes" | "objects"> = READ_LIMITS,
  now = (): number => performance.now(),
): HeardBudget {
  let bytes = 0;
  let objects = 0;
  let last = now();
  const tooLarge = (what: string): ApiError => ({
    kind: "tooLarge",
    status: undefined,
    reason: "TooLarge",
    message: `the watches of the cluster tell of more than ${what}, which is more than is heard of one`,
  });
  return {
    heard: (more) => {
      const time = now();
      bytes = Math.max(0, bytes - ((time - last) / WHILE_MS) * limits.bytes) + more;
      last = time;
    },
    knows: (more) => {
      objects += more;
    },
    spent: () => {
      if (objects > limits.objects) return tooLarge(`${limits.objects} objects`);
      if (bytes > limits.bytes) return tooLarge(`${limits.bytes / MIB} MiB in ${WHILE_MS / 60_000} minutes`);
      return undefined;
    },
  };
}
