/** A changed object as lines of YAML: changed lines, their context, and the effect of each. */
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import { isOfPlainValues } from "../../analyze/diff/compare-fields.ts";
import type { FieldChange } from "../../analyze/diff/compare-objects.ts";
import { isClassKind } from "../../analyze/diff/sides.ts";
import type { Difference, ListItem } from "../../analyze/diff/compare-values.ts";
import { withoutValues } from "../../krm/values/placeholders.ts";
import { type FieldPath, formatFieldPath } from "../../krm/places/field-path.ts";
import { toYaml } from "../../krm/yaml/write.ts";

export interface YamlLine {
  readonly mark: " " | "+" | "-";
  readonly text: string;
  /** The change that begins on this line. */
  readonly field?: FieldChange | undefined;
}

/** Added and removed objects are shown whole, except admission policies, which are anp's own text. */
function isShownWhole(kind: string): boolean {
  return kind === "NodePool" || isClassKind(kind);
}

export function diffYaml({ action, resource, difference, before, after, fields, filled }: Change): YamlLine[] {
  const whole = after ?? before;
  if (action !== "changed" && whole !== undefined) {
    if (!isShownWhole(resource.kind)) return [];
    return yamlLines({ spec: withoutValues(whole.spec, filled) }, action === "added" ? "+" : "-", "", undefined);
  }
  const byPath = new Map(fields.map((field) => [field.path, field]));
  return linesOf(difference, { old: [], now: [], indent: "", fieldAt: (path) => byPath.get(formatFieldPath(path)) });
}

interface Place {
  readonly old: FieldPath;
  readonly now: FieldPath;
  readonly indent: string;
  /** Undefined also for ignored fields. */
  readonly fieldAt: (path: FieldPath) => FieldChange | undefined;
}

/** The lines below a key, or of the whole object. */
function linesOf(difference: Difference, place: Place): YamlLine[] {
  if (difference.kind === "map")
    return difference.entries.flatMap(([key, inner]) => entryLines(key, inner, place, false));
  if (difference.kind === "list") return itemLines(difference.items, place);
  return [];
}

/** @param beside whether unchanged plain values are shown: they identify an item of a list */
function entryLines(
  key: string,
  difference: Difference,
  { old, now, indent, fieldAt }: Place,
  beside: boolean,
): YamlLine[] {
  const inner = { old: [...old, key], now: [...now, key], indent: `${indent}  `, fieldAt };
  switch (difference.kind) {
    case "same":
      return beside && typeof difference.value !== "object"
        ? yamlLines({ [key]: difference.value }, " ", indent, undefined)
        : [];
    case "added":
    case "removed":
    case "changed":
      return leafLines(difference, { ...inner, indent }, (value) => ({ [key]: value }));
    case "map":
    case "list": {
      const lines = linesOf(difference, difference.kind === "list" ? { ...inner, indent } : inner);
      return lines.length === 0 ? [] : [...yamlLines({ [key]: 0 }, " ", indent, undefined).map(withoutValue), ...lines];
    }
  }
}

function leafLines(
  difference: Extract<Difference, { kind: "added" | "removed" | "changed" }>,
  { old, now, indent, fieldAt }: Place,
  wrap: (value: unknown) => unknown,
): YamlLine[] {
  const field = fieldAt(difference.kind === "removed" ? old : now);
  if (field === undefined) return [];
  const from = "from" in difference ? yamlLines(wrap(difference.from), "-", indent, field) : [];
  const to = "to" in difference ? yamlLines(wrap(difference.to), "+", indent, from.length > 0 ? undefined : field) : [];
  return [...from, ...to];
}

/** A list with at most this many plain values is shown whole. */
const PLAIN_SHOWN = 10;

function itemLines(items: readonly ListItem[], place: Place): YamlLine[] {
  if (isOfPlainValues(items)) return plainItemLines(items, place);
  return items.flatMap(({ difference, from, to }) => {
    const own = { ...place, old: [...place.old, from ?? 0], now: [...place.now, to ?? 0] };
    switch (difference.kind) {
      case "same":
      case "list":
        return [];
      case "map": {
        const inner = { ...own, indent: `${place.indent}  ` };
        const lines = difference.entries.flatMap(([key, entry]) => entryLines(key, entry, inner, true));
        // The rest is unchanged, beside an ignored change.
        if (lines.every(({ mark }) => mark === " ")) return [];
        return lines.map((line, index) => (index === 0 ? withDash(line, place.indent) : line));
      }
      default:
        return leafLines(difference, own, (value) => [value]);
    }
  });
}

function plainItemLines(items: readonly ListItem[], { old, now, indent, fieldAt }: Place): YamlLine[] {
  const field = fieldAt(now) ?? fieldAt(old);
  if (field === undefined) return [];
  const few = items.length <= PLAIN_SHOWN;
  let noted = false;
  const lines = items.flatMap(({ difference }) => {
    if (difference.kind === "same") return few ? yamlLines([difference.value], " ", indent, undefined) : [];
    if (difference.kind !== "added" && difference.kind !== "removed") return [];
    const [mark, value] =
      difference.kind === "added" ? (["+", difference.to] as const) : (["-", difference.from] as const);
    const note = noted ? undefined : field;
    noted = true;
    return yamlLines([value], mark, indent, note);
  });
  const hidden = few ? 0 : items.filter(({ difference }) => difference.kind === "same").length;
  return hidden === 0 ? lines : [...lines, { mark: " ", text: `${indent}# and ${hidden} as before` }];
}

function yamlLines(value: unknown, mark: YamlLine["mark"], indent: string, field: FieldChange | undefined): YamlLine[] {
  const texts = toYaml(value).split("\n").slice(0, -1);
  return texts.map((text, index) => ({ mark, text: `${indent}${text}`, ...(index === 0 ? { field } : {}) }));
}

function withoutValue(line: YamlLine): YamlLine {
  return { ...line, text: line.text.replace(/ 0$/, "") };
}

function withDash(line: YamlLine, indent: string): YamlLine {
  return { ...line, text: `${indent}- ${line.text.slice(indent.length + 2)}` };
}
