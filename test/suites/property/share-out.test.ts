/** For all replicas that come, die and see late: no shard has two holders, all get one, shares are even, and little moves. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { movesOf } from "../../../src/cluster/shards/share-out.ts";

type Holders = Map<number, string | undefined>;

function freshShards(count: number): Holders {
  return new Map(Array.from({ length: count }, (_, shard) => [shard, undefined]));
}

function countsOf(holders: Holders, members: readonly string[]): number[] {
  return members.map((member) => [...holders.values()].filter((holder) => holder === member).length);
}

/** As the API server has it: a shard is taken only if it is as it was seen. */
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

/** Until nobody does anything any more. */
function settle(holders: Holders, members: readonly string[]): number {
  let moves = 0;
  for (let quiet = 0, round = 0; quiet < 2; round++) {
    expect(round).toBeLessThan(2000);
    const before = JSON.stringify([...holders]);
    // All look at one moment, and then write.
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

test("all shards are held, and no share is larger than another one by two", () => {
  fc.assert(
    fc.property(someShards, someMembers, (count, members) => {
      const holders = freshShards(count);
      settle(holders, members);
      expectEven(holders, members);
    }),
  );
});

test("a replica that comes gets its share one by one, and nothing else moves", () => {
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

test("of a replica that goes only its own shards move", () => {
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

test("whoever sees late, and in whatever order they act, each shard has one holder and in the end all is even", () => {
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
        // Nothing is taken from a living holder.
        for (const [shard, holder] of before)
          if (holder !== undefined && holder !== me) expect(holders.get(shard)).toBe(holder);
      }
      settle(holders, living);
      expectEven(holders, living);
    }),
  );
});
