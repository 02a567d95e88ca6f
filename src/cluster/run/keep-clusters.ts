/** The loops of clusters that come and go: one for each that is there and ours. */
import type { AllConnections } from "../api/connections.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { ClusterError } from "../api/cluster-error.ts";
import type { SecretAccess } from "../api/secret-access.ts";
import type { FoundCluster } from "../discover/hosted-clusters.ts";
import type { Desk } from "../fleet/fleet-state.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { pause } from "../waiting/pause.ts";
import { type PendingSignal, pendingSignal } from "../waiting/pending-signal.ts";
import { slots } from "../waiting/slots.ts";
import { clusterLoop } from "./cluster-loop.ts";
import { type DiscoverSpec, nameOf, openFound } from "./found-cluster.ts";
import { knocking } from "./knock.ts";
import type { Run } from "./run.ts";

export interface KeepOptions {
  readonly discover: DiscoverSpec;
  readonly run: Run;
  /** Reads Secrets. */
  readonly management: ClusterApi;
  readonly connections: AllConnections;
  /** Whether its work is ours to begin. */
  readonly isOurs: (namespace: string) => boolean;
  /** Asked right before each request for it. */
  readonly mayAsk: (namespace: string) => boolean;
  readonly took: (cluster: string, seconds: number) => void;
  /** Cuts everything at once. */
  readonly cut: AbortSignal;
}

export interface ClusterKeeper {
  readonly found: (cluster: FoundCluster) => void;
  readonly gone: (namespace: string) => void;
  readonly news: (namespace: string) => void;
  readonly credentials: (namespace: string) => void;
  /** To be called when `isOurs` says something else. */
  readonly review: () => void;
  /** Ends when nothing is under way any more for any cluster that is not ours, and of which `isMeant` says so. */
  readonly settled: (isMeant: (namespace: string) => boolean) => Promise<void>;
  readonly clusters: () => readonly WatchedCluster[];
  /** Names of clusters whose pass has not come to its end. */
  readonly running: () => readonly string[];
}

/** How long a pass has to come to its end by itself. */
const DRAIN_MS = 10_000;

/** What was under way when it was cut may still be done by the API server. */
const AFTER_CUT_MS = 5000;

/** How long changed files must have stayed as they are. */
const SETTLE_MS = 2000;

interface Kept {
  readonly found: FoundCluster;
  readonly desk: Desk;
  readonly news: PendingSignal;
  readonly cluster: WatchedCluster | undefined;
  readonly access: SecretAccess | undefined;
  readonly stop: () => Promise<void>;
  isStopping: boolean;
}

export function keepClusters(options: KeepOptions): ClusterKeeper {
  const { discover, run, isOurs } = options;
  const places = slots(run.options.concurrency);
  const knock = knocking(options.cut);
  const wanted = new Map<string, FoundCluster>();
  const kept = new Map<string, Kept>();
  const stopping = new Map<string, Promise<void>>();

  const review = (namespace: string): void => {
    const found = wanted.get(namespace);
    const should = found !== undefined && isOurs(namespace) ? found : undefined;
    const one = kept.get(namespace);
    if (one === undefined) {
      if (should !== undefined) kept.set(namespace, begin(should));
      return;
    }
    if (one.isStopping || one.found === should) return;
    one.isStopping = true;
    const stopped = one.stop().then(() => {
      run.state.remove(one.desk);
      kept.delete(namespace);
      stopping.delete(namespace);
      // It may have come back in the meantime.
      review(namespace);
      return undefined;
    });
    stopping.set(namespace, stopped);
  };
  const reviewAll = (): void => {
    for (const namespace of new Set([...wanted.keys(), ...kept.keys()])) review(namespace);
  };

  const begin = (found: FoundCluster): Kept => {
    const { namespace, settings } = found;
    const name = nameOf(namespace, discover);
    const desk = run.state.add({ name, hostedCluster: namespace });
    const news = pendingSignal();
    const rest = { found, desk, news, isStopping: false };
    const refused = (reason: string): Kept => {
      run.log({ level: "error", msg: "not watched", fields: { cluster: name, reason } });
      desk.ended({ result: undefined, broken: reason, end: new Date() });
      desk.tell("backing-off");
      return { ...rest, cluster: undefined, access: undefined, stop: () => Promise.resolve() };
    };
    if (settings.problem !== undefined) return refused(settings.problem);
    try {
      return { ...rest, ...work(found, name, desk, news) };
    } catch (error) {
      if (error instanceof ClusterError) return refused(error.message);
      throw error;
    }
  };

  const work = (found: FoundCluster, name: string, desk: Desk, news: PendingSignal) => {
    const { namespace } = found;
    const end = new AbortController();
    const cut = new AbortController();
    const until = AbortSignal.any([cut.signal, options.cut]);
    const { connections, management } = options;
    const door = { connections, until, mayAsk: () => options.mayAsk(namespace) };
    const { cluster, access, intervalMs } = openFound(found, discover, { door, management, settleMs: SETTLE_MS });
    run.log({ level: "info", msg: "watching", fields: { cluster: name, namespace } });
    let isOver = false;
    const over = clusterLoop(cluster, {
      run,
      desk,
      news,
      slots: places,
      knock,
      intervalMs: intervalMs ?? run.options.intervalMs,
      signal: AbortSignal.any([end.signal, options.cut]),
      took: (seconds) => options.took(name, seconds),
      isToldOfManagement: true,
    })
      .catch((error: unknown) => {
        run.log({ level: "error", msg: "pass failed", fields: { cluster: name, reason: String(error) } });
      })
      .finally(() => {
        isOver = true;
      });
    const stop = async (): Promise<void> => {
      const done = new AbortController();
      end.abort();
      await Promise.race([over, pause(DRAIN_MS, done.signal)]);
      done.abort();
      const wasCut = !isOver;
      cut.abort();
      await over;
      if (wasCut) await pause(AFTER_CUT_MS, options.cut);
      connections.dropIdle(cluster.guest.server);
      run.log({ level: "info", msg: "not watched any more", fields: { cluster: name, namespace } });
    };
    return { cluster, access, stop };
  };

  return {
    found: (cluster) => {
      const known = wanted.get(cluster.namespace);
      if (known !== undefined && JSON.stringify(known.settings) === JSON.stringify(cluster.settings)) return;
      wanted.set(cluster.namespace, cluster);
      review(cluster.namespace);
    },
    gone: (namespace) => {
      wanted.delete(namespace);
      review(namespace);
    },
    news: (namespace) => kept.get(namespace)?.news.raise(),
    credentials: (namespace) => {
      const one = kept.get(namespace);
      one?.access?.changed();
      // Whoever backs off because of the old ones need not wait.
      if (one?.desk.state().phase === "backing-off") one.desk.levers.raise();
    },
    review: reviewAll,
    settled: async (isMeant) => {
      reviewAll();
      for (;;) {
        const next = [...stopping].find(([namespace]) => isMeant(namespace));
        if (next === undefined) return;
        await next[1];
      }
    },
    clusters: () => [...kept.values()].flatMap(({ cluster }) => cluster ?? []),
    running: () =>
      [...kept.values()]
        .map(({ desk }) => desk.state())
        .filter(({ phase }) => phase === "running")
        .map(({ name }) => name),
  };
}
