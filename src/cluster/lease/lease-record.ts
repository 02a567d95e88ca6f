/** Who leads, as a Lease says it: the object in, a record out, and back. */
import { valueAt } from "../../krm/field-path.ts";
import type { LiveObject } from "../api/live-object.ts";
import { LEASES } from "../api/served-kind.ts";

export interface LeaseRecord {
  /** Empty when nobody leads. */
  readonly holder: string;
  readonly durationSeconds: number;
  /** RFC 3339 with microseconds; they are for people: clocks of machines differ, and nothing is decided by them. */
  readonly acquireTime: string | undefined;
  readonly renewTime: string | undefined;
  readonly transitions: number;
}

export interface LeaseName {
  readonly namespace: string;
  readonly name: string;
  /** Of one that is made. */
  readonly labels?: Readonly<Record<string, string>>;
}

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

/** What others wrote beside the record stays. */
export function withRecord(lease: LiveObject, record: LeaseRecord): LiveObject {
  return { ...lease, spec: { ...lease.spec, ...specOf(record) } };
}

export function newLease({ namespace, name, labels }: LeaseName, record: LeaseRecord): object {
  const { apiVersion, kind } = LEASES;
  const marked = labels === undefined ? {} : { labels };
  return { apiVersion, kind, metadata: { namespace, name, ...marked }, spec: specOf(record) };
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
