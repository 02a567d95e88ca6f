/** `--ignore`: fields that a comparison leaves out, such as `NodePool/web:spec.disruption`. */
import { type FieldPath, type FieldPattern, parseFieldPattern, startsWithPath } from "../../krm/field-path.ts";

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
