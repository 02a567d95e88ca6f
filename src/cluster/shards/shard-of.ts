/** Which shard a hosted cluster belongs to: for ever the same, in each version of anp. */
import { createHash } from "node:crypto";

/** @param shards how many there are */
export function shardOf(namespace: string, shards: number): number {
  return numberOf(namespace) % shards;
}

/** How much a replica prefers a shard: by chance, and the same to all who ask, so that two rarely want the same. */
export function preferenceOf(member: string, shard: number): number {
  return numberOf(`${member} ${shard}`);
}

function numberOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}
