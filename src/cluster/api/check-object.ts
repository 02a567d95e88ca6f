/** Checks what an API server sends as an object: the parts that anp needs, by one schema. */
import * as z from "zod/mini";
import { formatFieldPath } from "../../krm/places/field-path.ts";
import { isFields } from "../../krm/values/fields.ts";
import { parseRfc3339 } from "../../model/values/rfc3339.ts";
import { type ApiError, localError, shortened } from "./api-answer.ts";
import type { LiveObject } from "./live-object.ts";
import type { Collection } from "./served-kind.ts";

/** An answer, or an item of a list, that is no valid object of its kind. */
export interface MalformedObject {
  readonly kind: string;
  /** Undefined if the name cannot be used either. */
  readonly name: string | undefined;
  /** A bounded text for users. */
  readonly why: string;
}

/** A segment of a path (k8s.io/apimachinery `pkg/api/validation/path`, `IsValidPathSegmentName`), and one line. */
const nameSchema = z.string().check(
  z.minLength(1),
  z.maxLength(1000),
  z.refine((name) => name !== "." && name !== ".." && !/[/%\s\p{C}]/u.test(name) && name.isWellFormed()),
);
const uidSchema = z.string().check(z.regex(/^[\x21-\x7E]{1,128}$/));
const timeSchema = z.string().check(z.refine((text) => parseRfc3339(text) !== undefined));
const text = z.optional(z.string());
const fields = z.custom<Readonly<Record<string, unknown>>>(isFields);
// anp reads constant keys only; `__proto__` is an ordinary key in the result of JSON.parse.
const texts = z.custom<Readonly<Record<string, string>>>(
  (value) => isFields(value) && Object.values(value).every((one) => typeof one === "string"),
);

const metadataSchema = z.looseObject({
  name: nameSchema,
  namespace: z.optional(z.string().check(z.regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/))),
  uid: uidSchema,
  resourceVersion: z.string().check(z.regex(/^[\x21-\x7E]{1,128}$/)),
  generation: z.optional(z.int().check(z.minimum(0))),
  creationTimestamp: z.optional(timeSchema),
  deletionTimestamp: z.optional(timeSchema),
  labels: z.optional(texts),
  annotations: z.optional(texts),
  finalizers: z.optional(z.array(z.string())),
  ownerReferences: z.optional(
    z.array(
      z.looseObject({
        apiVersion: z.string(),
        kind: z.string(),
        name: z.string(),
        uid: text,
        controller: z.optional(z.nullable(z.boolean())),
      }),
    ),
  ),
  managedFields: z.optional(
    z.array(
      z.looseObject({
        manager: text,
        operation: text,
        subresource: text,
        apiVersion: text,
        fieldsType: text,
        fieldsV1: z.optional(fields),
      }),
    ),
  ),
});

const conditionSchema = z.looseObject({
  type: z.string(),
  status: z.string(),
  reason: z.optional(z.nullable(z.string())),
  message: z.optional(z.nullable(z.string())),
  observedGeneration: z.optional(z.nullable(z.int())),
  lastTransitionTime: z.optional(z.nullable(z.string())),
});

const schema = z.looseObject({ metadata: metadataSchema, spec: z.optional(fields) });

/** Of a name or a path, whose length the sender chooses. */
export const MOST_SHOWN = 100;

/** No real object is nested as deeply; later code descends through the whole object. */
const DEEPEST = 200;

/**
 * A hostile server may send anything. Invalid parts of the status are left out, because the status is only reported.
 *
 * @param name of the requested object; undefined for an item of a list
 * @param isStored false for the answer to a dry run, which has no resourceVersion if the object is new
 */
export function checkedObject(
  value: unknown,
  { apiVersion, kind, namespace }: Collection,
  name?: string,
  isStored = true,
): LiveObject | MalformedObject {
  const given = isFields(value) ? withoutNulls(value) : undefined;
  const metadata = isFields(given?.["metadata"]) ? withoutNulls(given["metadata"]) : undefined;
  const named = nameSchema.safeParse(metadata?.["name"]);
  const known = named.success ? named.data : name;
  const malformed = (why: string): MalformedObject => ({ kind, name: known, why });
  if (given === undefined || metadata === undefined) return malformed("it is no object with metadata");
  if (isDeeper(given, DEEPEST)) return malformed(`it has more than ${DEEPEST} levels`);
  const version = metadata["resourceVersion"] ?? "";
  const unstored = isStored || version !== "" ? {} : { resourceVersion: "0" };
  const wrong = wrongPart({ ...given, metadata: { ...metadata, ...unstored } });
  if (wrong !== undefined) return malformed(`its ${wrong} is none that an API server gives`);
  // The items of a list have no kind and apiVersion.
  if ((given["kind"] ?? kind) !== kind || (given["apiVersion"] ?? apiVersion) !== apiVersion)
    return malformed(`it says that it is of another kind than ${apiVersion} ${kind}`);
  if (name !== undefined && metadata["name"] !== name) return malformed("it has another name than was asked for");
  if (namespace !== undefined && metadata["namespace"] !== namespace)
    return malformed(`it is not in the namespace ${namespace}`);
  const { status: _status, ...rest } = given;
  const status = isFields(given["status"]) ? { status: statusOf(given["status"]) } : {};
  return { ...rest, ...status, apiVersion, kind, metadata } as unknown as LiveObject;
}

export function isMalformed(checked: LiveObject | MalformedObject): checked is MalformedObject {
  return "why" in checked && !("metadata" in checked);
}

/** The server may have executed the request. */
export function malformedAnswer({ kind, name, why }: MalformedObject): ApiError {
  const which = name === undefined ? `a ${kind}` : `${kind} ${shortened(name, MOST_SHOWN)}`;
  return localError("malformed", `the API server answers with ${which} that cannot be used: ${why}`);
}

/** The API server treats null as absent. */
function withoutNulls(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Object.values(value).includes(null)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null));
}

/** The path of the first part that does not match the schema. */
function wrongPart(value: unknown): string | undefined {
  const { error } = schema.safeParse(value);
  const path = error?.issues[0]?.path.filter((key) => typeof key !== "symbol");
  return path && shortened(formatFieldPath(path), MOST_SHOWN);
}

function statusOf(status: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { conditions } = status;
  if (conditions === undefined) return status;
  const fit = Array.isArray(conditions) ? conditions.filter((one) => conditionSchema.safeParse(one).success) : [];
  return { ...status, conditions: fit };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}
