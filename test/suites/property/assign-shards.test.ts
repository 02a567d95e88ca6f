/**
 * Tests the assignment of shards with replicas that join, leave or lag: one holder for each shard, even shares, few
 * moves.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { movesOf } from "../../../src/cluster/shards/assign-shards.ts";

type Holders = Map<number, string | undefined>;

function freshShards(count: number): Holders {
  return new Map(Array.from({ length: count }, (_, shard) => [shard, undefined]));
}

function countsOf(holders: Holders, members: readonly string[]): number[] {
  return members.map((member) => [...holders.values()].filter((holder) => holder === member).length);
}

/** As on the API server: a shard is taken only if it is unchanged since it was read. */
function act(holders: Holders, seen: Holders, members: readonly string[], me: string): number {
  const { take, giveBack } = movesOf({ holders: seen, members }, me);
  let moves = 0;
  for (const shard of take)
    if (holders.get(shard) === seen.get(shard)) {
      expect(seen.get(shard)).toBeUndefined();
      holders.set(shard, me);
      moves++;
    }
  if (giveBack !== undefined && holders.get(giveBack) === me) holders.set(giveBack, undefined);
  return moves;
}

/** Until no replica acts any more. */
function settle(holders: Holders, members: readonly string[]): number {
  let moves = 0;
  for (let quiet = 0, round = 0; quiet < 2; round++) {
    expect(round).toBeLessThan(2000);
    const before = JSON.stringify([...holders]);
    // All read at the same moment, and then write.
    const seen = new Map(holders);
    for (const member of members) moves += act(holders, seen, members, member);
    quiet = before === JSON.stringify([...holders]) ? quiet + 1 : 0;
  }
  return moves;
}

function expectEven(holders: Holders, members: readonly string[]): void {
  expect([...holders.values()].filter((holder) => holder === undefined)).toEqual([]);
  const counts = countsOf(holders, members);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
}

const someShards = fc.integer({ min: 1, max: 64 });
const someMembers = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 });

test("all shards are held, and shares differ by at most one", () => {
  fc.assert(
    fc.property(someShards, someMembers, (count, members) => {
      const holders = freshShards(count);
      settle(holders, members);
      expectEven(holders, members);
    }),
  );
});

test("a new replica gets its share one by one, and nothing else moves", () => {
  fc.assert(
    fc.property(someShards, someMembers, (count, members) => {
      fc.pre(members.length > 1);
      const [comes = "", ...old] = members;
      const holders = freshShards(count);
      settle(holders, old);
      const before = new Map(holders);
      const moves = settle(holders, members);
      expectEven(holders, members);
      const moved = [...holders].filter(([shard, holder]) => holder !== before.get(shard));
      expect(moved.length).toBeLessThanOrEqual(Math.ceil(count / members.length));
      expect(moved.every(([, holder]) => holder === comes)).toBe(true);
      expect(moves).toBe(moved.length);
    }),
  );
});

test("when a replica leaves, only its own shards move", () => {
  fc.assert(
    fc.property(someShards, someMembers, (count, members) => {
      fc.pre(members.length > 1);
      const holders = freshShards(count);
      settle(holders, members);
      const [dead = "", ...left] = members;
      const before = new Map(holders);
      for (const [shard, holder] of holders) if (holder === dead) holders.set(shard, undefined);
      settle(holders, left);
      expectEven(holders, left);
      for (const [shard, holder] of before) if (holder !== dead) expect(holders.get(shard)).toBe(holder);
    }),
  );
});

test("with stale reads in any order, each shard has one holder and finally shares are even", () => {
  const steps = fc.array(fc.record({ who: fc.nat(7), looks: fc.boolean(), dies: fc.nat(40) }), { maxLength: 120 });
  fc.assert(
    fc.property(someShards, someMembers, steps, (count, members, taken) => {
      const holders = freshShards(count);
      const views = new Map<string, { seen: Holders; living: readonly string[] }>();
      let living = [...members];
      for (const { who, looks, dies } of taken) {
        const me = living[who % living.length]!;
        if (dies === 0 && living.length > 1) {
          living = living.filter((member) => member !== me);
          for (const [shard, holder] of holders) if (holder === me) holders.set(shard, undefined);
          continue;
        }
        if (looks || !views.has(me)) views.set(me, { seen: new Map(holders), living });
        const { seen, living: known } = views.get(me)!;
        const before = new Map(holders);
        act(holders, seen, known, me);
        // No shard is taken from a live holder.
        for (const [shard, holder] of before)
          if (holder !== undefined && holder !== me) expect(holders.get(shard)).toBe(holder);
      }
      settle(holders, living);
      expectEven(holders, living);
    }),
  );
});
