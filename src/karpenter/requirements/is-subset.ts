/** Compares two requirements on a key: whether one admits only nodes that the other admits. */
import type { LabelPresence } from "./label-presence.ts";
import { admitsAbsence, intersection, isEmpty, type Requirement } from "./requirement.ts";

/**
 * Independent of the catalogue. A label that no instance type has gets its value from the requirement itself
 * (docs/upstream/karpenter.md#generated-values).
 *
 * @param own undefined without a requirement on the key
 */
export function isSubset(own: Requirement | undefined, than: Requirement, presence: LabelPresence): boolean {
  if (own === undefined) {
    if (presence === "custom") return admitsAbsence(than);
    return presence === "always" && admitsEverything(than);
  }
  if (mayBeAbsent(own, presence) && !admitsAbsence(than)) return false;
  return sameValues(intersection(own, than), intersection(own, own));
}

function admitsEverything({ complement, values, gte, lte }: Requirement): boolean {
  return complement && values.size === 0 && gte === undefined && lte === undefined;
}

function mayBeAbsent(own: Requirement, presence: LabelPresence): boolean {
  if (presence === "class") return true;
  if (presence === "optional" || presence === "offering") return admitsAbsence(own);
  // Karpenter treats the empty value as absent.
  return presence === "custom" && !own.complement && (isEmpty(own) || own.values.has(""));
}

function sameValues(a: Requirement, b: Requirement): boolean {
  return (
    a.complement === b.complement &&
    a.gte === b.gte &&
    a.lte === b.lte &&
    a.values.symmetricDifference(b.values).size === 0
  );
}
