/** All that a watch leaves in a management cluster, as it is at any time. */
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import {
  AUTO_NODE_POLICIES,
  type Collection,
  CONFIG_MAPS,
  EVENTS,
  HOSTED_CONTROL_PLANES,
  LEASES,
} from "../api/served-kind.ts";
import { follow, keyOf } from "../discover/follow.ts";
import { SETTINGS_NAME } from "../discover/read-settings.ts";
import { SET_LABEL } from "../objects/membership.ts";
import { WATCH_LABEL } from "../shards/lease-names.ts";
import { REPORTER } from "../tell/event-recorder.ts";

/** By `namespace/name`. */
type Objects = ReadonlyMap<string, LiveObject>;

export interface Stored {
  readonly controlPlanes: Objects;
  readonly policies: Objects;
  readonly settings: Objects;
  readonly inventories: Objects;
  readonly events: Objects;
  readonly leases: Objects;
  /** Why something cannot be read, by what it is and where. */
  readonly problems: ReadonlyMap<string, StoredProblem>;
  /** How far the cluster's clock is ahead of ours, in milliseconds; undefined before any Lease was renewed. */
  readonly aheadMs: number | undefined;
}

export interface StoredLeases {
  /** Undefined for all of them. */
  readonly namespace: string | undefined;
  /** Of the Lease of a leader. */
  readonly leader: string;
}

interface StoredProblem {
  /** `Lease cannot be listed`. */
  readonly about: string;
  readonly words: string;
}

type What = Exclude<keyof Stored, "problems" | "aheadMs">;

/** Undefined where it can be read. */
export function problemWith({ problems }: Stored, what: What, namespace: string): string | undefined {
  const problem = problems.get(`${what}/${namespace}`) ?? problems.get(`${what}/`);
  return problem && describe(problem);
}

/** One cause is told once: a server that does not answer, or a kubeconfig that is missing, concerns every kind. */
export function problemsOf(stores: readonly Stored[]): string[] {
  const all = stores.flatMap(({ problems }) => [...problems.values()]);
  const causes = Map.groupBy(all, ({ words }) => words);
  return [...causes].map(([words, alike]) =>
    alike.length === 1 ? describe(alike[0]!) : `the management cluster cannot be read: ${words}`,
  );
}

export function describe({ about, words }: StoredProblem): string {
  return `${about}: ${words}`;
}

interface FollowStored {
  /** Those of the hosted control planes; undefined for all of them. */
  readonly namespaces: readonly string[] | undefined;
  /** Of labels of HostedControlPlanes. */
  readonly selector?: string | undefined;
  /** None is read when left out. */
  readonly leases?: StoredLeases | undefined;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly now: () => number;
  readonly changed: () => void;
}

interface FollowedStored {
  readonly stored: Stored;
  /** When each of them has been asked for once, whatever came of it. */
  readonly asked: Promise<void>;
}

/** Until the signal. */
export function followStored(api: Pick<ClusterApi, "list" | "watch">, options: FollowStored): FollowedStored {
  const { namespaces, selector, leases, signal, random, now, changed } = options;
  const problems = new Map<string, StoredProblem>();
  const stored = {
    controlPlanes: new Map<string, LiveObject>(),
    policies: new Map<string, LiveObject>(),
    settings: new Map<string, LiveObject>(),
    inventories: new Map<string, LiveObject>(),
    events: new Map<string, LiveObject>(),
    leases: new Map<string, LiveObject>(),
    problems,
    aheadMs: undefined as number | undefined,
  };
  const first: Promise<void>[] = [];
  const each = (
    what: What,
    collection: Collection,
    selected: { readonly labelSelector?: string | undefined; readonly fieldSelector?: string | undefined } = {},
  ): void => {
    const { promise, resolve } = Promise.withResolvers<void>();
    first.push(promise);
    const place = `${what}/${what === "leases" ? (selected.fieldSelector ?? "") : (collection.namespace ?? "")}`;
    let isListed = false;
    void follow(api, collection, {
      ...selected,
      signal,
      random,
      keep: withoutOwners,
      changed: (object) => {
        if (what === "leases" && isListed)
          stored.aheadMs = Math.max(aheadOf(object, now()), stored.aheadMs ?? -Infinity);
        stored[what].set(keyOf(object), object);
        changed();
      },
      gone: (key) => {
        stored[what].delete(key);
        changed();
      },
      listed: () => {
        isListed = true;
        problems.delete(place);
        resolve();
        changed();
      },
      trouble: (words) => {
        problems.set(place, { about: `${collection.kind} cannot be ${isListed ? "followed" : "listed"}`, words });
        resolve();
        changed();
      },
    }).then(resolve);
  };
  for (const namespace of namespaces ?? [undefined]) {
    each("controlPlanes", { ...HOSTED_CONTROL_PLANES, namespace }, { labelSelector: selector });
    each("policies", { ...AUTO_NODE_POLICIES, namespace });
    each("settings", { ...CONFIG_MAPS, namespace }, { fieldSelector: `metadata.name=${SETTINGS_NAME}` });
    each("inventories", { ...CONFIG_MAPS, namespace }, { labelSelector: SET_LABEL });
    each("events", { ...EVENTS, namespace }, { fieldSelector: `reportingController=${REPORTER}` });
  }
  if (leases !== undefined) {
    const { namespace, leader } = leases;
    each("leases", { ...LEASES, namespace }, { labelSelector: WATCH_LABEL });
    each("leases", { ...LEASES, namespace }, { fieldSelector: `metadata.name=${leader}` });
  }
  return { stored, asked: Promise.all(first).then(() => undefined) };
}

function withoutOwners(object: LiveObject): LiveObject {
  // When the spec was written last is told there, and nowhere else.
  if (object.kind === AUTO_NODE_POLICIES.kind) return object;
  const { managedFields: _owners, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function aheadOf({ spec }: LiveObject, now: number): number {
  const renewed = Date.parse(String(spec?.["renewTime"]));
  return Number.isNaN(renewed) ? -Infinity : renewed - now;
}
