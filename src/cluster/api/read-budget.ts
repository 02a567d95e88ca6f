/** How much of its answers one cluster may have read in one go: bytes, objects, time. */
import type { ApiError } from "./api-answer.ts";

export interface ReadBudget {
  /** Of the longest answer that may still come. */
  readonly bytesLeft: () => number;
  readonly msLeft: () => number;
  /** Came over the line, whatever is kept of it. */
  readonly read: (bytes: number) => void;
  readonly keep: (objects: number, bytes: number) => void;
  /** Undefined while there is something left. */
  readonly spent: () => ApiError | undefined;
}

export interface ReadLimits {
  /** Over the line. */
  readonly bytes: number;
  /** Of what is kept. */
  readonly keptBytes: number;
  readonly objects: number;
  readonly ms: number;
}

const MIB = 1024 * 1024;

/**
 * Far beyond what people ask for: 5000 pools with all that Karpenter says of them are a tenth of it. Whoever fills a
 * cluster with more must cost neither the memory nor the time of the others.
 */
export const READ_LIMITS: ReadLimits = { bytes: 256 * MIB, keptBytes: 64 * MIB, objects: 30_000, ms: 60_000 };

/** A request that is cut when its time is over may be cut a moment sooner, as timers go. */
const EARLY_MS = 2;

/** Its time begins now. @param now milliseconds of a clock that only goes on */
export function readBudget(limits: ReadLimits = READ_LIMITS, now = (): number => performance.now()): ReadBudget {
  const until = now() + limits.ms;
  let bytes = 0;
  let keptBytes = 0;
  let objects = 0;
  const tooLarge = (what: string): ApiError => ({
    kind: "tooLarge",
    status: undefined,
    reason: "TooLarge",
    message: `the cluster has more than ${what}, which is more than is read of one`,
  });
  return {
    bytesLeft: () => Math.max(0, limits.bytes - bytes),
    msLeft: () => Math.max(0, until - now()),
    read: (more) => {
      bytes += more;
    },
    keep: (count, more) => {
      objects += count;
      keptBytes += more;
    },
    spent: () => {
      if (objects > limits.objects) return tooLarge(`${limits.objects} objects of the kinds that anp reads`);
      if (bytes > limits.bytes || keptBytes > limits.keptBytes)
        return tooLarge(`${(bytes > limits.bytes ? limits.bytes : limits.keptBytes) / MIB} MiB of them`);
      if (now() < until - EARLY_MS) return undefined;
      const message = `the cluster did not tell all within ${limits.ms / 1000} seconds`;
      return { kind: "tooSlow", status: undefined, reason: "TooSlow", message };
    },
  };
}
