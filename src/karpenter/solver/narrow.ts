/** Adds requirements to those of a node, once for all nodes that have the same. */
import { memoizeByPair } from "../../model/schema/memoize.ts";
import { identityOf } from "../catalogue/type-filter.ts";
import { intersection, type Requirement } from "../requirements/requirement.ts";
import { compatible, type Requirements } from "../requirements/requirements.ts";

type Narrowed =
  | { readonly requirements: Requirements }
  /** Karpenter's error. */
  | { readonly conflict: () => string };

export type Narrow = (base: Requirements, more: Requirements) => Narrowed;

/**
 * `Compatible`, then `Add` (pkg/scheduling/requirements.go). If nothing changes, the result is the same object.
 *
 * @param allowUndefined keys that `more` may have although `base` lacks them
 */
export function narrowing(allowUndefined: ReadonlySet<string>): Narrow {
  return memoizeByPair((base: Requirements, more: Requirements): Narrowed => {
    if (more.size === 0) return { requirements: base };
    if (compatible(base, more, allowUndefined) !== undefined)
      return { conflict: () => compatible(base, more, allowUndefined)! };
    const changed = new Map<string, Requirement>();
    for (const [key, requirement] of more) {
      const known = base.get(key);
      if (known === undefined) changed.set(key, requirement);
      else {
        const merged = intersection(requirement, known);
        if (merged.minValues !== known.minValues || identityOf(merged) !== identityOf(known)) changed.set(key, merged);
      }
    }
    return { requirements: changed.size === 0 ? base : new Map([...base, ...changed]) };
  });
}

/** One object for equal requirements on one key, so that what is computed of it is found again. */
export function interning(): (key: string, values: Iterable<string>) => Requirements {
  const known = new Map<string, Requirements>();
  return (key, values) => {
    const set = new Set([...values].toSorted());
    const id = JSON.stringify([key, ...set]);
    const made = known.get(id) ?? new Map([[key, { key, complement: false, values: set }]]);
    known.set(id, made);
    return made;
  };
}
