/** An object as an API server sends it, and as the Resource that rendering and findings take. */
import type { Resource } from "../../krm/places/resource.ts";
import type { Collection } from "./served-kind.ts";

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

/** An entry of managedFields; `fieldsV1` is a tree of `f:name` and `k:{…}` keys. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: "Apply" | "Update";
  readonly subresource?: string;
  readonly apiVersion?: string;
  readonly fieldsType?: "FieldsV1";
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

export interface LiveObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
    readonly managedFields?: readonly ManagedFieldsEntry[];
    readonly finalizers?: readonly string[];
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** The preconditions of a write: UID and resourceVersion as read. */
export interface Identity {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

export function identityOf({ metadata: { name, uid, resourceVersion } }: LiveObject): Identity {
  return { name, uid, resourceVersion };
}

/** @param side names the cluster in findings: `management:autonodepolicies/default` */
export function liveResource(object: LiveObject, side: "management" | "guest", { plural }: Collection): Resource {
  const { apiVersion, kind, metadata } = object;
  const { managedFields: _bookkeeping, ...kept } = metadata;
  return {
    apiVersion,
    kind,
    name: metadata.name,
    namespace: metadata.namespace,
    value: { ...object, metadata: kept },
    document: {
      source: {
        file: `${side}:${plural}/${metadata.name}`,
        folder: side,
        text: "",
        explicit: false,
        trusted: side === "management",
        config: false,
        withoutLines: true,
      },
      start: 0,
      end: 0,
      secret: kind === "Secret",
    },
    base: [],
    // A live object governs no folder; folders of files are absolute.
    folder: side,
  };
}
