/** Which part of a guarded NodePool's requirements a field is of. */
import { isFields } from "../../karpenter/conversion/plain-fields.ts";
import { type FieldPath, startsWithPath, valueAt } from "../../krm/field-path.ts";
import { oncePerObject } from "../../model/once.ts";
import { splitAtPolicyEnd } from "../../model/policy-end.ts";

/** `guard`: the policy's, which a guard has put there, its mark included; `pool`: its author's own. */
export type GuardedPart = "guard" | "pool";

const REQUIREMENTS: FieldPath = ["spec", "template", "spec", "requirements"];

const partsOf = oncePerObject((list: readonly unknown[]) =>
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

/** Undefined for what is of no single entry. */
export function partOfField(pool: unknown, path: FieldPath): GuardedPart | undefined {
  if (!startsWithPath(path, REQUIREMENTS)) return undefined;
  const list = valueAt(pool, REQUIREMENTS);
  const index = path[REQUIREMENTS.length];
  return Array.isArray(list) && typeof index === "number" ? partAt(list, index) : undefined;
}
