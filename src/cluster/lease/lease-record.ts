/** Who leads, as a Lease says it: the object in, a record out, and back. */
import { valueAt } from "../../krm/field-path.ts";
import type { LiveObject } from "../api/live-object.ts";
import { LEASES } from "../api/served-kind.ts";

export interface LeaseRecord {
  /** Empty when there is no leader. */
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

/** An undefined one is taken away. */
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

/** What others wrote beside the record stays. */
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
