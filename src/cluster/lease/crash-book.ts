/** The clusters that were in a pass at a crash, as this replica knows them. */
import { afterCrash, type Crash, FORGOTTEN_MS } from "./crash-note.ts";

export interface CrashBook {
  /** Undefined for a cluster that was in no pass at a crash of the last hour. */
  readonly of: (cluster: string) => Crash | undefined;
  readonly all: () => readonly Crash[];
  /** What a Lease says, in place of what was known of its clusters. */
  readonly load: (crashes: readonly Crash[], isOfLease: (cluster: string) => boolean) => void;
  /** A pass of the cluster ended its process. */
  readonly add: (cluster: string) => void;
}

/** @param time milliseconds since 1970 */
export function crashBook(time: () => number): CrashBook {
  const crashes = new Map<string, Crash>();
  const forget = (): void => {
    for (const [cluster, { last }] of crashes) if (time() - last >= FORGOTTEN_MS) crashes.delete(cluster);
  };
  const set = (all: readonly Crash[]): void => {
    for (const crash of all) crashes.set(crash.cluster, crash);
  };
  return {
    of: (cluster) => {
      forget();
      return crashes.get(cluster);
    },
    all: () => {
      forget();
      return [...crashes.values()];
    },
    load: (all, isOfLease) => {
      for (const cluster of crashes.keys()) if (isOfLease(cluster)) crashes.delete(cluster);
      set(all.filter(({ cluster }) => isOfLease(cluster)));
    },
    add: (cluster) => {
      forget();
      set(afterCrash([...crashes.values()], [cluster], time()));
    },
  };
}
