/** All that anp asks of an API server: one method a question, errors as data. */
import type { KubeObject } from "../../model/kube-object.ts";
import type { Answer } from "./api-answer.ts";
import type { Identity, LiveObject, ManagedFieldsEntry } from "./live-object.ts";
import type { ReadBudget } from "./read-budget.ts";
import type { Collection, ServedKind } from "./served-kind.ts";

/** For ever: another name would leave fields behind that nobody owns (docs/upstream/hosts.md#server-side-apply). */
export const FIELD_MANAGER = "anp";

export interface ListOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** What may be read; without one an answer is bounded, and the list is not. */
  readonly budget?: ReadBudget | undefined;
  /** What is needed of an object; the rest goes with the page that it came in. */
  readonly keep?: ((object: LiveObject) => LiveObject) | undefined;
}

export interface Listed {
  readonly items: readonly LiveObject[];
  /** Where a watch goes on. */
  readonly resourceVersion: string;
}

interface WriteOptions {
  /** The API server judges and answers as if it were done, and does nothing. */
  readonly dryRun: boolean;
}

/** A kind without a spec has none. */
type Applicable = Omit<KubeObject, "spec"> & Partial<KubeObject>;

interface ApplyOptions extends WriteOptions {
  /** Take over fields that another manager owns; without it such a field is a conflict. */
  readonly force: boolean;
  /** Only this very object: a conflict where it is gone, or another one of its name stands there. */
  readonly uid?: string;
  /** Only where none of its name stands there: a conflict else, and of several who do so at one moment one makes it. */
  readonly isNew?: boolean;
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: LiveObject;
}

export interface WatchOptions extends Pick<ListOptions, "labelSelector" | "fieldSelector"> {
  readonly resourceVersion: string;
  /** How long the server keeps it open. */
  readonly timeoutSeconds: number;
  /** Told how much came, before it is told what it was. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  readonly signal: AbortSignal;
}

/** No request goes without a time limit. */
export interface ClusterApi {
  /** For people: the server's address. */
  readonly server: string;
  /** Requests since the start, by verb. */
  readonly requests: () => Readonly<Record<string, number>>;
  /** Everything, read page by page and consistently; `notFound` where the kind is not served. */
  readonly list: (collection: Collection, options?: ListOptions) => Promise<Answer<Listed>>;
  /** The kinds that the server serves of such groups, each in the version that it prefers. */
  readonly discover: (isWanted: (group: string) => boolean) => Promise<Answer<readonly ServedKind[]>>;
  /** Undefined where there is no such object, or no such kind. */
  readonly get: (collection: Collection, name: string) => Promise<Answer<LiveObject | undefined>>;
  /** Server-side apply. */
  readonly apply: (collection: Collection, object: Applicable, options: ApplyOptions) => Promise<Answer<LiveObject>>;
  /** Makes the spec exactly this one, whoever owned what else stood there; only of this very object, whoever changed it since. */
  readonly replaceSpec: (
    collection: Collection,
    identity: Identity,
    spec: KubeObject["spec"],
    options: WriteOptions,
  ) => Promise<Answer<LiveObject>>;
  /** Makes the records of who owns which fields exactly these; of this very object. */
  readonly replaceManagedFields: (
    collection: Collection,
    identity: Identity,
    entries: readonly ManagedFieldsEntry[],
    options: WriteOptions,
  ) => Promise<Answer<LiveObject>>;
  /** Only if the object is still the same. True also where it is gone by now. */
  readonly remove: (collection: Collection, identity: Identity, options: WriteOptions) => Promise<Answer<true>>;
  /** A merge patch of `/status`. */
  readonly patchStatus: (collection: Collection, identity: Identity, status: object) => Promise<Answer<LiveObject>>;
  /** The whole object, only if it is still as it was read: a conflict else. */
  readonly replace: (collection: Collection, object: LiveObject) => Promise<Answer<LiveObject>>;
  readonly create: (collection: Collection, object: object) => Promise<Answer<LiveObject>>;
  /** A merge patch. */
  readonly patch: (
    collection: Collection,
    name: string,
    change: object,
    options?: WriteOptions,
  ) => Promise<Answer<LiveObject>>;
  /** The user name that the server knows us by (SelfSubjectReview). */
  readonly whoAmI: () => Promise<Answer<string>>;
  /** Whether it answers at all within so many milliseconds, whatever it says. */
  readonly answers: (withinMs: number) => Promise<boolean>;
  /** Whether it is done with starting: until it knows its roles it forbids everything to everybody. */
  readonly isReady: () => Promise<boolean>;
  /** Ends without a word when the server closes it; an error is its last item. */
  readonly watch: (collection: Collection, options: WatchOptions) => AsyncIterable<Answer<WatchEvent>>;
  /** Closes idle connections. */
  readonly close: () => void;
}
