/** Which shards replicas care for, as people write it in, numbers out. */

export interface ShardRange {
  readonly first: number;
  /** Belongs to it. */
  readonly last: number;
}

/** What to write instead, for messages. */
export const SHARD_RANGES = "two numbers from 0 on, such as 0-15";

/** Undefined where it is none. */
export function parseShardRange(text: string): ShardRange | undefined {
  const [, first, last] = /^(\d{1,4})-(\d{1,4})$/.exec(text) ?? [];
  if (first === undefined || last === undefined || Number(first) > Number(last)) return undefined;
  return { first: Number(first), last: Number(last) };
}
