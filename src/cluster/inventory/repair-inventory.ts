/** Repairs a damaged inventory from its earlier copy. */
import { idOf } from "../../model/kube-object.ts";
import type { LiveObject } from "../api/live-object.ts";
import { changed, entryId, knownOf } from "./inventory.ts";
import type { InventoryReading } from "./read-inventory.ts";

/**
 * Readable entries stay. An entry of the earlier copy counts only if an object with its uid exists: an object with the
 * same name alone may be foreign. The plan decides on all other objects by their marks.
 */
export function repairedReading(reading: InventoryReading, live: readonly LiveObject[]): InventoryReading {
  if (reading.state !== "damaged") return reading;
  const uids = new Map(live.map((object) => [idOf(object), object.metadata.uid]));
  const enter = reading.earlier.filter(
    (entry) => !reading.known.has(entryId(entry)) && entry.uid !== undefined && entry.uid === uids.get(entryId(entry)),
  );
  const entries = changed(
    reading.parts.map((part) => part.entries),
    { enter, set: [], drop: [] },
  );
  const parts = entries.map((of, index) => ({ resourceVersion: reading.parts[index]?.resourceVersion, entries: of }));
  return { ...reading, parts, known: knownOf(entries) };
}

/** A warning for users; undefined if the inventory is whole. */
export function repairWords(reading: InventoryReading): string | undefined {
  if (reading.state === "damaged")
    return `${reading.words}; it is repaired from its readable entries, from its earlier copy, and from the marks of objects`;
  if (reading.state !== "known") return undefined;
  const ids = [...reading.known.values()].filter(({ repaired }) => repaired === true).map(entryId);
  if (ids.length === 0) return undefined;
  const shown = ids.slice(0, SHOWN).join(", ");
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : "";
  return `the inventory was repaired, and only marks say that anp made ${shown}${more}: anp deletes none of them until --adopt names it`;
}

const SHOWN = 5;
