/** `--ignore`: fields that a comparison leaves out, such as `NodePool/web:spec.disruption`. */
import type { FieldPath } from "../../krm/field-path.ts";

export interface IgnoreRule {
  readonly kind: string | undefined;
  readonly name: string | undefined;
  /** `*` stands for any one key or index. */
  readonly path: FieldPath;
}

/** Undefined for what is no rule: `[KIND[/NAME]:]FIELD`, with the field as findings write it. */
export function parseIgnoreRule(text: string): IgnoreRule | undefined {
  const [, kind, name, field = ""] = /^(?:([A-Z]\w*)(?:\/([\w.-]+))?:)?(.*)$/s.exec(text) ?? [];
  const path = parseFieldPath(field);
  return path === undefined ? undefined : { kind, name, path };
}

/** Whether a rule names the field at `path`, or one above it. */
export function isIgnoredField(
  rules: readonly IgnoreRule[],
  { kind, name }: { readonly kind: string; readonly name: string },
  path: FieldPath,
): boolean {
  return rules.some(
    (rule) =>
      (rule.kind ?? kind) === kind &&
      (rule.name ?? name) === name &&
      rule.path.length <= path.length &&
      rule.path.every((segment, index) => segment === "*" || segment === path[index]),
  );
}

/** `spec.limits["nvidia.com/gpu"]`, `requirements[0].values`, `taints[*].value`. */
function parseFieldPath(text: string): FieldPath | undefined {
  const path: (string | number)[] = [];
  const segment = /\.?([A-Za-z_*][\w-]*)|\[(\d+)\]|\[(\*)\]|\["((?:[^"\\]|\\["\\])*)"\]/y;
  while (segment.lastIndex < text.length) {
    const match = segment.exec(text);
    if (match === null) return undefined;
    const [, key, index, any, quoted] = match;
    if (index !== undefined) path.push(Number(index));
    else path.push(key ?? any ?? (quoted ?? "").replaceAll(/\\(["\\])/g, "$1"));
  }
  return path.length === 0 ? undefined : path;
}
