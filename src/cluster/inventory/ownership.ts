/** Whether anp owns a live object. */
import type { LiveObject } from "../api/live-object.ts";
import { isMemberByMarks } from "../objects/membership.ts";
import { entryId, type Known } from "./inventory.ts";
import { wrapperIdOf } from "../../model/objects/applied-kinds.ts";

export interface OwnershipFacts {
  /** Undefined if there is no inventory yet: this pass creates it. */
  readonly inventory: Known | undefined;
  /** The inventory is damaged: missing entries are added by marks, as for a new inventory. */
  readonly isRepairing?: boolean;
  /** All wrappers that were read, such as `OpenshiftNodePool/web`. */
  readonly wrappers: ReadonlySet<string>;
  readonly setId: string;
}

/**
 * - `known`: the inventory has its uid. A released object counts only if its wrapper is back
 * - `restored`: the inventory has its kind and name but another uid, and it has a wrapper, as after a restore from backup
 * - `marked`: there is no inventory yet, or a damaged one, and its marks say that anp created it. Marks count only here
 * - `foreign`: everything else, whatever its marks say
 */
export type Ownership = "known" | "restored" | "marked" | "foreign";

/** The inventory decides. Users of the guest cluster cannot write it. */
export function ownershipOf(
  live: LiveObject,
  { inventory, isRepairing = false, wrappers, setId }: OwnershipFacts,
): Ownership {
  const wrapper = wrapperIdOf(live.kind, live.metadata.name);
  const hasWrapper = wrapper !== undefined && wrappers.has(wrapper);
  const entry = inventory?.get(entryId({ kind: live.kind, name: live.metadata.name }));
  if (entry === undefined) {
    if (inventory !== undefined && !isRepairing) return "foreign";
    // Admission policies have no wrapper, and reserved names.
    const isKept = wrapper === undefined || hasWrapper;
    return isKept && isMemberByMarks(live, setId) ? "marked" : "foreign";
  }
  const isReleased = entry.released === true;
  if (entry.uid === live.metadata.uid) return isReleased && !hasWrapper ? "foreign" : "known";
  return hasWrapper && !isReleased ? "restored" : "foreign";
}
