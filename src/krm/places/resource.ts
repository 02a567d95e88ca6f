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
