/** Whether an object is being deleted, and which finalizers keep it. */
import { valueAt } from "../krm/field-path.ts";

const SHOWN = 5;
const LONGEST = 100;

export function isBeingDeleted(object: unknown): boolean {
  return valueAt(object, ["metadata", "deletionTimestamp"]) !== undefined;
}

/** Undefined if it is not being deleted. The object's author chooses its finalizers, and how many. */
export function deletionWords(object: unknown): string | undefined {
  if (!isBeingDeleted(object)) return undefined;
  const given = valueAt(object, ["metadata", "finalizers"]);
  const finalizers = Array.isArray(given) ? given.map(String) : [];
  const names = finalizers
    .slice(0, SHOWN)
    .map((name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name));
  const more = finalizers.length > SHOWN ? ` and ${finalizers.length - SHOWN} more` : "";
  const held =
    names.length === 0
      ? ""
      : `, and kept by ${finalizers.length === 1 ? "its finalizer" : "its finalizers"} ${names.join(", ")}${more}`;
  return `it is being deleted since ${String(valueAt(object, ["metadata", "deletionTimestamp"]))}${held}`;
}
