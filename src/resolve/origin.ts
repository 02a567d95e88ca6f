/** Tracks which input field, file and line each field of a rendered object came from. */
import { type FieldPath, movedPath } from "../krm/places/field-path.ts";
import type { Resource } from "../krm/places/resource.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import { memoizeByObject } from "../model/schema/memoize.ts";

/** A place in the input. */
export interface Place {
  readonly resource: Resource;
  readonly path: FieldPath;
}

/** Everything at and below `output` came from the same place below `input`. */
export interface Origin {
  readonly output: FieldPath;
  /** Undefined if anp sets the field itself. */
  readonly input: Place | undefined;
  /** The input is one value that became all of `output`: fields below have no place of their own. */
  readonly whole?: true;
}

export interface RenderedObject {
  readonly object: KubeObject;
  /** The wrapper that it was rendered from; undefined for the admission policies. */
  readonly wrapper: Resource | undefined;
  readonly origins: readonly Origin[];
}

/** Where the field at `path` of a rendered object came from; undefined if anp sets it itself. */
export function originOf({ origins }: RenderedObject, path: FieldPath): Place | undefined {
  return originIn(origins, path);
}

/** As `originOf`, for a part of an object. */
export function originIn(origins: readonly Origin[], path: FieldPath): Place | undefined {
  const known = byOutput(origins);
  let best: Origin | undefined;
  for (let length = path.length; best === undefined && length >= 0; length--)
    best = known.get(JSON.stringify(path.slice(0, length)));
  if (best?.input === undefined) return undefined;
  const { resource, path: start } = best.input;
  return { resource, path: best.whole ? start : movedPath(path, best.output, start) };
}

/** The last origin of an output counts. Indexed, because a node class can have thousands of tags. */
const byOutput = memoizeByObject(
  (origins: readonly Origin[]) => new Map(origins.map((origin) => [JSON.stringify(origin.output), origin])),
);

/** A value with the place it came from. */
export interface Sourced<T> {
  readonly value: T;
  readonly from: Place;
}
