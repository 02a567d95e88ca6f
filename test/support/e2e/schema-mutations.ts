/** Makes copies of a value that differ in one field, valid and invalid, to try each rule of a CRD's schema from both sides. */
import type { FieldPath } from "../../../src/krm/places/field-path.ts";
import { formatFieldPath } from "../../../src/krm/places/field-path.ts";

/** The part of OpenAPI v3 that Karpenter's CRDs use. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly pattern?: string;
  readonly "x-kubernetes-int-or-string"?: boolean;
}

interface Mutation {
  /** The field, and its change. */
  readonly what: string;
  readonly value: unknown;
}

/** All changes below `value`. @param path its path in the object */
export function mutationsOf(schema: Schema, value: unknown, path: FieldPath): Mutation[] {
  const here = changesOf(schema, value).map(([what, changed]) => ({
    what: `${formatFieldPath(path)}: ${what}`,
    value: changed,
  }));
  return [...here, ...mutationsBelow(schema, value, path)];
}

function mutationsBelow(schema: Schema, value: unknown, path: FieldPath): Mutation[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      mutationsOf(schema.items ?? {}, item, [...path, index]).map(({ what, value: changed }) => ({
        what,
        value: value.with(index, changed),
      })),
    );
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    mutationsOf(schema.properties?.[key] ?? schema.additionalProperties ?? {}, item, [...path, key]).map(
      ({ what, value: changed }) => ({ what, value: { ...value, [key]: changed } }),
    ),
  );
}

type Change = readonly [what: string, value: unknown];

function changesOf(schema: Schema, value: unknown): Change[] {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return [
      ...["5", "1.5", "1Gi", "100m", "1e3", "-1", "five", "1 Gi", ""].map((text): Change => [`"${text}"`, text]),
      ["5", 5],
      ["a fraction", 1.5],
      ["true", true],
      ["null", null],
    ];
  }
  const common: Change[] = [["null", null]];
  switch (schema.type) {
    case "string":
      return [...common, ["a number", 7], ["a list", ["a"]], ...textChanges(schema)];
    case "integer":
      return [...common, ["in quotes", String(value)], ["a fraction", 1.5], ...numberChanges(schema)];
    case "boolean":
      return [...common, ["in quotes", String(value)], ["the other", value !== true]];
    case "array":
      return [...common, ["a mapping", {}], ["a text", "x"], ["empty", []], ...listChanges(schema, value as unknown[])];
    default:
      return [...common, ["a list", []], ["a text", "x"], ...objectChanges(schema, value as object)];
  }
}

const TIMES = [
  "yesterday",
  "2026-01-05",
  "2026-01-05T09:00Z",
  "2026-01-05T09:00:00",
  "2026-01-05 09:00:00Z",
  "2026-01-05t09:00:00z",
  "2026-01-05T09:00:00.123456789+02:00",
  "2026-01-05T09:00:00+0200",
  "2026-01-05T24:00:00Z",
  "2026-01-05T23:59:60Z",
  "2026-02-29T09:00:00Z",
  "2024-02-29T09:00:00Z",
];

function textChanges({ enum: choices = [], format, maxLength, pattern }: Schema): Change[] {
  const changes: Change[] = choices.map((choice) => [String(choice), choice]);
  if (choices.length > 0) changes.push(["a word that is none", "None"]);
  if (format === "date-time") changes.push(...TIMES.map((text): Change => [`"${text}"`, text]));
  if (maxLength !== undefined)
    changes.push(
      [`${maxLength} characters`, "a".repeat(maxLength)],
      [`${maxLength + 1} characters`, "a".repeat(maxLength + 1)],
    );
  if (pattern !== undefined)
    changes.push(["a blank", "a b"], ["capitals", "ABC"], ["Never", "Never"], ["a percentage", "10%"]);
  return [...changes, ["empty", ""], ["a duration", "30m"], ["dots and dashes", "a-b.c/d"]];
}

function numberChanges({ minimum, maximum, format }: Schema): Change[] {
  const changes: Change[] = [["0", 0]];
  if (minimum !== undefined) changes.push(["the smallest", minimum], ["below the smallest", minimum - 1]);
  if (maximum !== undefined) changes.push(["the largest", maximum], ["above the largest", maximum + 1]);
  if (minimum === undefined) changes.push(["below zero", -5]);
  if (format === "int32") changes.push(["more than 32 bits", 2 ** 31]);
  return changes;
}

function listChanges({ maxItems }: Schema, list: readonly unknown[]): Change[] {
  const [first] = list;
  const changes: Change[] = [["an entry twice", [...list, first]]];
  if (maxItems !== undefined)
    changes.push([`${maxItems + 1} entries`, Array.from({ length: maxItems + 1 }, () => first)]);
  return changes;
}

function objectChanges({ properties, maxProperties, additionalProperties }: Schema, object: object): Change[] {
  const changes: Change[] = Object.keys(object).map((key) => [`without ${key}`, without(object, key)]);
  changes.push(["empty", {}]);
  if (properties !== undefined) changes.push(["a field that is none", { ...object, unknownField: "x" }]);
  if (additionalProperties !== undefined) {
    const [value] = Object.values(object) as unknown[];
    changes.push(
      ["an empty key", { ...object, "": value }],
      ["another key", { ...object, "example.org/other": value }],
    );
  }
  if (maxProperties !== undefined) {
    const [value] = Object.values(object) as unknown[];
    const keys = Array.from({ length: maxProperties + 1 }, (_, index) => [`example.org/key-${index}`, value] as const);
    changes.push([`${maxProperties + 1} fields`, Object.fromEntries(keys)]);
  }
  return changes;
}

function without(object: object, key: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
