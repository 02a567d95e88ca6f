/** The quotas of one read of a cluster, and of all its watches: bytes, objects, time. */
import { type ApiError, localError } from "./api-answer.ts";

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

const MIB = 1024 * 1024;

/**
 * `bytes` are received, `keptBytes` kept in memory. Far above real clusters: 5000 pools with their status are a tenth of
 * it. A cluster that holds more must not take the memory and the time of other clusters.
 */
const READ_LIMITS = { bytes: 256 * MIB, keptBytes: 64 * MIB, objects: 30_000, ms: 60_000 };

export type ReadLimits = Readonly<typeof READ_LIMITS>;

/** A timer may fire a moment before its time. */
const EARLY_MS = 2;

/** The time begins now. @param now milliseconds of a monotonic clock */
export function readQuota(limits: ReadLimits = READ_LIMITS, now = (): number => performance.now()): ReadQuota {
  const until = now() + limits.ms;
  let bytes = 0;
  let keptBytes = 0;
  let objects = 0;
  const tooLarge = (what: string): ApiError =>
    localError("tooLarge", `the cluster has more than ${what}, which is above the read limit`);
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
      return localError("tooSlow", `the cluster did not send everything within ${limits.ms / 1000} seconds`);
    },
  };
}

/** The quota of all watches of one cluster together. */
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

/** @param now milliseconds of a monotonic clock */
export function watchQuota(
  limits: Pick<ReadLimits, "bytes" | "objects"> = READ_LIMITS,
  now = (): number => performance.now(),
): WatchQuota {
  let bytes = 0;
  let objects = 0;
  let last = now();
  const tooLarge = (what: string): ApiError =>
    localError("tooLarge", `the watches of the cluster send more than ${what}, which is above the watch limit`);
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
