/** Keeps a loop for each discovered hosted cluster of this replica. */
import type { FoundCluster } from "../discover/hosted-clusters.ts";
import type { StatusReporter, FleetState } from "../fleet/fleet-state.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import type { BeginWork, ClusterWork } from "./cluster-work.ts";

export interface KeepOptions {
  /** The name of a hosted cluster's watch. */
  readonly nameOf: (namespace: string) => string;
  readonly state: Pick<FleetState, "add" | "remove">;
  readonly log: (entry: LogEntry) => void;
  /** Whether this replica may start its loop. */
  readonly isOurs: (namespace: string) => boolean;
  readonly begin: BeginWork;
}

interface KeptCluster extends Pick<ClusterWork, "guest" | "management"> {
  readonly name: string;
  readonly namespace: string;
}

export interface ClusterKeeper {
  readonly found: (cluster: FoundCluster) => void;
  readonly gone: (namespace: string) => void;
  readonly news: (namespace: string) => void;
  readonly credentials: (namespace: string) => void;
  /** Call it when the result of `isOurs` changes. */
  readonly review: () => void;
  /** Ends when the loops of those `isMeant` clusters have ended that this replica gives up. */
  readonly settled: (isMeant: (namespace: string) => boolean) => Promise<void>;
  readonly clusters: () => readonly KeptCluster[];
  /** Names of clusters with a running pass. */
  readonly running: () => readonly string[];
}

interface Kept {
  readonly found: FoundCluster;
  readonly name: string;
  readonly reporter: StatusReporter;
  /** Undefined if it cannot be started. */
  readonly work: ClusterWork | undefined;
  isStopping: boolean;
}

export function keepClusters({ nameOf, state, log, isOurs, begin: beginWork }: KeepOptions): ClusterKeeper {
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
    const stopped = Promise.resolve(one.work?.stop()).then(() => {
      state.remove(one.reporter);
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
    const name = nameOf(namespace);
    const reporter = state.add({ name, hostedCluster: namespace });
    const rest = { found, name, reporter, isStopping: false };
    const refused = (reason: string): Kept => {
      log({ level: "error", msg: "not watched", fields: { cluster: name, reason } });
      reporter.ended({ result: undefined, broken: reason, end: new Date() });
      reporter.report("backing-off");
      return { ...rest, work: undefined };
    };
    if (settings.problem !== undefined) return refused(settings.problem);
    try {
      return { ...rest, work: beginWork(found, name, reporter) };
    } catch (error) {
      // A bug of anp must not stop the other clusters.
      return refused(String((error as Error).stack ?? error));
    }
  };

  return {
    found: (cluster) => {
      const known = wanted.get(cluster.namespace);
      if (known?.settings.print === cluster.settings.print) return;
      wanted.set(cluster.namespace, cluster);
      review(cluster.namespace);
    },
    gone: (namespace) => {
      wanted.delete(namespace);
      review(namespace);
    },
    news: (namespace) => kept.get(namespace)?.work?.news(),
    credentials: (namespace) => kept.get(namespace)?.work?.credentials(),
    review: reviewAll,
    settled: async (isMeant) => {
      reviewAll();
      for (;;) {
        const next = [...stopping].find(([namespace]) => isMeant(namespace));
        if (next === undefined) return;
        await next[1];
      }
    },
    clusters: () =>
      [...kept].flatMap(([namespace, { name, work }]) =>
        work === undefined ? [] : [{ namespace, name, guest: work.guest, management: work.management }],
      ),
    running: () =>
      [...kept.values()]
        .filter(({ reporter }) => reporter.state().phase === "running")
        .map(({ reporter }) => reporter.state().name),
  };
}
