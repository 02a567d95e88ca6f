/** Which clusters of a WatchConfig a run is for, and whether guards may be opened for all. */
import { UsageError } from "../cli/exit-codes.ts";

interface Choice {
  /** Of --cluster. */
  readonly cluster?: readonly string[];
  /** Of --name; undefined where nobody gave one. */
  readonly name?: string | undefined;
  readonly once?: boolean;
  readonly allowEmpty?: boolean;
  readonly maxPrune?: number;
  readonly adopt: readonly string[];
}

interface Configured {
  readonly maxPrune: number;
  readonly hasLease: boolean;
}

/** @throws UsageError where a name is none, or a guard would be opened for clusters that nobody named */
export function chosenClusters<T extends { readonly name: string }>(
  clusters: readonly T[],
  choice: Choice,
  { maxPrune, hasLease }: Configured,
): readonly T[] {
  const { cluster = [], name, once = false } = choice;
  const asked = new Set([...cluster, ...(name === undefined ? [] : [name])]);
  const unknown = [...asked].find((one) => !clusters.some((known) => known.name === one));
  if (unknown !== undefined) {
    const flag = cluster.includes(unknown) ? "--cluster" : "--name";
    const known = clusters.map((one) => one.name).join(", ");
    throw new UsageError(`${flag} ${unknown} is no cluster of the WatchConfig; it has ${known}`);
  }
  if (asked.size === 0) {
    const opened = clusters.length > 1 ? openedGuard(choice, maxPrune) : undefined;
    if (opened !== undefined)
      throw new UsageError(
        `${opened} opens a guard of all ${clusters.length} clusters: name those that it is for with --cluster`,
      );
    return clusters;
  }
  if (!once && hasLease && asked.size < clusters.length)
    throw new UsageError(
      "--cluster needs --once where the WatchConfig has a leaderElection: whoever holds the Lease keeps all clusters",
    );
  return clusters.filter((one) => asked.has(one.name));
}

/** The flag that lets more be deleted or taken over than the configuration does. */
export function openedGuard(
  { allowEmpty, maxPrune, adopt }: Pick<Choice, "allowEmpty" | "maxPrune" | "adopt">,
  configured: number,
): string | undefined {
  if (allowEmpty === true) return "--allow-empty";
  // To delete less is nobody's harm.
  if (maxPrune !== undefined && maxPrune > configured) return `--max-prune ${maxPrune}`;
  return adopt.length > 0 ? "--adopt" : undefined;
}
