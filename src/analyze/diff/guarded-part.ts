/** The two parts of a guarded NodePool's requirements: those of the guard and the pool's own. */
import { isFields } from "../../krm/values/fields.ts";
import { type FieldPath, startsWithPath, valueAt } from "../../krm/places/field-path.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { splitAtPolicyEnd } from "../../model/requirements/policy-end.ts";

/** `guard`: entries of the policy that a guard has added, with its mark. `pool`: entries of the author. */
export type GuardedPart = "guard" | "pool";

const REQUIREMENTS: FieldPath = ["spec", "template", "spec", "requirements"];

const partsOf = memoizeByObject((list: readonly unknown[]) =>
  splitAtPolicyEnd(list.map((item): { readonly key?: unknown } => (isFields(item) ? item : {}))),
);

export function partAt(list: readonly unknown[], index: number): GuardedPart {
  const { front } = partsOf(list);
  return front !== undefined && index <= front.length ? "guard" : "pool";
}

export function isGuarded(pool: unknown): boolean {
  const list = valueAt(pool, REQUIREMENTS);
  return Array.isArray(list) && partsOf(list).front !== undefined;
}

/** Undefined if the path is not within a single entry. */
export function partOfField(pool: unknown, path: FieldPath): GuardedPart | undefined {
  if (!startsWithPath(path, REQUIREMENTS)) return undefined;
  const list = valueAt(pool, REQUIREMENTS);
  const index = path[REQUIREMENTS.length];
  return Array.isArray(list) && typeof index === "number" ? partAt(list, index) : undefined;
}
