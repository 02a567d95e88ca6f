/** Writes the inventory of a pass: once before objects are created, once after; only changes. */
import type { ApiError } from "../api/api-answer.ts";
import type { StepResult } from "./execute.ts";
import type { Inputs } from "../read/gather-inputs.ts";
import type { Step } from "../plan/step.ts";
import { type Change, isEmpty, type Known, type Entry, entryId } from "../inventory/inventory.ts";
import type { InventoryLocation } from "../inventory/location.ts";
import { type InventoryReading, knownIn } from "../inventory/read-inventory.ts";
import { writeInventory } from "../inventory/write-inventory.ts";
import type { LiveApplied } from "../read/read-guest.ts";
import { isBeingDeleted } from "../../model/objects/being-deleted.ts";
import { specHash } from "../objects/field-owners.ts";

/** @param mayBegin whether a missing inventory is created, and a damaged one repaired */
export function inventoryRecorder(
  location: InventoryLocation,
  { inventory, guest }: Pick<Inputs, "inventory" | "guest">,
  { dryRun, mayBegin }: { readonly dryRun: boolean; readonly mayBegin: boolean },
) {
  let now: InventoryReading = inventory;
  const write = async (change: Change): Promise<ApiError | undefined> => {
    const isWhole = now.state === "known";
    const mayWrite = !dryRun && (isWhole || (now.state !== "unreadable" && mayBegin));
    if (!mayWrite || (isWhole && isEmpty(change))) return undefined;
    const written = await writeInventory(location, now, change);
    if (!written.ok) return written.error;
    now = written.value;
    return undefined;
  };
  const known = (): Known => knownIn(now) ?? new Map();
  return {
    /** Returns why nothing may be created. */
    before: (steps: readonly Step[]) => write(inventoryBefore(steps, known(), guest)),
    /** If it could not be created, the next pass reads everything again and creates it. */
    after: async (results: readonly StepResult[]) =>
      now.state === "known" ? write(inventoryAfter(results, known())) : undefined,
  };
}

/** Objects get an entry before they are created. If the write after that fails, the inventory has at least their names. */
function inventoryBefore(steps: readonly Step[], known: Known, guest: LiveApplied): Change {
  const enter: Entry[] = [];
  const set: Entry[] = [];
  for (const step of steps) {
    const { kind, name, action } = step;
    const entry = known.get(entryId(step));
    const uid = step.live?.metadata.uid;
    if (action === "create") (entry?.released === true ? set : enter).push({ kind, name });
    // An object in sync without an inventory counts as unchanged: there is no better evidence.
    else if (step.takesIn && uid !== undefined) {
      const known = entry?.uid === uid ? entry.left : undefined;
      const left = action === "in-sync" ? specHash(step.live!) : known;
      set.push({ kind, name, uid, left, repaired: step.unconfirmed || undefined });
    } else if ((action === "prune" || action === "going") && entry?.goes === undefined)
      set.push({ ...entry, kind, name, goes: true });
    else if (action === "release") set.push({ ...entry, kind, name, released: true });
    if (entry?.goes === true && (action === "create" || isKept(step))) set.push({ ...entry, goes: undefined });
  }
  return { enter: enter.filter((entry) => !known.has(entryId(entry))), set, drop: goneOf(known, steps, guest) };
}

/** Its wrapper is back and it is not being deleted: the entry is no longer marked for deletion. */
function isKept({ action, takesIn, live }: Step): boolean {
  if (live !== undefined && isBeingDeleted(live)) return false;
  return !takesIn && (action === "update" || action === "in-sync" || action === "hold");
}

/** Only objects that anp deleted or released. An object that another user deleted may be restored from a backup. */
function goneOf(known: Known, steps: readonly Step[], { live, unread, malformed }: LiveApplied): Entry[] {
  // A malformed object without a name may be any object of its kind.
  const unsure = new Set(malformed.map(({ kind, name }) => (name === undefined ? kind : entryId({ kind, name }))));
  const isRead = ({ kind, name }: Entry): boolean =>
    !unread.has(kind) && !unsure.has(kind) && !unsure.has(entryId({ kind, name }));
  const isOver = ({ goes, released }: Entry): boolean => goes === true || released === true;
  const going = [...known.values()].filter((entry) => isOver(entry) && isRead(entry));
  if (going.length === 0) return [];
  const uids = new Set(live.map(({ metadata }) => metadata.uid));
  const wanted = new Set(steps.filter(({ desired }) => desired !== undefined).map(entryId));
  return going.filter((entry) => !uids.has(entry.uid ?? "") && !wanted.has(entryId(entry)));
}

/** @param known as it was after the change before */
function inventoryAfter(results: readonly StepResult[], known: Known): Change {
  const set: Entry[] = [];
  const drop: Entry[] = [];
  for (const { step, outcome, live, error } of results) {
    const { kind, name, action } = step;
    const entry = known.get(entryId(step));
    if (outcome === "done" && live !== undefined && (action === "create" || action === "update")) {
      const repaired = step.unconfirmed || undefined;
      const goes = isBeingDeleted(live) ? entry?.goes : undefined;
      const now: Entry = { kind, name, uid: live.metadata.uid, left: specHash(live), goes, repaired };
      const isSame = entry?.repaired === repaired && entry?.uid === now.uid && entry?.left === now.left;
      if (!isSame || entry?.released === true) set.push(now);
    }
    // Its wrapper is back.
    if (action === "in-sync" && entry?.released === true) set.push({ ...entry, released: undefined });
    // After a lost or malformed answer, the object may exist.
    const isUnsure = error?.kind === "unavailable" || error?.kind === "malformed";
    const isRefused = outcome === "skipped" || (outcome === "failed" && !isUnsure);
    if (action === "create" && isRefused && entry !== undefined && entry.uid === undefined) drop.push(entry);
  }
  return { enter: [], set, drop };
}
