/** Whether anp answers for a live object. */
import type { LiveObject } from "../api/live-object.ts";
import { isMemberByMarks } from "../objects/membership.ts";
import { entryId, type Known } from "./inventory.ts";
import { wrapperIdOf } from "../../model/applied-kinds.ts";

export interface Claims {
  /** Undefined where there is no inventory yet: then this pass begins it. */
  readonly inventory: Known | undefined;
  /** `OpenshiftNodePool/web` of all wrappers that were read. */
  readonly wrappers: ReadonlySet<string>;
  readonly setId: string;
}

/**
 * - `known`: its uid is in the inventory
 * - `restored`: its kind and name are, and it has a wrapper: somebody made it anew, such as from a backup
 * - `marked`: there is no inventory yet, and all says that anp made it; the one time that marks count
 * - `foreign`: everything else, whatever it says of itself
 */
export type Claim = "known" | "restored" | "marked" | "foreign";

/** The inventory decides, and nothing that a user of the guest cluster can write. */
export function claimOf(live: LiveObject, { inventory, wrappers, setId }: Claims): Claim {
  const wrapper = wrapperIdOf(live.kind, live.metadata.name);
  const hasWrapper = wrapper !== undefined && wrappers.has(wrapper);
  if (inventory === undefined) {
    // Guards have no wrapper, and names that are reserved.
    const isKept = wrapper === undefined || hasWrapper;
    return isKept && isMemberByMarks(live, setId) ? "marked" : "foreign";
  }
  const entry = inventory.get(entryId({ kind: live.kind, name: live.metadata.name }));
  if (entry === undefined) return "foreign";
  if (entry.uid === live.metadata.uid) return "known";
  return hasWrapper ? "restored" : "foreign";
}
