/** A value that an API server tells, as an object of its kind. */
import type { LiveObject } from "./live-object.ts";
import type { Collection } from "./served-kind.ts";

/** The items of a list do not say what they are. */
export function objectOf(value: Readonly<Record<string, unknown>>, { apiVersion, kind }: Collection): LiveObject {
  return { ...value, apiVersion, kind } as unknown as LiveObject;
}
