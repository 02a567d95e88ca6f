/** Whether the nodes of one requirement on a label key are among those that another one admits. */
import type { LabelPresence } from "./label-presence.ts";
import { admitsAbsence, intersection, isEmpty, type Requirement } from "./requirement.ts";

/**
 * Whatever instance types there are. A label that no instance type has comes from the requirement itself
 * (docs/upstream/karpenter.md#invented-values).
 *
 * @param own undefined where nothing is said of the key
 */
export function admitsNoMore(own: Requirement | undefined, than: Requirement, presence: LabelPresence): boolean {
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
  if (presence === "optional") return admitsAbsence(own);
  // Karpenter takes the empty value for none.
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
