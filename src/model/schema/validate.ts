/** Validates a resource against a model: typed data, or findings with field and line. */
import * as z from "zod/mini";
import { type Finding, findingAt, type Outcome, type Words } from "../../krm/findings/finding.ts";
import type { FindingCode } from "../../krm/findings/finding-codes.ts";
import { type FieldPath, quotedField, startsWithPath, valueAt } from "../../krm/places/field-path.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import { describeResource, type Resource, writtenPath } from "../../krm/places/resource.ts";
import { sameValue } from "../../krm/values/canonical.ts";
import type { MovedField } from "./moved-fields.ts";
import type { RuleParams } from "./rule.ts";

export interface ValidateOptions {
  /** The code of findings about wrong values. */
  readonly code: FindingCode;
  /** The code of fields that the model does not know; they are left out of the value. */
  readonly unknownField: FindingCode;
  /** The path of the checked value in the resource; the whole object when left out. */
  readonly path?: FieldPath;
  /** Fields that are reported as `field-moved`, instead of as unknown or wrong. */
  readonly moved?: readonly MovedField[];
  /** For files that no API server reads: a server treats fields that are null as missing. */
  readonly nullIsWrong?: boolean;
}

/** One mistake in a value, with a message that follows the field's name. */
interface Violation extends Words {
  readonly path: FieldPath;
  /** Whether it is a field that the model does not know, as opposed to a wrong value. */
  readonly unknownField: boolean;
}

/** The typed value; undefined if there is a finding of `code`. */
export function validate<S extends z.ZodMiniType>(
  schema: S,
  resource: Resource,
  options: ValidateOptions,
): Outcome<z.output<S> | undefined> {
  const base = options.path ?? [];
  const given = valueAt(resource.value, base);
  let outcome = check(schema, given);
  if (outcome.violations.length > 0 && options.nullIsWrong !== true)
    outcome = check(schema, withoutNulls(schema, given));
  if (resource.written !== undefined && outcome.violations.length > 0)
    outcome = whateverIsUnknown(outcome, check(schema, valueAt(resource.written, base)), resource, options);
  const { value, violations } = outcome;
  const subject = describeResource(resource);
  const movedOf = ({ path }: Violation) =>
    options.moved?.find((field) => isMoved(field, [...base, ...path], valueAt(given, path)));
  const allMoved = violations.flatMap((violation) => movedOf(violation) ?? []);
  const findings = violations.flatMap((violation) => {
    const { path, message, unknownField } = violation;
    const moved = movedOf(violation);
    const isMissing = ({ path: missing }: Violation) => moved?.now && sameValue(moved.now, [...base, ...missing]);
    // One mistake: the finding on the missing field has the hint.
    if (moved !== undefined) return violations.some(isMissing) ? [] : movedFinding(resource, moved, violation);
    const before = allMoved.find(({ now }) => now && sameValue(now, [...base, ...path]));
    const hint = before?.hint ?? violation.hint;
    const words = { message: `${subject}: ${fieldName(writtenPath(resource, [...base, ...path]))} ${message}`, hint };
    if (unknownField) return findingAt(options.unknownField, resource, [...base, ...path], words, "key");
    return findingAt(options.code, resource, [...base, ...path], words);
  });
  const refused = violations.some(({ unknownField }) => !unknownField || options.unknownField === options.code);
  return { value: refused ? undefined : value, findings };
}

/**
 * Keeps the violations that do not depend on a placeholder: the object has them with its placeholders as text, and
 * without the parts that they decide. Without any the value is as given.
 */
function whateverIsUnknown<T>(
  { value, violations }: Checked<T>,
  asText: Checked<T>,
  resource: Resource,
  { path: base = [] }: ValidateOptions,
): Checked<T> {
  const { unknown = [] } = resource;
  const idOf = (path: FieldPath, { message }: Violation) => JSON.stringify([path, message]);
  const known = new Set(asText.violations.map((one) => idOf(one.path, one)));
  const placeOf = ({ path }: Violation) => writtenPath(resource, [...base, ...path]).slice(base.length);
  const kept = violations.filter((one) => {
    const place = placeOf(one);
    return known.has(idOf(place, one)) && !unknown.some((left) => startsWithPath([...base, ...place], left.path));
  });
  // Readers take each of the fields for optional.
  const isWhole = value === undefined && kept.every(({ unknownField }) => unknownField);
  return { value: isWhole ? (valueAt(resource.value, base) as T) : value, violations: kept };
}

interface Checked<T> {
  readonly value: T | undefined;
  readonly violations: Violation[];
}

