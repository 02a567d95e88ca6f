/** Who lives and holds what, by one reading of the Leases after another. */
import { describe, expect, test } from "vitest";
import type { LiveObject } from "../api/live-object.ts";
import { memberLabels, memberLeaseName, shardLabels, shardLeaseName, type ShardingNames } from "./lease-names.ts";
import { shardOf } from "./assign-shards.ts";
import { EMPTY_TABLE, readTable, shareViewOf } from "./shard-table.ts";

const NAMES: ShardingNames = { namespace: "anp", name: "anp-watch", shards: 2, first: 0, last: 1 };

function lease(name: string, labels: Readonly<Record<string, string>>, holder: string, version: string): LiveObject {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, uid: name, resourceVersion: version, labels },
    spec: { holderIdentity: holder, leaseDurationSeconds: 15 },
  };
}
const member = (name: string, version: string, names = NAMES) =>
  lease(memberLeaseName(names, name), memberLabels(names), name, version);
const shard = (number: number, holder: string) =>
  lease(shardLeaseName(NAMES, number), shardLabels(NAMES), holder, `of ${holder}`);

describe("a replica", () => {
  test("lives for as long as its Lease changes, by the clock of who looks", () => {
    const leases = [member("a", "1"), member("b", "1"), shard(0, "a")];
    const first = readTable(EMPTY_TABLE, leases, NAMES, 1000);
    const later = readTable(first, [member("a", "1"), member("b", "2"), shard(0, "a")], NAMES, 10_000);
    expect(shareViewOf(later, NAMES, 15_999)).toEqual({
      holders: new Map([
        [0, "a"],
        [1, undefined],
      ]),
      members: ["a", "b"],
      others: [],
    });
    const view = shareViewOf(later, NAMES, 16_000);
    expect([view.holders.get(0), view.members]).toEqual([undefined, ["b"]]);
  });

  test("that no Lease tells of keeps its shards for as long", () => {
    const first = readTable(EMPTY_TABLE, [member("b", "1"), shard(0, "a")], NAMES, 1000);
    const later = readTable(first, [member("b", "2"), shard(0, "a")], NAMES, 9000);
    expect(shareViewOf(later, NAMES, 15_999).holders.get(0)).toBe("a");
    expect(shareViewOf(later, NAMES, 16_000)).toMatchObject({ members: ["b"] });
    expect(shareViewOf(later, NAMES, 16_000).holders.get(0)).toBeUndefined();
  });

  test("keeps a shard whose Lease was deleted, as long as it lives", () => {
    const first = readTable(EMPTY_TABLE, [member("a", "1"), shard(0, "a")], NAMES, 1000);
    const later = readTable(first, [member("a", "2")], NAMES, 2000);
    expect(shareViewOf(later, NAMES, 2000).holders.get(0)).toBe("a");
  });

  test("shares with those of its range, and sees those that count other shards", () => {
    const other = member("c", "1", { ...NAMES, shards: 4, last: 3 });
    const cell = member("d", "1", { ...NAMES, last: 0 });
    const table = readTable(EMPTY_TABLE, [member("a", "1"), other, cell], NAMES, 0);
    expect(shareViewOf(table, NAMES, 0)).toMatchObject({ members: ["a"], others: [4] });
  });
});

test("the shard of a cluster is for ever the same", () => {
  expect(["clusters-c1", "clusters-shop", "clusters-lab"].map((name) => shardOf(name, 32))).toEqual([24, 16, 25]);
});
