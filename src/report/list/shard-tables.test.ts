/** Replicas and shards as people see them. */
import { expect, test } from "vitest";
import { shardTables } from "./shard-tables.ts";

test("replicas first, then each shard with its clusters", () => {
  const replica = { lives: true, ending: false, range: "0-2", of: 3, shards: 1, clusters: 2 };
  expect(
    shardTables({
      replicas: [
        { ...replica, replica: "anp-watch-a" },
        { ...replica, replica: "anp-watch-b", lives: false, shards: 0, clusters: 0 },
        { ...replica, replica: "anp-watch-c", ending: true },
      ],
      shards: [
        { shard: 0, replica: "anp-watch-a", clusters: ["clusters-lab", "clusters-shop"] },
        { shard: 1, replica: undefined, clusters: ["clusters-x"] },
        { shard: 2, replica: "anp-watch-c", clusters: [] },
      ],
    }),
  ).toBe(`REPLICA       STATE    RANGE   SHARDS   CLUSTERS
anp-watch-a   works    0-2/3        1          2
anp-watch-b   gone     0-2/3        0          0
anp-watch-c   ending   0-2/3        1          2

SHARD   REPLICA       CLUSTERS   WHICH
    0   anp-watch-a          2   clusters-lab clusters-shop
    1   nobody               1   clusters-x
    2   anp-watch-c          0   -
`);
});
