/** Of all that a watch leaves, what belongs to one hosted cluster. */
import { readSettings, SETTINGS_NAME } from "../discover/read-settings.ts";
import { readPart } from "../inventory/inventory-text.ts";
import { NAME_START } from "../inventory/place.ts";
import { dataOf } from "../inventory/read-inventory.ts";
import { problemWith, type Stored } from "./follow-stored.ts";
import type { MadeObject, ToldEvent } from "./observed.ts";
import { toldEvents } from "./told-events.ts";

export function eventsByNamespace({ events }: Stored): ReadonlyMap<string, readonly ToldEvent[]> {
  const groups = Map.groupBy(events.values(), ({ metadata }) => metadata.namespace ?? "");
  return new Map([...groups].map(([namespace, objects]) => [namespace, toldEvents(objects)]));
}

/** By all inventories of the namespace: one watch has one. */
export function madeIn(stored: Stored, namespace: string): readonly MadeObject[] | undefined {
  if (problemWith(stored, "inventories", namespace) !== undefined) return undefined;
  return [...stored.inventories.values()].flatMap((object) => {
    if (object.metadata.namespace !== namespace || !object.metadata.name.startsWith(NAME_START)) return [];
    const data = dataOf(object) ?? {};
    const part = readPart(data, String(data["set"]));
    return typeof part === "string" ? [] : part.entries;
  });
}

export function isDryRun({ settings }: Stored, namespace: string): boolean {
  const object = settings.get(`${namespace}/${SETTINGS_NAME}`);
  return object !== undefined && readSettings(object).value.dryRun === true;
}
