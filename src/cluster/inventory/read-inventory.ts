/** Reads an inventory from its ConfigMaps, and repairs a damaged one from its earlier copy. */
import { type ApiError, apiErrorOf } from "../api/api-answer.ts";
import type { LiveObject } from "../api/live-object.ts";
import { type Entry, type Known, knownOf, changed, entryId } from "./inventory.ts";
import { earlierEntries, MOST_PARTS, type ReadPart, readPart } from "./inventory-text.ts";
import { describeLocation, type InventoryLocation } from "./location.ts";
import { idOf } from "../../model/objects/kube-object.ts";

interface StoredPart {
  /** Undefined if the part does not exist. */
  readonly resourceVersion: string | undefined;
  readonly entries: readonly Entry[];
}

/**
 * - `missing`: this watch has none yet, or it was deleted
 * - `damaged`: it exists and is not whole; `known` are its valid entries
 * - `unreadable`: its content is not known
 */
export type InventoryReading =
  | { readonly state: "known"; readonly parts: readonly StoredPart[]; readonly known: Known }
  | { readonly state: "missing" }
  | DamagedInventory
  | { readonly state: "unreadable"; readonly error: ApiError };

interface DamagedInventory {
  readonly state: "damaged";
  readonly parts: readonly StoredPart[];
  readonly known: Known;
  /** Entries of the earlier copies. */
  readonly earlier: readonly Entry[];
  /** Why, for users. */
  readonly words: string;
}

const ABSENT: ReadPart = { entries: [], parts: undefined, wrong: "a part of it is missing", isNewer: false };

export async function readInventory(location: InventoryLocation): Promise<InventoryReading> {
  const parts: StoredPart[] = [];
  const earlier: Entry[] = [];
  let words: string | undefined;
  for (let part = 0, count: number | undefined; part < (count ?? Infinity); part++) {
    const answer = await location.api.get(location.collection, location.nameOf(part));
    if (!answer.ok) return { state: "unreadable", error: withLocation(answer.error, location, part) };
    const data = answer.value && dataOf(answer.value);
    if (part === 0 && data === undefined) return { state: "missing" };
    // The first part does not say how many parts there are.
    if (answer.value === undefined && count === undefined) break;
    const read = data === undefined ? ABSENT : readPart(data, location.set);
    if (read.isNewer) return { state: "unreadable", error: withLocation(ofLaterVersion, location, part) };
    if (part === 0) count = read.parts;
    if (read.wrong !== undefined) words ??= `${describeLocation(location, part)} is damaged: ${read.wrong}`;
    if (data !== undefined) earlier.push(...earlierEntries(data, location.set));
    parts.push({ resourceVersion: answer.value?.metadata.resourceVersion, entries: read.entries });
    if (part + 1 >= MOST_PARTS) break;
  }
  const known = knownOf(parts.map(({ entries }) => entries));
  return words === undefined ? { state: "known", parts, known } : { state: "damaged", parts, known, earlier, words };
}

/** The entries that can be relied on; undefined if there are none to read. */
export function knownIn(reading: InventoryReading): Known | undefined {
  return reading.state === "known" || reading.state === "damaged" ? reading.known : undefined;
}

export function dataOf(live: LiveObject): Readonly<Record<string, unknown>> | undefined {
  return (live as { data?: Readonly<Record<string, unknown>> }).data;
}

const ofLaterVersion: ApiError = {
  ...apiErrorOf(422, undefined),
  message: "a later version of anp wrote it; run that version, or delete the inventory so that anp creates a new one",
};

function withLocation(error: ApiError, location: InventoryLocation, part: number): ApiError {
  return { ...error, message: `${describeLocation(location, part)} cannot be read: ${error.message}` };
}

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
