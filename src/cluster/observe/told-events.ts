/** Events of a watch as they stand in an API, oldest first. */
import { isFields } from "../../krm/fields.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { ToldEvent } from "./observed.ts";
import { dateOf } from "./told.ts";

export function toldEvents(objects: Iterable<LiveObject>): ToldEvent[] {
  return [...objects].flatMap((object) => toldEvent(object) ?? []).toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** Undefined for one that does not say when. */
function toldEvent(object: LiveObject): ToldEvent | undefined {
  const { eventTime, series, regarding, type, reason, note } = object as unknown as Readonly<Record<string, unknown>>;
  const told = isFields(series) ? series : {};
  const about = isFields(regarding) ? regarding : {};
  const at = dateOf(told["lastObservedTime"]) ?? dateOf(eventTime) ?? dateOf(object.metadata.creationTimestamp);
  if (at === undefined) return undefined;
  return {
    at,
    type: textOf(type),
    reason: textOf(reason),
    about: `${textOf(about["kind"])} ${textOf(about["name"])}`,
    note: textOf(note),
    count: Number(told["count"] ?? 1),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
