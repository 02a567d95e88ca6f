/** The book of clusters that come and go: work for each that is there and ours. */
import { ClusterError } from "../api/api-answer.ts";
import type { FoundCluster } from "../discover/hosted-clusters.ts";
import type { StatusReporter, FleetState } from "../fleet/fleet-state.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import type { BeginWork, ClusterWork } from "./cluster-work.ts";

export interface KeepOptions {
  /** Of the watch of a hosted cluster. */
  readonly nameOf: (namespace: string) => string;
  readonly state: Pick<FleetState, "add" | "remove">;
  readonly log: (entry: LogEntry) => void;
  /** Whether its work is ours to begin. */
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
  /** To be called when `isOurs` says something else. */
  readonly review: () => void;
  /** Ends when nothing is under way any more for any cluster that is not ours, and of which `isMeant` says so. */
  readonly settled: (isMeant: (namespace: string) => boolean) => Promise<void>;
  readonly clusters: () => readonly KeptCluster[];
  /** Names of clusters whose pass has not come to its end. */
  readonly running: () => readonly string[];
}

interface Kept {
  readonly found: FoundCluster;
  readonly name: string;
  readonly desk: StatusReporter;
  /** Undefined for one that cannot be begun as it is. */
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
      state.remove(one.desk);
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
    const desk = state.add({ name, hostedCluster: namespace });
    const rest = { found, name, desk, isStopping: false };
    const refused = (reason: string): Kept => {
      log({ level: "error", msg: "not watched", fields: { cluster: name, reason } });
      desk.ended({ result: undefined, broken: reason, end: new Date() });
      desk.tell("backing-off");
      return { ...rest, work: undefined };
    };
    if (settings.problem !== undefined) return refused(settings.problem);
    try {
      return { ...rest, work: beginWork(found, name, desk) };
    } catch (error) {
      // Ours or its own: no fault in what one cluster is given ends the work for all others.
      return refused(error instanceof ClusterError ? error.message : String((error as Error).stack ?? error));
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
      [...kept.values()].filter(({ desk }) => desk.state().phase === "running").map(({ desk }) => desk.state().name),
  };
}
