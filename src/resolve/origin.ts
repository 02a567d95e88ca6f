/** Which input field, file and line each field of a rendered object came from. */
import { type FieldPath, movedPath, startsWithPath } from "../krm/field-path.ts";
import type { Resource } from "../krm/resource.ts";
import type { KubeObject } from "../model/kube-object.ts";

/** A place in the input. */
export interface Place {
  readonly resource: Resource;
  readonly path: FieldPath;
}

/** Everything at and below `output` came from the same place below `input`. */
export interface Origin {
  readonly output: FieldPath;
  /** Undefined: anp itself decides what stands there. */
  readonly input: Place | undefined;
  /** The input is one value that became all of `output`: what lies below has no place of its own. */
  readonly whole?: true;
}

export interface RenderedObject {
  readonly object: KubeObject;
  /** What it was rendered from; undefined for the admission policies. */
  readonly wrapper: Resource | undefined;
  readonly origins: readonly Origin[];
}

/** Where the field at `path` of a rendered object came from; undefined for what anp itself decides. */
export function originOf({ origins }: RenderedObject, path: FieldPath): Place | undefined {
  return originIn(origins, path);
}

/** The same of a part that is not yet an object. */
export function originIn(origins: readonly Origin[], path: FieldPath): Place | undefined {
  let best: Origin | undefined;
  for (const origin of origins) {
    if (startsWithPath(path, origin.output) && (best === undefined || origin.output.length >= best.output.length))
      best = origin;
  }
  if (best?.input === undefined) return undefined;
  const { resource, path: start } = best.input;
  return { resource, path: best.whole ? start : movedPath(path, best.output, start) };
}

/** A value with the place it came from. */
export interface Sourced<T> {
  readonly value: T;
  readonly from: Place;
}
