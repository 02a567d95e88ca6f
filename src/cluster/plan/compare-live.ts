/** The fields in which a live object differs from the wanted one, and who changed each. */
import { type Fields, isFields } from "../../krm/fields.ts";
import { type FieldPath, formatFieldPath } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { type FieldOwners, fieldOwners } from "../objects/field-owners.ts";
import type { LiveObject } from "../api/live-object.ts";

/** Never with a value: user data is a secret. */
export interface FieldDifference {
  readonly field: string;
  /** The other manager whose doing it is, where it can be told. */
  readonly owner: string | undefined;
  /**
   * - `value`: not what it should be, or not there
   * - `ownership`: right, and not recorded as ours
   * - `dropped`: ours, and no longer wanted
   * - `extra`: stands there and should not; applying alone does not remove what others own
   * - `items`: a list with such items among its own
   */
  readonly how: "value" | "ownership" | "dropped" | "extra" | "items";
}

/**
 * Nothing where applying would change nothing. Labels and annotations of others are theirs; in the spec nothing of
 * others may stay: on an admission policy it could lift the guard. Defaults of the API server have no owner.
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
    // Of a list that nobody else owns a part of, applying leaves nothing behind.
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
 * Lists that are sets or maps to the API server keep the items of others when they are applied, such as a condition
 * that lets one more user through an admission policy.
 */
function hasMore(desired: unknown, live: unknown): boolean {
  if (!Array.isArray(desired) || !Array.isArray(live)) return false;
  return live.some((there) => !desired.some((item) => contains(item, there)));
}

/** Lists item by item; an item may have defaults that nobody wrote. Whoever adds to a list of ours takes its ownership. */
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
