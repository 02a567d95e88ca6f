/** The election record in a Lease, and what a candidate does with it. */
import { valueAt } from "../../krm/places/field-path.ts";
import type { LiveObject } from "../api/live-object.ts";
import { LEASES } from "../api/served-kind.ts";

export interface LeaseRecord {
  /** Empty if there is no leader. */
  readonly holder: string;
  readonly durationSeconds: number;
  /** RFC 3339 with microseconds, for users only: clocks of machines differ. */
  readonly acquireTime: string | undefined;
  readonly renewTime: string | undefined;
  readonly transitions: number;
}

export interface LeaseName {
  readonly namespace: string;
  readonly name: string;
  /** For a Lease that is created. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Undefined removes an annotation. */
export type Annotations = Readonly<Record<string, string | undefined>>;

export function recordOf(lease: LiveObject): LeaseRecord {
  const text = (field: string): string | undefined => {
    const value = valueAt(lease.spec, [field]);
    return typeof value === "string" ? value : undefined;
  };
  const number = (field: string): number => Number(valueAt(lease.spec, [field]) ?? 0);
  return {
    holder: text("holderIdentity") ?? "",
    durationSeconds: number("leaseDurationSeconds"),
    acquireTime: text("acquireTime"),
    renewTime: text("renewTime"),
    transitions: number("leaseTransitions"),
  };
}

/** Keeps other fields. */
export function withRecord(lease: LiveObject, record: LeaseRecord, annotations: Annotations = {}): LiveObject {
  const all = present({ ...lease.metadata.annotations, ...annotations });
  return { ...lease, metadata: { ...lease.metadata, annotations: all }, spec: { ...lease.spec, ...specOf(record) } };
}

export function newLease({ namespace, name, labels }: LeaseName, record: LeaseRecord, annotations: Annotations = {}) {
  const { apiVersion, kind } = LEASES;
  const marked = labels === undefined ? {} : { labels };
  const metadata = { namespace, name, ...marked, annotations: present(annotations) };
  return { apiVersion, kind, metadata, spec: specOf(record) };
}

function present(annotations: Annotations): Readonly<Record<string, string>> {
  const there = Object.entries(annotations).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(there);
}

function specOf({ holder, durationSeconds, acquireTime, renewTime, transitions }: LeaseRecord) {
  return {
    holderIdentity: holder,
    leaseDurationSeconds: durationSeconds,
    acquireTime,
    renewTime,
    leaseTransitions: transitions,
  };
}

export interface Observed {
  readonly record: LeaseRecord;
  /** The object's resourceVersion, which each renewal changes. */
  readonly version: string;
  /** When this version was first seen, by the candidate's own clock. */
  readonly at: number;
}

/** A Lease that did not change keeps its time of observation (client-go's leaderelection). */
export function observe(before: Observed | undefined, record: LeaseRecord, version: string, now: number): Observed {
  return before?.version === version ? before : { record, version, at: now };
}

/**
 * - `renew`: this candidate holds it; `take`: no replica holds it, or its holder has not renewed it in time
 * - `wait`: another replica holds it
 */
export type LeaseTurn = "renew" | "take" | "wait";

/** Only the candidate's own clock counts, as the clock of the holder may differ. */
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

/** The next candidate need not wait (client-go writes one second, because the API admits no less). */
export function releasedRecord(before: LeaseRecord, time: string): LeaseRecord {
  return { ...before, holder: "", durationSeconds: 1, acquireTime: time, renewTime: time };
}
