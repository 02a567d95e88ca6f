/** What a candidate does with the Lease that it sees: wait, take it or renew it. */
import type { LeaseRecord } from "./lease-record.ts";

export interface Observed {
  readonly record: LeaseRecord;
  /** The object's resourceVersion: each renewal is a new one, also by a clock that stands still. */
  readonly version: string;
  /** When it was first seen as it is, by the candidate's own clock. */
  readonly at: number;
}

/** What did not change is the same observation, however often it is read (client-go's leaderelection). */
export function observe(before: Observed | undefined, record: LeaseRecord, version: string, now: number): Observed {
  return before?.version === version ? before : { record, version, at: now };
}

/**
 * - `renew`: it is ours; `take`: no replica holds it, or its holder has not renewed it in time
 * - `wait`: another replica holds it
 */
export type LeaseTurn = "renew" | "take" | "wait";

/** Only time that has passed here counts: what the holder's clock says of itself says nothing. */
export function leaseTurn({ record, at }: Pick<Observed, "record" | "at">, me: string, now: number): LeaseTurn {
  if (record.holder === me) return "renew";
  if (record.holder === "") return "take";
  return now - at < record.durationSeconds * 1000 ? "wait" : "take";
}

/** @param time RFC 3339 with microseconds */
export function recordAfter(before: LeaseRecord | undefined, me: string, seconds: number, time: string): LeaseRecord {
  const same = before?.holder === me;
  return {
    holder: me,
    durationSeconds: seconds,
    acquireTime: same ? before.acquireTime : time,
    renewTime: time,
    transitions: before === undefined ? 0 : before.transitions + (same ? 0 : 1),
  };
}

/** The next candidate need not wait (client-go writes a second, because the API does not admit less). */
export function releasedRecord(before: LeaseRecord, time: string): LeaseRecord {
  return { ...before, holder: "", durationSeconds: 1, acquireTime: time, renewTime: time };
}
