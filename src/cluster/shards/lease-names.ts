/** Names, labels and annotations of the Leases of a sharded watch. */
import type { LiveObject } from "../api/live-object.ts";
import { PASSES_ANNOTATION } from "../lease/crashes.ts";

/** On all Leases of one watch. */
const WATCH_LABEL = "anp.hypershift.openshift.io/watch";
/** The number of shards in a replica's configuration, and the range that it shares. */
const SHARDS_LABEL = "anp.hypershift.openshift.io/shards";
const RANGE_LABEL = "anp.hypershift.openshift.io/shard-range";
/** On the Lease of a replica that takes no shard any more. */
const ENDING_ANNOTATION = "anp.hypershift.openshift.io/ending";

export interface ShardingNames {
  readonly namespace: string;
  /** The prefix of each name. */
  readonly name: string;
  /** The number of shards in all ranges. */
  readonly shards: number;
  /** The range of shards that this replica shares. */
  readonly first: number;
  readonly last: number;
}

export function selectorOf({ name }: Pick<ShardingNames, "name">): string {
  return `${WATCH_LABEL}=${name}`;
}

export function shardLeaseName({ name }: Pick<ShardingNames, "name">, shard: number): string {
  return `${name}.shard.${shard}`;
}

export function memberLeaseName({ name }: Pick<ShardingNames, "name">, member: string): string {
  return `${name}.member.${member}`;
}

export function shardLabels({ name }: Pick<ShardingNames, "name">): Readonly<Record<string, string>> {
  return { [WATCH_LABEL]: name };
}

export function memberLabels({ name, shards, first, last }: ShardingNames): Readonly<Record<string, string>> {
  return { [WATCH_LABEL]: name, [SHARDS_LABEL]: String(shards), [RANGE_LABEL]: `${first}-${last}` };
}

/** A patch of a member's Lease. */
export const ENDING_PATCH = { metadata: { annotations: { [ENDING_ANNOTATION]: "true" } } };

export type KnownLease =
  | { readonly is: "shard"; readonly shard: number }
  | {
      readonly is: "member";
      readonly member: string;
      readonly shards: number;
      readonly range: string;
      readonly isEnding: boolean;
      /** The annotation with its clusters in a pass. */
      readonly passes: string | undefined;
    };

/** Undefined if it is no Lease of this watch. */
export function leaseKindOf({ metadata }: LiveObject, { name }: Pick<ShardingNames, "name">): KnownLease | undefined {
  const { labels = {}, annotations = {} } = metadata;
  if (labels[WATCH_LABEL] !== name || !metadata.name.startsWith(`${name}.`)) return undefined;
  const rest = metadata.name.slice(name.length + 1);
  const [, shard] = /^shard\.(\d{1,4})$/.exec(rest) ?? [];
  if (shard !== undefined) return { is: "shard", shard: Number(shard) };
  if (!rest.startsWith("member.")) return undefined;
  return {
    is: "member",
    member: rest.slice("member.".length),
    shards: Number(labels[SHARDS_LABEL]),
    range: labels[RANGE_LABEL] ?? "",
    isEnding: annotations[ENDING_ANNOTATION] === "true",
    passes: annotations[PASSES_ANNOTATION],
  };
}
