/** Parses a range of shards, such as `0-15`. */

export interface ShardRange {
  readonly first: number;
  /** Whether the shard is in the range. */
  readonly last: number;
}

/** What to write instead, for messages. */
export const SHARD_RANGES = "two numbers from 0 on, such as 0-15";

/** Undefined if the text is not a range. */
export function parseShardRange(text: string): ShardRange | undefined {
  const [, first, last] = /^(\d{1,4})-(\d{1,4})$/.exec(text) ?? [];
  if (first === undefined || last === undefined || Number(first) > Number(last)) return undefined;
  return { first: Number(first), last: Number(last) };
}
