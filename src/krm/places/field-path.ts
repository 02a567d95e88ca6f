/** Paths of fields in an object, and their text form such as `spec.limits[0].key`. */

export type FieldPath = readonly (string | number)[];

/** Matches every entry of a list or a mapping. */
export const EACH = Symbol("each");

/** The part of a mapping's entry that a place points at: the text that the user has to change. */
export type EntryPart = "key" | "value";

export type FieldPattern = readonly (string | number | typeof EACH)[];

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** The path in the form of the KRM Functions Specification; keys with dots or slashes are written as `["…"]`. */
export function formatFieldPath(path: FieldPath): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (!PLAIN_KEY.test(segment)) text += `[${JSON.stringify(segment)}]`;
    else text += text === "" ? segment : `.${segment}`;
  }
  return text;
}

/** Several paths in a sentence. */
export function quotedField(path: FieldPath): string {
  return `\`${formatFieldPath(path)}\``;
}

const SEGMENT = /(?:^|\.)(?:([A-Za-z_][\w-]*)|\*)|\[(?:(\d+)|\*|("(?:[^"\\]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*"))\]/y;

/**
 * Reads the form in which findings write fields, such as `taints[*].value`; `*` matches each entry. Undefined if
 * invalid or empty.
 */
export function parseFieldPattern(text: string): FieldPattern | undefined {
  const pattern: FieldPattern[number][] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < text.length) {
    const [whole, key, index, quoted] = SEGMENT.exec(text) ?? [];
    if (whole === undefined) return undefined;
    if (index !== undefined) pattern.push(Number(index));
    else if (quoted !== undefined) pattern.push(JSON.parse(quoted) as string);
    else pattern.push(key ?? EACH);
  }
  return pattern.length === 0 ? undefined : pattern;
}

/** The same for a single field, without `*`. */
export function parseFieldPath(text: string): FieldPath | undefined {
  const pattern = parseFieldPattern(text);
  return pattern?.every((segment) => segment !== EACH) ? pattern : undefined;
}

/** Whether `path` is `prefix` or below it. */
export function startsWithPath(path: FieldPath, prefix: FieldPattern): boolean {
  return prefix.length <= path.length && prefix.every((segment, index) => segment === EACH || segment === path[index]);
}

/** Whether both paths name the same field. */
export function samePath(path: FieldPath, other: FieldPattern): boolean {
  return path.length === other.length && startsWithPath(path, other);
}

/** Replaces the prefix `from` of a path by `to`. */
export function movedPath(path: FieldPath, from: FieldPath, to: FieldPath): FieldPath {
  return [...to, ...path.slice(from.length)];
}

/** The value at `path` inside `value`; undefined if there is none. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  let current = value;
  for (const segment of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Record<string | number, unknown>)[segment];
  }
  return current;
}

/** All values that match a pattern. */
export function valuesAt(value: unknown, pattern: FieldPattern): { path: FieldPath; value: unknown }[] {
  const found: { path: FieldPath; value: unknown }[] = [];
  collectAt(value, pattern, [], found);
  return found;
}

/** Most patterns match nothing in most objects, so nothing is allocated until there is a match. */
function collectAt(
  value: unknown,
  pattern: FieldPattern,
  path: FieldPath,
  found: { path: FieldPath; value: unknown }[],
): void {
  let inner = value;
  for (let at = path.length; at < pattern.length; at++) {
    const segment = pattern[at]!;
    if (typeof inner !== "object" || inner === null) return;
    if (segment === EACH) {
      const before = path.concat(pattern.slice(path.length, at) as FieldPath);
      const entries = Array.isArray(inner) ? inner.entries() : Object.entries(inner);
      for (const [key, below] of entries) collectAt(below, pattern, [...before, key], found);
      return;
    }
    if (!hasEntry(inner, segment)) return;
    inner = (inner as Record<string | number, unknown>)[segment];
  }
  found.push({ path: path.concat(pattern.slice(path.length) as FieldPath), value: inner });
}

/** Items of lists sort by number, entries of mappings by name. */
function hasEntry(inner: object, segment: string | number): boolean {
  const isText = typeof segment === "string";
  return isText !== Array.isArray(inner) && Object.hasOwn(inner, segment);
}
