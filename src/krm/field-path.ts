/** Names a field inside an object: keys and indexes in, `spec.limits[0].key` out, and back. */

export type FieldPath = readonly (string | number)[];

/** Stands for every entry of a list or a mapping. */
export const EACH = Symbol("each");

export type FieldPattern = readonly (string | number | typeof EACH)[];

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** The path as the KRM Functions Specification writes it; keys with dots or slashes stand in `["…"]`. */
export function formatFieldPath(path: FieldPath): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (!PLAIN_KEY.test(segment)) text += `[${JSON.stringify(segment)}]`;
    else text += text === "" ? segment : `.${segment}`;
  }
  return text;
}

/** For sentences. */
export function quotedField(path: FieldPath): string {
  return `\`${formatFieldPath(path)}\``;
}

const SEGMENT = /(?:^|\.)(?:([A-Za-z_][\w-]*)|\*)|\[(?:(\d+)|\*|("(?:[^"\\]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*"))\]/y;

/** `taints[*].value` as findings write fields, and `*` for each entry. Undefined for what is none, or empty. */
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

/** The same of a single field. */
export function parseFieldPath(text: string): FieldPath | undefined {
  const pattern = parseFieldPattern(text);
  return pattern?.every((segment) => segment !== EACH) ? pattern : undefined;
}

/** Whether `path` is `prefix` or lies below it. */
export function startsWithPath(path: FieldPath, prefix: FieldPattern): boolean {
  return prefix.length <= path.length && prefix.every((segment, index) => segment === EACH || segment === path[index]);
}

/** Whether both are the same field. */
export function samePath(path: FieldPath, other: FieldPattern): boolean {
  return path.length === other.length && startsWithPath(path, other);
}

/** What lies at or below `from`, where that has come to stand at `to`. */
export function movedPath(path: FieldPath, from: FieldPath, to: FieldPath): FieldPath {
  return [...to, ...path.slice(from.length)];
}

/** The value at `path` inside `value`, or undefined where the path leads nowhere. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  let current = value;
  for (const segment of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Record<string | number, unknown>)[segment];
  }
  return current;
}

/** All that a pattern leads to. */
export function valuesAt(value: unknown, pattern: FieldPattern): { path: FieldPath; value: unknown }[] {
  const found: { path: FieldPath; value: unknown }[] = [];
  collectAt(value, pattern, [], found);
  return found;
}

/** Most patterns lead nowhere in most objects: nothing is made before there is something. */
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

/** Items of lists go by numbers, entries of mappings by texts. */
function hasEntry(inner: object, segment: string | number): boolean {
  const isText = typeof segment === "string";
  return isText !== Array.isArray(inner) && Object.hasOwn(inner, segment);
}
