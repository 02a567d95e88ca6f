/** The watch that runs somewhere else, as the clusters tell of it: only read, for ever or once. */
import type { PerhapsCatalogueFor } from "../tell/pool-judge.ts";
import { poolJudge } from "../tell/pool-judge.ts";
import { allConnections } from "../api/connections.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import type { LiveObject } from "../api/live-object.ts";
import { readingOnly } from "../api/reading-only.ts";
import { NO_SETTINGS, readSettings, SETTINGS_NAME } from "../discover/read-settings.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { followStored, problemsOf, type Stored, type StoredLeases } from "../observe/follow-stored.ts";
import { keepersOf, type LeasesOf } from "../observe/keepers.ts";
import type { GuestReading, Keeper, ObservedCluster, ObservedFleet } from "../observe/observed.ts";
import { eventsByNamespace, isDryRun, madeIn } from "../observe/stored-parts.ts";
import { toldOf } from "../observe/told.ts";
import { directoryReader } from "../read/read-directory.ts";
import { inParallel } from "../waiting/in-parallel.ts";
import { type DiscoverSpec, nameOf, openFound } from "./found-cluster.ts";
import { keepLooking } from "./keep-looking.ts";
import { observeGuest } from "./observe-guest.ts";
import { openAccess } from "./open-clusters.ts";
import type { ClusterSpec } from "./run-watch.ts";

/** A hosted cluster that is named; where nobody says how its guest cluster is reached, that is not read. */
export interface ObservedSpec extends Omit<ClusterSpec, "guest"> {
  readonly guest: KubeAccessOptions | undefined;
}

export interface ObserveOptions {
  /** Either these, */
  readonly clusters: readonly ObservedSpec[];
  /** or those that a management cluster has. */
  readonly discover: DiscoverSpec | undefined;
  /** Whether the kubeconfigs of those that are found are read from their Secrets. */
  readonly readsSecrets: boolean;
  /** Of the cluster that holds the Leases, where it is none of the others. */
  readonly leaseAccess: KubeAccessOptions | undefined;
  readonly leases: StoredLeases & LeasesOf;
  readonly intervalMs: number;
  readonly concurrency: number;
  readonly catalogue: PerhapsCatalogueFor;
}

export interface Observation {
  /** As it is now. */
  readonly fleet: () => ObservedFleet;
  /** All of it has been asked for once. */
  readonly asked: Promise<void>;
  readonly stop: () => void;
}

/** Each API with what is followed in it. */
interface Side {
  readonly api: ClusterApi;
  readonly stored: Stored;
}

