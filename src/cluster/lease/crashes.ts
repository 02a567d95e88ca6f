/** Annotations of Leases: which clusters are in a pass, and which were in one at a crash. */
import * as z from "zod/mini";
import { memoize } from "../../model/schema/memoize.ts";

/** On the Lease that a replica renews. */
export const PASSES_ANNOTATION = "anp.hypershift.openshift.io/clusters-in-a-pass";
/** On the Lease that passes from one replica to the next: of a shard, or of the leader. */
export const CRASHES_ANNOTATION = "anp.hypershift.openshift.io/crashes";

/** A cluster that was in a pass at a crash. */
export interface Crash {
  readonly cluster: string;
  /** Crashes in a row, each within an hour of the one before. */
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly last: number;
}

/** All annotations of an object may have 256 KiB together. Names have at most 63 characters. */
const MOST_CLUSTERS = 512;
const MOST_CHARACTERS = 96 * 1024;
const MOST_CRASHES = 1000;

/** A cluster without a crash for so long starts again at zero. */
export const FORGOTTEN_MS = 60 * 60_000;

const clusterName = () => z.string().check(z.maxLength(63), z.regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/));

const passesSchema = memoize(() => z.array(clusterName()).check(z.maxLength(MOST_CLUSTERS)));

const crashesSchema = memoize(() =>
  z
    .array(
      z.strictObject({
        cluster: clusterName(),
        count: z.int().check(z.minimum(1), z.maximum(MOST_CRASHES)),
        last: z.string().check(z.maxLength(30), z.iso.datetime()),
      }),
    )
    .check(z.maxLength(MOST_CLUSTERS)),
);

/** Only the last ones if there are too many. */
export function passesText(clusters: readonly string[]): string | undefined {
  return clusters.length === 0 ? undefined : JSON.stringify(clusters.slice(-MOST_CLUSTERS));
}

export function crashesText(crashes: readonly Crash[]): string | undefined {
  if (crashes.length === 0) return undefined;
  const latest = crashes.toSorted((one, other) => other.last - one.last).slice(0, MOST_CLUSTERS);
  return JSON.stringify(latest.map((crash) => ({ ...crash, last: new Date(crash.last).toISOString() })));
}

/** Undefined if anp did not write the text: any user who may write Leases can change it. */
function passesIn(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? [] : valueOf(passesSchema(), text);
}

/** @param now milliseconds since 1970: clocks of machines differ, so a later time counts as now */
function crashesIn(text: string | undefined, now: number): readonly Crash[] | undefined {
  const read = text === undefined ? [] : valueOf(crashesSchema(), text);
  return read
    ?.map((crash) => ({ ...crash, last: Math.min(Date.parse(crash.last), now) }))
    .filter(({ last }) => now - last < FORGOTTEN_MS);
}

/** Adds a crash to each cluster that was in a pass: any of them may be the cause (docs/decisions/0023-crash-only.md). */
export function afterCrash(known: readonly Crash[], inAPass: readonly string[], now: number): readonly Crash[] {
  const crashes = new Map(known.map((crash) => [crash.cluster, crash]));
  for (const cluster of inAPass) {
    const count = Math.min((crashes.get(cluster)?.count ?? 0) + 1, MOST_CRASHES);
    crashes.set(cluster, { cluster, count, last: now });
  }
  return [...crashes.values()];
}

interface TakenLease {
  /** The annotation of the Lease that is taken. */
  readonly crashes: string | undefined;
  /** Undefined if the holder released the Lease. */
  readonly passes: string | undefined;
  readonly now: number;
  /** Called for an annotation that anp did not write. */
  readonly unreadable: (annotation: string) => void;
}

/** A holder that did not release the Lease has crashed. A note that cannot be read counts as none. */
export function crashesAtTake({ crashes, passes, now, unreadable }: TakenLease): readonly Crash[] {
  const known = crashesIn(crashes, now);
  const inAPass = passesIn(passes);
  if (known === undefined) unreadable(CRASHES_ANNOTATION);
  if (inAPass === undefined) unreadable(PASSES_ANNOTATION);
  return afterCrash(known ?? [], inAPass ?? [], now);
}

function valueOf<T>(schema: z.ZodMiniType<T>, text: string): T | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  try {
    const { success, data } = schema.safeParse(JSON.parse(text));
    return success ? data : undefined;
  } catch {
    return undefined;
  }
}

export interface CrashBook {
  /** Undefined if the cluster was in no pass at a crash of the last hour. */
  readonly of: (cluster: string) => Crash | undefined;
  readonly all: () => readonly Crash[];
  /** Replaces the known crashes of a Lease's clusters with those noted on it. */
  readonly load: (crashes: readonly Crash[], isOfLease: (cluster: string) => boolean) => void;
  /** Adds a crash during a pass of the cluster. */
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
