/** What a write would store, from the live object alone: for users without a dry run. */
import type { FieldPath } from "../../krm/places/field-path.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { someOf } from "../../krm/values/counted.ts";
import { type Fields, isFields } from "../../krm/values/fields.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { isGuardName, RESERVED_NAMES } from "../../model/objects/reserved-names.ts";
import type { ApiError } from "../api/api-answer.ts";
import type { LiveObject } from "../api/live-object.ts";
import { type FieldOwners, fieldOwners } from "../objects/field-owners.ts";

/** A dry run that was refused: of an object, with the message of the API server. */
export interface RefusedDryRun {
  readonly name: string;
  readonly message: string;
}

/** Whether the user may not write the object, by its rights or by an admission policy of anp. */
export function isRefusedToUser({ kind, message }: ApiError): boolean {
  const [, policy = ""] = /ValidatingAdmissionPolicy '([^']+)'/.exec(message) ?? [];
  return kind === "forbidden" || RESERVED_NAMES.has(policy) || isGuardName(policy);
}

/** A sentence on what was not asked, and what that means. None if everything was. */
export function notAskedSentences(refused: readonly RefusedDryRun[]): string[] {
  const [first] = refused;
  if (first === undefined) return [];
  const names = someOf(
    refused.map(({ name }) => name),
    3,
  );
  return [
    `the API server was not asked what it would store, because it refuses this user's dry run of ${names}: ${first.message}; compared with the live objects instead, which leaves out what the server would refuse, default or change`,
  ];
}

/** The object after a server-side apply: fields that anp applied before and no longer does go, those of others stay. */
export function appliedTo(live: LiveObject, object: KubeObject): KubeObject {
  const owners = fieldOwners(live);
  const goes = (path: FieldPath): boolean => {
    if (owners.isOurs(path)) return !owners.isPartOfOurs(path) && owners.othersOf(path).length === 0;
    return owners.isPartOfOthers(path);
  };
  const { labels, annotations } = live.metadata;
  const merged = (field: "labels" | "annotations", there: Fields | undefined) =>
    there === undefined && object.metadata[field] === undefined
      ? {}
      : { [field]: mergedMap(object.metadata[field] ?? {}, there ?? {}, ["metadata", field], goes) };
  return {
    ...object,
    metadata: { ...object.metadata, ...merged("labels", labels), ...merged("annotations", annotations) },
    spec: mergedMap(object.spec, live.spec ?? {}, ["spec"], goes),
  };
}

/** The spec after it was replaced: only fields without an owner stay, which the server has set as defaults. */
export function replacedIn(live: LiveObject, spec: KubeObject["spec"]): KubeObject["spec"] {
  const owners = fieldOwners(live);
  return mergedMap(spec, live.spec ?? {}, ["spec"], (path) => !isDefault(owners, path));
}

function isDefault(owners: FieldOwners, path: FieldPath): boolean {
  return !owners.unknown && owners.othersOf(path).length === 0 && (!owners.isOurs(path) || owners.isPartOfOurs(path));
}

function mergedMap(
  desired: Fields,
  live: Fields,
  path: FieldPath,
  goes: (path: FieldPath) => boolean,
): Record<string, unknown> {
  const kept = Object.entries(live).filter(([key]) => (desired[key] ?? null) === null && !goes([...path, key]));
  const written = Object.entries(desired).flatMap(([key, value]) =>
    (value ?? null) === null ? [] : [[key, mergedValue(value, live[key], [...path, key], goes)] as const],
  );
  return Object.fromEntries([...written, ...kept]);
}

function mergedValue(desired: unknown, live: unknown, path: FieldPath, goes: (path: FieldPath) => boolean): unknown {
  if (isFields(desired) && isFields(live)) return mergedMap(desired, live, path, goes);
  // Items may have defaults, too.
  if (Array.isArray(desired) && Array.isArray(live) && desired.length === live.length)
    return desired.map((item: unknown, at) => (isPartOf(item, live[at]) ? (live[at] as unknown) : item));
  return canonical(desired) === canonical(live) ? live : desired;
}

function isPartOf(desired: unknown, live: unknown): boolean {
  if (!isFields(desired) || !isFields(live)) return canonical(desired) === canonical(live);
  return Object.entries(desired).every(([key, value]) => isPartOf(value, live[key]));
}
