/** A Kubernetes object as read, with the places of its fields. */
import type { FieldPath } from "./field-path.ts";
import type { Outline } from "../yaml/outline.ts";
import type { Source } from "./source.ts";

/** The YAML document of an object: a slice of its source's text. */
export interface SourceDocument {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
  /** Holds a secret, so no line of it may ever be shown. */
  readonly secret: boolean;
  /** Set by the reader that recorded one. */
  readonly outline?: Outline | undefined;
}

/** A value of an object that a placeholder stands for, such as `${ZONE}`. */
export interface UnknownValue {
  /** The part that `value` lacks because of it, as written: an entry of a list, or a field. */
  readonly path: FieldPath;
  readonly placeholder: string;
}

export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  /** The whole object as plain data. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly document: SourceDocument;
  /** The object's path in its document: `["items", 3]` in a List, `[]` otherwise. */
  readonly base: FieldPath;
  /** The folder that decides which hosted cluster governs it. */
  readonly folder: string;
  /** Set if it is a part of another object: `ConfigMap pools`. */
  readonly inside?: string;
  /** Set if the object has placeholders: `value` is without the parts that they decide. */
  readonly unknown?: readonly UnknownValue[] | undefined;
  /** With `unknown`: the whole object, with the placeholders as text. */
  readonly written?: Readonly<Record<string, unknown>>;
  /** Values that options gave for placeholders of the input: answers show the placeholders. */
  readonly filled?: Filled | undefined;
}

/** What is written in place of each value. */
export type Filled = ReadonlyMap<string, string>;

/** The path in the object as written of a path in `value`, whose lists may lack unknown entries. */
export function writtenPath({ unknown = [] }: Pick<Resource, "unknown">, path: FieldPath): FieldPath {
  if (unknown.length === 0) return path;
  const written: (string | number)[] = [];
  for (const segment of path) {
    if (typeof segment !== "number") written.push(segment);
    else
      written.push(unknown.reduce((index, { path: left }) => index + Number(isBefore(left, written, index)), segment));
  }
  return written;
}

/** Whether the path is that of an entry of the list, at or before the index. */
function isBefore(path: FieldPath, list: FieldPath, index: number): boolean {
  const last = path.at(-1);
  if (typeof last !== "number" || last > index || path.length !== list.length + 1) return false;
  return list.every((segment, at) => path[at] === segment);
}

/** The API group of an `apiVersion`; the core group is `""`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash === -1 ? "" : apiVersion.slice(0, slash);
}

/** How messages name an object: `OpenshiftNodePool web`. */
export function describeResource(resource: { kind: string; name: string }): string {
  return resource.name === "" ? resource.kind : `${resource.kind} ${resource.name}`;
}
