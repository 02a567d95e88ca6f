/** A table of values for one field, each with the verdict that the references ask for; and the objects that hold them. */
import type { KubernetesObject } from "../../controlplane/kubernetes-object.ts";
import type { Profile } from "../../../../src/model/crds/profile.ts";

export type Verdict = "accepted" | "refused";

export const ok: Verdict = "accepted";
export const no: Verdict = "refused";

/** A list of profiles: those that accept the value. The value undefined leaves the field out. */
export type Row = readonly [what: string, verdict: Verdict | readonly Profile[], value: unknown];

export interface Table {
  /** The path of the value in an otherwise minimal object: `spec.weight`, `list.0.field`. */
  readonly field: string;
  readonly rows: readonly Row[];
}

/** One object that is broken in a single place, or a neighbour of it that is not. */
export interface Case {
  readonly what: string;
  readonly object: KubernetesObject;
  readonly expected: Verdict;
}

export function table(field: string, rows: readonly Row[]): Table {
  return { field, rows };
}

/** The same rows for a nested value, such as the only entry of a list. */
export function inside({ field, rows }: Table, outer: string, wrap: (value: unknown) => unknown): Table {
  return { field: outer, rows: rows.map(([what, verdict, value]) => [`${field}: ${what}`, verdict, wrap(value)]) };
}

export function casesOf(base: KubernetesObject, { field, rows }: Table, profile: Profile): Case[] {
  const path = field.split(".");
  return rows.map(([what, verdict, value], index) => ({
    what: `${field}: ${what}`,
    object: named(withValue(base, path, value) as KubernetesObject, path, index),
    expected: typeof verdict === "string" ? verdict : verdict.includes(profile) ? ok : no,
  }));
}

/** Copies only objects on the path, because the value may be raw JSON, which is not a plain object. */
function withValue(object: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  if (Array.isArray(object)) return object.map((item, index) => (String(index) === key ? next(item) : item));
  const copy: Record<string, unknown> = { ...(object as object) };
  const inner = next(copy[key]);
  if (inner === undefined) delete copy[key];
  else copy[key] = inner;
  return copy;

  function next(item: unknown): unknown {
    return rest.length === 0 ? value : withValue(item, rest, value);
  }
}

function named(object: KubernetesObject, [top]: readonly string[], index: number): KubernetesObject {
  // A table about metadata chooses the name itself.
  return top === "metadata" ? object : { ...object, metadata: { ...object.metadata, name: `case-${index}` } };
}

/** A number in the JSON text as it is written here: `10.0`, or more digits than JavaScript keeps. */
export function rawNumber(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

/** `count` values made of their index. */
export function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