function isMoved(moved: MovedField, path: FieldPath, value: unknown): boolean {
  return sameValue(moved.path, path) && (moved.value === undefined || moved.value === value);
}

/** An API server drops a field that it does not know, and refuses an invalid value. */
function movedFinding(resource: Resource, { path, message, hint }: MovedField, { unknownField }: Violation): Finding {
  const words = { message: `${describeResource(resource)}: ${fieldName(path)} ${message}`, hint };
  const finding = findingAt("field-moved", resource, path, words, unknownField ? "key" : undefined);
  return unknownField ? finding : { ...finding, severity: "error" };
}

/** Checks a value against a model. If only unknown fields are wrong, the value is given without them. */
export function check<S extends z.ZodMiniType>(schema: S, given: unknown): Checked<z.output<S>> {
  const first = schema.safeParse(given);
  if (first.success) return { value: first.data, violations: [] };
  const issues = flatten(first.error.issues);
  const violations = issues.flatMap((issue) => describe(issue, given, schema));
  if (violations.some((violation) => !violation.unknownField)) return { value: undefined, violations };
  return { value: schema.safeParse(without(given, issues)).data, violations };
}

function fieldName(path: FieldPath): string {
  return path.length === 0 ? "the object" : quotedField(path);
}

type Issue = z.core.$ZodIssue;

/** A union fails once for each member; the member with the deepest error is the one that the user meant. */
function flatten(issues: readonly Issue[]): Issue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
    const furthest = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0] ?? [];
    if (depth(furthest) === 0) return [issue];
    return flatten(furthest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
  });
}