/** @param isOnce each guest cluster is looked at once */
export function observe(options: ObserveOptions, isOnce: boolean, changed: () => void): Observation {
  const { clusters: named, discover, leases } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const connections = allConnections();
  const door = { connections, until: signal };
  const open = (access: KubeAccessOptions): ClusterApi => readingOnly(openAccess(access, door).api);
  const sides = new Map<string, Side>();
  const asked: Promise<void>[] = [];
  const followed = (
    access: KubeAccessOptions,
    namespaces: readonly string[] | undefined,
    places: StoredLeases | undefined,
  ): Side => {
    const api = open(access);
    const following = {
      namespaces,
      selector: discover?.selector,
      leases: places,
      signal,
      random: Math.random,
      changed,
    };
    const followed = followStored(api, { ...following, now: Date.now });
    asked.push(followed.asked);
    return { api, stored: followed.stored };
  };
  const leaseKey = JSON.stringify(options.leaseAccess);
  if (discover !== undefined) sides.set("", followed(discover.management, undefined, leases));
  const groups = Map.groupBy(
    named.filter(({ management }) => management !== undefined),
    ({ management }) => JSON.stringify(management),
  );
  for (const [key, group] of groups) {
    const holdsLeases = key === leaseKey || (options.leaseAccess === undefined && groups.size === 1);
    const namespaces = [...new Set(group.map(({ hostedCluster }) => hostedCluster))];
    sides.set(key, followed(group[0]!.management!, namespaces, holdsLeases ? leases : undefined));
  }
  const ofLeases =
    options.leaseAccess === undefined || groups.has(leaseKey)
      ? (sides.get(leaseKey) ?? (sides.size === 1 ? [...sides.values()][0] : undefined))
      : followed(options.leaseAccess, [], leases);

  const readings = new Map<string, GuestReading>();
  const opened = new Map<string, { readonly settings: LiveObject | undefined; readonly cluster: WatchedCluster }>();

  const present = (): Present[] => {
    const side = sides.get("");
    if (discover === undefined || side === undefined)
      return named.map((spec) => ({
        ...spec,
        side: spec.management === undefined ? undefined : sides.get(JSON.stringify(spec.management)),
        open: () => (spec.guest === undefined ? NO_GUEST : openNamed(spec, spec.guest)),
      }));
    const namespaces = new Set([...side.stored.controlPlanes.values()].map(({ metadata }) => metadata.namespace ?? ""));
    return [...namespaces].toSorted().flatMap((hostedCluster) => {
      const name = nameOf(hostedCluster, discover);
      if (discover.only.size > 0 && !discover.only.has(name)) return [];
      const open = () => (options.readsSecrets ? openDiscovered(hostedCluster, side, discover) : NO_SECRETS);
      return [{ name, hostedCluster, side, dryRun: discover.defaults.dryRun, open }];
    });
  };
  const openNamed = (spec: ObservedSpec, guest: KubeAccessOptions): WatchedCluster => {
    const known = opened.get(spec.name);
    if (known !== undefined) return known.cluster;
    const management = spec.management && sides.get(JSON.stringify(spec.management))?.api;
    const readDirectory = directoryReader(spec.source);
    const cluster = { ...spec, guest: open(guest), management, readDirectory, settleMs: 0, pruneAfterMs: 0 };
    opened.set(spec.name, { settings: undefined, cluster });
    return cluster;
  };
  const openDiscovered = (namespace: string, { api, stored }: Side, found: DiscoverSpec): WatchedCluster | string => {
    const object = stored.settings.get(`${namespace}/${SETTINGS_NAME}`);
    const known = opened.get(namespace);
    if (known !== undefined && known.settings === object) return known.cluster;
    const settings = object === undefined ? NO_SETTINGS : readSettings(object);
    if (settings.problem !== undefined) return settings.problem;
    const { cluster } = openFound({ namespace, settings }, found, { door, management: api, settleMs: 0 });
    const looked = { ...cluster, guest: readingOnly(cluster.guest), management: api, pruneAfterMs: 0 };
    opened.set(namespace, { settings: object, cluster: looked });
    return looked;
  };

  const judges = new Map<string, ReturnType<typeof poolJudge>>();
  const look = async ({ name, hostedCluster, open: openGuest }: Present): Promise<void> => {
    const cluster = openGuest();
    const judge = judges.get(hostedCluster) ?? poolJudge(options.catalogue);
    judges.set(hostedCluster, judge);
    const reading: GuestReading =
      typeof cluster === "string"
        ? { state: "unread", why: cluster }
        : await observeGuest(cluster, judge, { signal, now: () => new Date() });
    readings.set(name, reading);
    changed();
  };

  let isAsked = false;
  const fleet = (): ObservedFleet => {
    const now = new Date();
    const keepers = ofLeases && keepersOf(ofLeases.stored, leases, now);
    const events = new Map(
      [...sides].map(([key, { stored }]) => [sides.get(key)!, eventsByNamespace(stored)] as const),
    );
    const clusters = present().map(({ name, hostedCluster, side, dryRun }): ObservedCluster => {
      const told = side && (events.get(side)?.get(hostedCluster) ?? []);
      const made = side && madeIn(side.stored, hostedCluster);
      // Whoever does not know what is watched takes no shard's holder for the keeper of what nobody has touched.
      const isForeign = leases.expected === undefined && made?.length === 0;
      const keeper: Keeper = isForeign
        ? { state: "unknown", why: "no watch has made anything of it" }
        : (keepers?.of(hostedCluster) ?? { state: "unknown", why: "nobody says which cluster has the Leases" });
      return {
        name,
        hostedCluster,
        keeper,
        told:
          side === undefined || told === undefined
            ? { ...NOTHING_TOLD, notes: ["without a management cluster nothing is told of the last pass"] }
            : toldOf(side.stored, hostedCluster, keeper, told, now),
        made,
        events: told ?? [],
        guest: readings.get(name) ?? { state: "unread", why: "it has not been read yet" },
        dryRun: dryRun || (side !== undefined && isDryRun(side.stored, hostedCluster)),
      };
    });
    const stores = [...new Set([...sides.values(), ...(ofLeases === undefined ? [] : [ofLeases])])];
    const problems = problemsOf(stores.map(({ stored }) => stored));
    return { isAsked, clusters, replicas: keepers?.replicas ?? [], problems };
  };

  const askAll = async (): Promise<void> => {
    await Promise.all(asked);
    isAsked = true;
    if (isOnce) await inParallel(present(), options.concurrency, look, signal);
  };
  const stopLooking = isOnce ? () => undefined : keepLooking(present, look, options);
  return {
    fleet,
    asked: askAll(),
    stop: () => {
      stopLooking();
      ending.abort();
      connections.close();
    },
  };
}

interface Present {
  readonly name: string;
  readonly hostedCluster: string;
  readonly side: Side | undefined;
  readonly dryRun: boolean;
  /** Or why its guest cluster cannot be read. */
  readonly open: () => WatchedCluster | string;
}

const NO_GUEST = "no kubeconfig of it is given";
const NO_SECRETS = "its kubeconfig is in a Secret, which --read-guests reads";
const NOTHING_TOLD = { result: undefined, mode: undefined, ready: undefined, since: undefined } as const;
