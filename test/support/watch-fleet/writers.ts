/** Who wrote what when: leases and writes of several replicas in, writes of one that had no right to and pauses without any out. */

/** Of a Lease or of an object, by a replica that may be another each time. */
export interface Write {
  /** A shard, or a cluster. */
  readonly of: string;
  readonly by: number;
  /** When the server got it, in milliseconds since 1970. */
  readonly time: number;
  readonly what: string;
}

/**
 * Those of a replica that was not the last to write the Lease of the cluster's shard before: another replica may have
 * begun. @param leases of shards
 */
export function outOfTurn(
  leases: readonly Write[],
  writes: readonly Write[],
  shardOf: (cluster: string) => string,
): Write[] {
  const touched = Map.groupBy(leases, ({ of }) => of);
  for (const some of touched.values()) some.sort((one, other) => one.time - other.time);
  return writes.filter(
    ({ of, by, time }) => touched.get(shardOf(of))?.findLast((lease) => lease.time <= time)?.by !== by,
  );
}

export interface Pause {
  readonly of: string;
  readonly from: number;
  readonly ms: number;
}

/** The longest time between two writes of a cluster that touches these moments. */
export function longestPause(writes: readonly Write[], from: number, until: number): Pause | undefined {
  const pauses = [...Map.groupBy(writes, ({ of }) => of)].flatMap(([of, some]) => {
    const times = some.map(({ time }) => time).toSorted((one, other) => one - other);
    return times.slice(1).map((time, index) => ({ of, from: times[index]!, ms: time - times[index]! }));
  });
  const touching = pauses.filter((pause) => pause.from < until && pause.from + pause.ms > from);
  return touching.toSorted((one, other) => other.ms - one.ms)[0];
}