function depth(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function describe(issue: Issue, given: unknown, schema: z.ZodMiniType): Violation[] {
  const path = issue.path as FieldPath;
  if (issue.code !== "unrecognized_keys")
    return [{ path, unknownField: false, ...wordsFor(issue, valueAt(given, path)) }];
  const known = knownFields(schema, path);
  const ofSpec = path.length === 0 ? knownFields(schema, ["spec"]) : [];
  return issue.keys.map((key) => {
    if (ofSpec.includes(key))
      return { path: [key], unknownField: true, message: "is not a field here", hint: "write it below spec" };
    // Short names are close to each other by chance.
    const nearest = nearestWord(key, known, Math.min(3, Math.ceil(key.length / 3)));
    const hint = nearest === undefined ? listOf("fields here", known.toSorted()) : `did you mean ${nearest}?`;
    return { path: [...path, key], unknownField: true, message: "is not a field here", hint };
  });
}

/** The message for one issue, to follow the field's name. */
function wordsFor(issue: Issue, value: unknown): Words {
  switch (issue.code) {
    case "invalid_type":
      if (value === undefined) return { message: "is missing" };
      return {
        message: `must be ${article(issue.expected)}, not ${quote(value)}`,
        // A schema with a message of its own explains the value better than its type does.
        hint: issue.message.startsWith("Invalid") ? typeHint(issue.expected, value) : issue.message,
      };
    case "invalid_value": {
      const choices = issue.values.map(String);
      const nearest = typeof value === "string" ? nearestWord(value, choices) : undefined;
      const list = choices.length === 1 ? choices[0] : `one of ${choices.join(", ")}`;
      return {
        message: `must be ${list}, not ${quote(value)}`,
        hint: nearest === undefined ? undefined : `did you mean ${nearest}?`,
      };
    }
    case "invalid_format":
      return { message: `is ${quote(value)}, which ${formatWords(issue)}`, hint: hintOf(issue) };
    case "too_small":
      return { message: sizeWords(issue.origin, "at least", issue.minimum, value) };
    case "too_big":
      return { message: sizeWords(issue.origin, "at most", issue.maximum, value) };
    case "custom":
      return { message: `is wrong: ${issue.message}`, hint: hintOf(issue) };
    case "invalid_union":
      return { message: `is ${quote(value)}: ${issue.message}`, hint: hintOf(issue) };
    default:
      return { message: `is ${quote(value)}: ${issue.message}` };
  }
}

function formatWords(issue: Issue & { code: "invalid_format" }): string {
  // A schema's own message explains the value better than a pattern.
  return issue.message.startsWith("Invalid") ? `does not match ${issue.pattern ?? issue.format}` : issue.message;
}

function sizeWords(origin: string, bound: string, limit: number | bigint, value: unknown): string {
  const one = Number(limit) === 1;
  if (origin === "string") return `must have ${bound} ${limit} character${one ? "" : "s"}, not ${String(value).length}`;
  if (origin === "array" || origin === "set")
    return `must have ${bound} ${limit} ${one ? "entry" : "entries"}, not ${(value as unknown[]).length}`;
  if (origin === "object" || origin === "record" || origin === "map")
    return `must have ${bound} ${limit} field${one ? "" : "s"}, not ${Object.keys(value as object).length}`;
  return `must be ${bound} ${limit}, not ${quote(value)}`;
}

function hintOf(issue: Issue): string | undefined {
  return (issue as { params?: RuleParams }).params?.hint;
}

function typeHint(expected: string, value: unknown): string | undefined {
  if (expected === "string" && (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")) {
    // YAML drops trailing zeros of a number with a point: 4.20 has become 4.2.
    return Number.isInteger(value) || typeof value !== "number" ? `put it in quotes: "${value}"` : "put it in quotes";
  }
  if (expected === "boolean" && typeof value === "string" && /^(yes|no|on|off|y|n|true|false)$/i.test(value)) {
    return `write ${/^(yes|on|y|true)$/i.test(value) ? "true" : "false"} (YAML 1.2 reads ${value} as a string)`;
  }
  if ((expected === "int" || expected === "number") && typeof value === "string" && /^-?\d+$/.test(value))
    return `write ${value} without quotes`;
  return undefined;
}

function article(type: string): string {
  const words: Record<string, string> = {
    int: "an integer",
    array: "a list",
    object: "a mapping",
    record: "a mapping",
    boolean: "true or false",
  };
  return words[type] ?? `a ${type}`;
}

/** The user's own value, shortened for one line. */
function quote(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "a mapping";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function listOf(title: string, names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `${title}: ${names.slice(0, 12).join(", ")}${names.length > 12 ? ", …" : ""}`;
}

/**
 * Drops the fields that are wrong because they are null. Entries of lists stay, because the API server refuses those.
 */
function withoutNulls(schema: z.ZodMiniType, given: unknown): unknown {
  const issues = flatten(schema.safeParse(given).error?.issues ?? []);
  const nulls = issues.filter(
    ({ path }) => typeof path.at(-1) === "string" && valueAt(given, path as FieldPath) === null,
  );
  if (nulls.length === 0) return given;
  const copy = structuredClone(given);
  for (const { path } of nulls) {
    const parent = valueAt(copy, path.slice(0, -1) as FieldPath) as Record<string, unknown>;
    delete parent[path.at(-1) as string];
  }
  // Some rules only run once the values have the right type.
  return withoutNulls(schema, copy);
}

function without(value: unknown, unknown: readonly Issue[]): unknown {
  const copy = structuredClone(value);
  for (const issue of unknown) {
    if (issue.code !== "unrecognized_keys") continue;
    const parent = valueAt(copy, issue.path as FieldPath) as Record<string, unknown>;
    for (const key of issue.keys) delete parent[key];
  }
  return copy;
}

/** The fields that a model allows at a place, to suggest the nearest name for a misspelt one. */
function knownFields(schema: z.ZodMiniType, path: FieldPath): string[] {
  const at = path.reduce<z.ZodMiniType | undefined>(step, schema);
  const inner = at === undefined ? undefined : unwrap(at);
  if (inner instanceof z.ZodMiniObject) return Object.keys(inner.shape);
  if (inner instanceof z.ZodMiniUnion)
    return inner.def.options.flatMap((option) => knownFields(option as z.ZodMiniType, []));
  return [];
}

function step(schema: z.ZodMiniType | undefined, segment: string | number): z.ZodMiniType | undefined {
  if (schema === undefined) return undefined;
  const inner = unwrap(schema);
  if (inner instanceof z.ZodMiniObject) return inner.shape[segment] as z.ZodMiniType | undefined;
  if (inner instanceof z.ZodMiniArray) return inner.def.element as z.ZodMiniType;
  if (inner instanceof z.ZodMiniRecord) return inner.def.valueType as z.ZodMiniType;
  if (inner instanceof z.ZodMiniUnion) {
    return inner.def.options
      .map((option) => step(option as z.ZodMiniType, segment))
      .find((found) => found !== undefined);
  }
  return undefined;
}

function unwrap(schema: z.ZodMiniType): z.ZodMiniType {
  if (
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniDefault
  ) {
    return unwrap(schema.def.innerType as z.ZodMiniType);
  }
  if (schema instanceof z.ZodMiniLazy) return unwrap(schema._zod.innerType as z.ZodMiniType);
  return schema;
}
