/** The quota of one read of a cluster: bytes, objects, time. */
import type { ApiError } from "./api-answer.ts";

export interface ReadQuota {
  /** Bytes that the next answer may have. */
  readonly bytesLeft: () => number;
  readonly msLeft: () => number;
  /** Bytes that were received, including those that are not kept. */
  readonly read: (bytes: number) => void;
  readonly keep: (objects: number, bytes: number) => void;
  /** The error if the quota is exceeded. */
  readonly spent: () => ApiError | undefined;
}

export interface ReadLimits {
  /** Received. */
  readonly bytes: number;
  /** Kept in memory. */
  readonly keptBytes: number;
  readonly objects: number;
  readonly ms: number;
}

const MIB = 1024 * 1024;

/**
 * Far above real clusters: 5000 pools with their status are a tenth of it. A cluster that holds more must not take the
 * memory and the time of other clusters.
 */
export const READ_LIMITS: ReadLimits = { bytes: 256 * MIB, keptBytes: 64 * MIB, objects: 30_000, ms: 60_000 };

/** A timer may fire a moment before its time. */
const EARLY_MS = 2;

/** The time begins now. @param now milliseconds of a monotonic clock */
export function readQuota(limits: ReadLimits = READ_LIMITS, now = (): number => performance.now()): ReadQuota {
  const until = now() + limits.ms;
  let bytes = 0;
  let keptBytes = 0;
  let objects = 0;
  const tooLarge = (what: string): ApiError => ({
    kind: "tooLarge",
    status: undefined,
    reason: "TooLarge",
    message: `the cluster has more than ${what}, which is above the read limit`,
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
      const message = `the cluster did not send everything within ${limits.ms / 1000} seconds`;
      return { kind: "tooSlow", status: undefined, reason: "TooSlow", message };
    },
  };
}
