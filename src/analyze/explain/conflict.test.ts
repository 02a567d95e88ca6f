/** The smallest conflicting set of demands, and the limit of the search for it. */
import { describe, expect, it } from "vitest";
import { clusterOf, type PoolInShort } from "../../../test/support/instance-types.ts";
import { smallestConflict } from "./conflict.ts";
import type { InstanceTypes } from "./remaining-types.ts";

/** The conflict of a pool, as places in its demands, and how many values were looked at to find it. */
function conflictOf(pool: PoolInShort): { readonly at: number[]; readonly looked: number } {
  const { knownTypes, pools } = clusterOf(pool);
  const demands = pools[0]!.demands.filter(({ from }) => from !== "label");
  let looked = 0;
  const counting: InstanceTypes = {
    ...knownTypes,
    filter: {
      ...knownTypes.filter,
      compatible: (requirements) => {
        looked += [...requirements.values()].reduce((sum, { values }) => sum + 1 + values.size, 0);
        return knownTypes.filter.compatible(requirements);
      },
    },
  };
  return { at: smallestConflict(demands, counting).map((demand) => demands.indexOf(demand)), looked };
}

const TYPES = ["c5.xlarge", "g4dn.xlarge", "g5.12xlarge", "m5.2xlarge", "m5.4xlarge", "m5.xlarge", "m7g.2xlarge"];
const without = (...types: string[]) => `type NotIn ${types.join(",")}`;
const restricting = (count: number, values: number): string[] =>
  idle(count, values).map((text, index) => `${text},${TYPES[index % 5]!}`);
const idle = (count: number, values: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const texts = Array.from({ length: values }, (_, value) => `x${String(index)}-${String(value)}`);
    return `type NotIn ${texts.join(",")}`;
  });

describe("the smallest conflict", () => {
  it.each<[string, PoolInShort, readonly number[]]>([
    ["nothing in the way", { user: ["arch In amd64"] }, []],
    ["one", { user: ["cpu Gte 4", "arch In riscv64"] }, [1]],
    ["two", { user: ["cpu Gte 4", "type In m5.xlarge", "arch In amd64", "cpu Gte 8"] }, [1, 3]],
    [
      "three",
      { user: [without(...TYPES.slice(0, 4)), "cpu Gte 1", without(...TYPES.slice(4)), "arch In amd64"] },
      [0, 2, 3],
    ],
    [
      "two on one key, although one of them leaves nothing with another key too",
      { user: ["family In m5,m6i", "arch In amd64", "arch In arm64"] },
      [1, 2],
    ],
    ["the same with a family that has both", { user: ["family In m5,m7g", "arch In amd64", "arch In arm64"] }, [1, 2]],
    ["two among a hundred", { user: [...idle(90, 1), "type In m5.xlarge", "cpu Gte 8"] }, [90, 91]],
    [
      "four among fifty: none of them can be left out",
      { user: [...TYPES.map((type) => without(type)), ...idle(43, 1), "arch In amd64"] },
      [0, 1, 2, 3, 4, 5, 50],
    ],
  ])("%s", (_, pool, expected) => {
    expect(conflictOf(pool).at).toEqual(expected);
  });

  it.each<[string, readonly string[], number]>([
    ["among many values that rule out nothing it is found", idle(95, 200), 2],
    ["among many values that each rule out something not all are left out that could be", restricting(95, 200), 86],
  ])("%s, within the limit of the search", (_, entries, size) => {
    const { at, looked } = conflictOf({ user: [...entries, "type In m5.xlarge", "cpu Gte 8"] });
    expect(at).toHaveLength(size);
    expect(looked).toBeLessThan(300_000);
  });
});
