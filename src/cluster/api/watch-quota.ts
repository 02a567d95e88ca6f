/** The quota of all watches of one cluster together: known objects, and bytes in a period. */
import type { ApiError } from "./api-answer.ts";
import { READ_LIMITS, type ReadLimits } from "./read-quota.ts";

export interface WatchQuota {
  /** Bytes that were received. */
  readonly heard: (bytes: number) => void;
  /** Adds to the number of objects that the watches know. */
  readonly knows: (more: number) => void;
  /** The error if the quota is exceeded. */
  readonly spent: () => ApiError | undefined;
}

/** In this period the watches may send as much as one pass may read. */
const WHILE_MS = 10 * 60_000;

const MIB = 1024 * 1024;

/** @param now milliseconds of a monotonic clock */
export function watchQuota(
  limits: Pick<ReadLimits, "bytes" | "objects"> = READ_LIMITS,
  now = (): number => performance.now(),
): WatchQuota {
  let bytes = 0;
  let objects = 0;
  let last = now();
  const tooLarge = (what: string): ApiError => ({
    kind: "tooLarge",
    status: undefined,
    reason: "TooLarge",
    message: `the watches of the cluster send more than ${what}, which is above the watch limit`,
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
