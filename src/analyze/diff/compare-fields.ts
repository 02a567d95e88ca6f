/** The fields that differ, each with its path and value on both sides. */
import { type FieldPath, type FieldPattern, parseFieldPattern, startsWithPath } from "../../krm/places/field-path.ts";
import type { Difference, ListItem } from "./compare-values.ts";

export interface ChangedField {
  /** Undefined if the old object lacks the field. Paths of list items may differ between the sides. */
  readonly oldPath: FieldPath | undefined;
  /** Undefined if the new object lacks the field. */
  readonly newPath: FieldPath | undefined;
  readonly from: unknown;
  readonly to: unknown;
}

export function changedFields(
  difference: Difference,
  oldPath: FieldPath = [],
  newPath: FieldPath = [],
): ChangedField[] {
  switch (difference.kind) {
    case "same":
      return [];
    case "added":
      return [{ oldPath: undefined, newPath, from: undefined, to: difference.to }];
    case "removed":
      return [{ oldPath, newPath: undefined, from: difference.from, to: undefined }];
    case "changed":
      return [{ oldPath, newPath, from: difference.from, to: difference.to }];
    case "map":
      return difference.entries.flatMap(([key, inner]) => changedFields(inner, [...oldPath, key], [...newPath, key]));
    case "list":
      // A list of plain values is shown as a whole.
      if (isOfPlainValues(difference.items)) return [{ oldPath, newPath, ...listsOf(difference.items) }];
      return difference.items.flatMap(({ difference: inner, from, to }) =>
        changedFields(inner, [...oldPath, from ?? 0], [...newPath, to ?? 0]),
      );
  }
}

/** Whether a list has only scalar items. */
export function isOfPlainValues(items: readonly ListItem[]): boolean {
  return items.every(({ difference }) => sidesOf(difference).every((side) => typeof side !== "object"));
}

function sidesOf(difference: Difference): unknown[] {
  switch (difference.kind) {
    case "same":
      return [difference.value];
    case "added":
      return [difference.to];
    case "removed":
      return [difference.from];
    case "changed":
      return [difference.from, difference.to];
    // Nested, so not a plain value.
    case "map":
    case "list":
      return [difference];
  }
}

function listsOf(items: readonly ListItem[]): { from: unknown[]; to: unknown[] } {
  const side = (which: "from" | "to"): unknown[] =>
    items
      .filter((item) => item[which] !== undefined)
      .toSorted((a, b) => a[which]! - b[which]!)
      .map(({ difference }) => sidesOf(difference).at(which === "from" ? 0 : -1));
  return { from: side("from"), to: side("to") };
}

export interface IgnoreRule {
  readonly kind: string | undefined;
  readonly name: string | undefined;
  readonly path: FieldPattern;
}

/** Parses `[KIND[/NAME]:]FIELD`, with a field path as in findings. Undefined if the text is not a rule. */
export function parseIgnoreRule(text: string): IgnoreRule | undefined {
  const [, kind, name, field = ""] = /^(?:([A-Z]\w*)(?:\/([\w.-]+))?:)?(.*)$/s.exec(text) ?? [];
  const path = parseFieldPattern(field);
  return path === undefined ? undefined : { kind, name, path };
}

/** Whether a rule names the field at `path`, or a parent of it. */
export function isIgnoredField(
  rules: readonly IgnoreRule[],
  { kind, name }: { readonly kind: string; readonly name: string },
  path: FieldPath,
): boolean {
  return rules.some(
    (rule) => (rule.kind ?? kind) === kind && (rule.name ?? name) === name && startsWithPath(path, rule.path),
  );
}
