/** Finds the fields in which a live object differs from the desired one, and their managers. */
import { type Fields, isFields } from "../../krm/values/fields.ts";
import { type FieldPath, formatFieldPath } from "../../krm/places/field-path.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { type FieldOwners, fieldOwners } from "../objects/field-owners.ts";
import type { LiveObject } from "../api/live-object.ts";

/** Has no values, because user data is a secret. */
export interface FieldDifference {
  readonly field: string;
  /** The other manager that changed it, if managedFields show it. */
  readonly owner: string | undefined;
  /**
   * - `value`: another value, or absent
   * - `ownership`: the right value, but anp does not own the field
   * - `dropped`: anp owns it and no longer wants it
   * - `extra`: an unwanted field; applying does not remove fields of other managers
   * - `items`: a list with unwanted items
   */
  readonly how: "value" | "ownership" | "dropped" | "extra" | "items";
}

/**
 * Empty if applying would change nothing. Labels and annotations of other managers may stay. Fields of others in the
 * spec may not: on an admission policy they could turn the guard off. Defaults of the API server have no owner.
 */
export function compareLive(desired: KubeObject, live: LiveObject): FieldDifference[] {
  const owners = fieldOwners(live);
  const found: FieldDifference[] = [];
  for (const field of ["labels", "annotations"] as const)
    compareMaps(desired.metadata[field] ?? {}, live.metadata[field] ?? {}, ["metadata", field], owners, found, false);
  compareMaps(desired.spec, live.spec ?? {}, ["spec"], owners, found, true);
  return found;
}

function compareMaps(
  desired: Fields,
  live: Fields,
  path: FieldPath,
  owners: FieldOwners,
  found: FieldDifference[],
  exact: boolean,
): void {
  for (const [key, value] of Object.entries(desired)) {
    const at = [...path, key];
    if (isAbsent(value)) continue;
    const there = live[key];
    if (isFields(value) && isFields(there) && Object.keys(value).length > 0) {
      compareMaps(value, there, at, owners, found, exact);
      continue;
    }
    const same = isFields(value) ? isFields(there) : contains(value, there);
    // If no other manager owns a part of a list, applying replaces all of it.
    const shared = exact && (owners.unknown || owners.othersOf(at).length > 0);
    if (!same || !owners.isOurs(at)) found.push(changed(at, shared && hasMore(value, there), same, owners));
    if (isFields(value) && isFields(there)) compareMaps(value, there, at, owners, found, exact);
  }
  if (!exact) return;
  for (const key of Object.keys(live)) {
    const at = [...path, key];
    if (!isAbsent(desired[key]) || isAbsent(live[key]) || owners.isPartOfOurs(at)) continue;
    const [owner] = owners.othersOf(at);
    if (owner !== undefined || owners.unknown) found.push({ field: formatFieldPath(at), owner, how: "extra" });
    else if (owners.isOurs(at)) found.push({ field: formatFieldPath(at), owner: undefined, how: "dropped" });
  }
}

function changed(path: FieldPath, more: boolean, same: boolean, owners: FieldOwners): FieldDifference {
  const owner = same || owners.isOurs(path) ? undefined : owners.othersOf(path)[0];
  return { field: formatFieldPath(path), owner, how: same ? "ownership" : more ? "items" : "value" };
}

/**
 * The API server merges lists of type set or map, so applying keeps items of other managers, such as a condition that
 * excludes one more user from an admission policy.
 */
function hasMore(desired: unknown, live: unknown): boolean {
  if (!Array.isArray(desired) || !Array.isArray(live)) return false;
  return live.some((there) => !desired.some((item) => contains(item, there)));
}

/** Compares lists item by item, because items may have defaults. A manager that adds to our list takes over its ownership. */
function contains(desired: unknown, live: unknown): boolean {
  if (Array.isArray(desired)) {
    if (!Array.isArray(live) || live.length !== desired.length) return false;
    return desired.every((item, index) => contains(item, live[index]));
  }
  if (isFields(desired)) {
    if (!isFields(live)) return false;
    return Object.entries(desired).every(([key, value]) => isAbsent(value) || contains(value, live[key]));
  }
  return typeof desired === "bigint" ? String(desired) === String(live) : Object.is(desired, live);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
