/** Selects clusters of a WatchConfig, and refuses flags that relax a guard for all. */
import { UsageError } from "../cli/exit-codes.ts";
import type { WatchOptions } from "./options.ts";

interface Configured {
  readonly maxPrune: number;
  readonly hasLease: boolean;
}

/** @throws UsageError for an unknown name, or if a flag would relax a guard for clusters that no option names */
export function chosenClusters<T extends { readonly name: string }>(
  clusters: readonly T[],
  choice: WatchOptions,
  { maxPrune, hasLease }: Configured,
): readonly T[] {
  const { cluster = [], name, once = false } = choice;
  const asked = new Set([...cluster, ...(name === undefined ? [] : [name])]);
  const unknown = [...asked].find((one) => !clusters.some((known) => known.name === one));
  if (unknown !== undefined) {
    const flag = cluster.includes(unknown) ? "--cluster" : "--name";
    const known = clusters.map((one) => one.name).join(", ");
    throw new UsageError(`${flag} ${unknown} is not a cluster of the WatchConfig; it has ${known}`);
  }
  if (asked.size === 0) {
    const opened = clusters.length > 1 ? openedGuard(choice, maxPrune) : undefined;
    if (opened !== undefined)
      throw new UsageError(
        `${opened} relaxes a guard for all ${clusters.length} clusters: name the clusters that it is for with --cluster`,
      );
    return clusters;
  }
  if (!once && hasLease && asked.size < clusters.length)
    throw new UsageError(
      "--cluster needs --once if the WatchConfig has a leaderElection: the leader reconciles all clusters",
    );
  return clusters.filter((one) => asked.has(one.name));
}

/** The flag that allows more deletions or adoptions than the configuration. */
export function openedGuard({ allowEmpty, maxPrune, adopt }: WatchOptions, configured: number): string | undefined {
  if (allowEmpty === true) return "--allow-empty";
  // A lower limit on deletions does no harm.
  if (maxPrune !== undefined && maxPrune > configured) return `--max-prune ${maxPrune}`;
  return adopt.length > 0 ? "--adopt" : undefined;
}
