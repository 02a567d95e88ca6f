/** Reads what an inventory says. */
import { type ApiError, apiErrorOf } from "../api/api-answer.ts";
import type { LiveObject } from "../api/live-object.ts";
import { type Known, knownOf } from "./inventory.ts";
import { type Entry } from "./inventory.ts";
import { readPart } from "./inventory-text.ts";
import { describePlace, type Place } from "./place.ts";

interface StoredPart {
  readonly resourceVersion: string;
  readonly entries: readonly Entry[];
}

/** `missing`: this watch has none yet, or somebody took it away. */
export type InventoryReading =
  | { readonly state: "known"; readonly parts: readonly StoredPart[]; readonly known: Known }
  | { readonly state: "missing" }
  | { readonly state: "unreadable"; readonly error: ApiError };

/** Where the inventory cannot be read, or is not whole, nobody knows what anp has made. */
export async function readInventory(place: Place): Promise<InventoryReading> {
  const first = await place.api.get(place.collection, place.nameOf(0));
  if (!first.ok) return { state: "unreadable", error: told(first.error, place, 0) };
  if (first.value === undefined || dataOf(first.value) === undefined) return { state: "missing" };
  const parts: StoredPart[] = [];
  for (let part = 0, count = 1; part < count; part++) {
    const answer = part === 0 ? first : await place.api.get(place.collection, place.nameOf(part));
    if (!answer.ok) return { state: "unreadable", error: told(answer.error, place, part) };
    const read = readPart((answer.value && dataOf(answer.value)) ?? {}, place.set);
    if (typeof read === "string") return { state: "unreadable", error: told(malformed(read), place, part) };
    if (part === 0) count = read.parts;
    parts.push({ resourceVersion: answer.value!.metadata.resourceVersion, entries: read.entries });
  }
  return { state: "known", parts, known: knownOf(parts.map(({ entries }) => entries)) };
}

export function dataOf(live: LiveObject): Readonly<Record<string, unknown>> | undefined {
  return (live as { data?: Readonly<Record<string, unknown>> }).data;
}

function malformed(words: string): ApiError {
  return { ...apiErrorOf(422, undefined), message: `${words}; restore it, or delete it to have it begun anew` };
}

function told(error: ApiError, place: Place, part: number): ApiError {
  return { ...error, message: `${describePlace(place, part)} cannot be read: ${error.message}` };
}
