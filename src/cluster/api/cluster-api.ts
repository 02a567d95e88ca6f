/** The requests that anp sends to an API server: a method for each, with errors as data. */
import type { KubeObject } from "../../model/objects/kube-object.ts";
import type { Answer } from "./api-answer.ts";
import type { MalformedObject } from "./check-object.ts";
import type { Identity, LiveObject, ManagedFieldsEntry } from "./live-object.ts";
import type { ReadQuota } from "./read-quota.ts";
import type { Collection, ServedKind } from "./served-kind.ts";

/** Never changes: with another name the fields of the old one would stay (docs/upstream/hosts.md#server-side-apply). */
export const FIELD_MANAGER = "anp";

export interface ListOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** The quota of the read; without one each answer is bounded, but the list is not. */
  readonly budget?: ReadQuota | undefined;
  /** Picks the needed parts of an object, so that the page can be freed. */
  readonly keep?: ((object: LiveObject) => LiveObject) | undefined;
  /** Called with each invalid item, which is left out of the list. Without it an invalid item fails the list. */
  readonly onMalformed?: ((object: MalformedObject) => void) | undefined;
}

export interface Listed {
  readonly items: readonly LiveObject[];
  /** The version from which a watch continues. */
  readonly resourceVersion: string;
}

export interface WriteOptions {
  /** A server-side dry run: the API server validates and answers, but persists nothing. */
  readonly dryRun: boolean;
}

/** Absent for a kind without a spec. */
type Applicable = Omit<KubeObject, "spec"> & Partial<KubeObject>;

/** Any object that has a name. */
interface NamedObject {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

interface ApplyOptions extends WriteOptions {
  /** Take over fields that another manager owns; without it such a field is a conflict. */
  readonly force: boolean;
  /** Only the object with this UID: a conflict if it is gone or was recreated. */
  readonly uid?: string;
  /** Only if no object has the name: else a conflict. Of several that create at once, one succeeds. */
  readonly isNew?: boolean;
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: LiveObject;
}

export interface WatchOptions extends Pick<ListOptions, "labelSelector" | "fieldSelector"> {
  readonly resourceVersion: string;
  /** How long the server keeps the watch open. */
  readonly timeoutSeconds: number;
  /** Called with the length of each piece, before its events are yielded. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  readonly signal: AbortSignal;
}

/** Each request has a time limit. */
export interface ClusterApi {
  /** The server's address, for users. */
  readonly server: string;
  /** Requests since the start, by verb. */
  readonly requests: () => Readonly<Record<string, number>>;
  /** All objects, read page by page and consistently; `notFound` if the kind is not served. */
  readonly list: (collection: Collection, options?: ListOptions) => Promise<Answer<Listed>>;
  /** The served kinds of these groups, each in the preferred version. */
  readonly discover: (isWanted: (group: string) => boolean) => Promise<Answer<readonly ServedKind[]>>;
  /** Undefined if there is no such object, or no such kind. */
  readonly get: (collection: Collection, name: string) => Promise<Answer<LiveObject | undefined>>;
  /** Server-side apply. */
  readonly apply: (collection: Collection, object: Applicable, options: ApplyOptions) => Promise<Answer<LiveObject>>;
  /** Replaces the whole spec, whichever managers own its fields; only of the object with this UID. */
  readonly replaceSpec: (
    collection: Collection,
    identity: Identity,
    spec: KubeObject["spec"],
    options: WriteOptions,
  ) => Promise<Answer<LiveObject>>;
  /** Replaces managedFields, of the object with this UID. */
  readonly replaceManagedFields: (
    collection: Collection,
    identity: Identity,
    entries: readonly ManagedFieldsEntry[],
    options: WriteOptions,
  ) => Promise<Answer<LiveObject>>;
  /** Only if the object is still the same. The object while finalizers keep it, undefined if it is gone. */
  readonly remove: (
    collection: Collection,
    identity: Identity,
    options: WriteOptions,
  ) => Promise<Answer<LiveObject | undefined>>;
  /** A merge patch of `/status`; null removes the status. */
  readonly patchStatus: (
    collection: Collection,
    identity: Identity,
    status: object | null,
  ) => Promise<Answer<LiveObject>>;
  /** Replaces the whole object if its resourceVersion is unchanged: else a conflict. */
  readonly replace: (collection: Collection, object: LiveObject) => Promise<Answer<LiveObject>>;
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it lets literals have more keys
  readonly create: <T extends NamedObject>(collection: Collection, object: T) => Promise<Answer<LiveObject>>;
  /** A merge patch. */
  readonly patch: (
    collection: Collection,
    name: string,
    change: object,
    options?: WriteOptions,
  ) => Promise<Answer<LiveObject>>;
  /** The user name of these credentials (SelfSubjectReview). */
  readonly whoAmI: () => Promise<Answer<string>>;
  /** Whether the server answers within so many milliseconds, with any status. */
  readonly answers: (withinMs: number) => Promise<boolean>;
  /** Whether the server has started (/readyz): before that it forbids each request, because it has no roles yet. */
  readonly isReady: () => Promise<boolean>;
  /** Ends when the server closes the watch; an error is the last item. */
  readonly watch: (collection: Collection, options: WatchOptions) => AsyncIterable<Answer<WatchEvent>>;
  /** Closes idle connections. */
  readonly close: () => void;
}
