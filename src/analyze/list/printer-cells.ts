/** The table cells of an object: printer columns of the API server, and parts of guarded pools. */
import { jsonText } from "../../krm/values/exact-integer.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import type { PrinterColumn } from "../../model/schema/metadata.ts";
import { parseRfc3339 } from "../../model/values/rfc3339.ts";
import { formatRequirement, requirementOf } from "../../karpenter/requirements/requirement.ts";
import { someOf } from "../../krm/values/counted.ts";
import { splitAtPolicyEnd } from "../../model/requirements/policy-end.ts";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { entriesOf } from "../diff/change-node-pool.ts";

/** @param now milliseconds since 1970, for ages */
export function printerCells(object: unknown, columns: readonly PrinterColumn[], now: number): string[] {
  return columns.map(({ type, jsonPath }) => {
    const value = find(object, jsonPath) ?? find(object, OLDER[jsonPath]);
    switch (type) {
      case "date":
        return age(value, now);
      case "integer":
        return typeof value === "number" ? String(Math.trunc(value)) : typeof value === "bigint" ? String(value) : "";
      case "string":
        return text(value);
    }
  });
}

/** Karpenter before 1.8 counted nodes among the resources only. */
const OLDER: Readonly<Record<string, string>> = { ".status.nodes": ".status.resources.nodes" };

/** An object in a file has no creation time. kubectl prints `<unknown>` for that. */
function age(created: unknown, now: number): string {
  if (created === undefined || created === null) return "<unknown>";
  const time = typeof created === "string" ? parseRfc3339(created) : undefined;
  return time === undefined ? "<invalid>" : humanDuration(now - time);
}

/** An absent value is an empty cell, as in the API server. */
function text(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? jsonText(value) : String(value);
}

/** One step of the JSONPath of a column: a field with escaped dots, or the list entry with a given value. */
const STEP = /\.((?:\\.|[^.[\\])+)|\[\?\(@\.(\w+)=="([^"]*)"\)\]/g;

function find(object: unknown, jsonPath: string | undefined): unknown {
  let value: unknown = jsonPath === undefined ? undefined : object;
  for (const [, field, key, wanted] of jsonPath?.matchAll(STEP) ?? []) {
    if (field !== undefined) value = valueAt(value, [field.replaceAll("\\", "")]);
    else value = Array.isArray(value) ? value.find((entry) => valueAt(entry, [key ?? ""]) === wanted) : undefined;
  }
  return value;
}

/** The same as duration.HumanDuration of apimachinery. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  // Clocks may differ by a second or two.
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return withRest(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return withRest(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 24 * 8) return withRest(days, "d", hours % 24, "h");
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return hours < 24 * 365 * 8 ? withRest(years, "y", days % 365, "d") : `${years}y`;
}

function withRest(count: number, unit: string, rest: number, smaller: string): string {
  return rest === 0 ? `${count}${unit}` : `${count}${unit}${rest}${smaller}`;
}

export const GUARDED_COLUMNS = ["Policy", "Own"] as const;

/** The number of entries shown. The others are counted. */
const SHOWN = 3;

export function isGuarded(pool: unknown): boolean {
  return splitAtPolicyEnd(entriesOf(pool)).front !== undefined;
}

/** Without entries of a guard, all requirements are the pool's own. */
export function guardedCells(pool: unknown): readonly [policy: string, own: string] {
  const { front = [], own } = splitAtPolicyEnd(entriesOf(pool));
  return [cellOf(front), cellOf(own)];
}

function cellOf(entries: readonly NodeSelectorRequirement[]): string {
  const words = entries.map((entry) => `${entry.key} ${formatRequirement(requirementOf(entry))}`);
  return words.length === 0 ? "<none>" : someOf(words, SHOWN);
}
