/** Verdicts are cached over passes until something that they depend on changes. */
import { describe, expect, it } from "vitest";
import { CATALOGUE, changedPool, clusterOf, type PoolInShort } from "../../../test/support/instance-types.ts";
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Profile } from "../../model/crds/profile.ts";
import { poolVerdicts } from "./pool-verdicts.ts";

function poolOf(short: PoolInShort): ResolvedPool {
  return clusterOf(short).pools[0]!;
}

const BEFORE: PoolInShort = {
  policy: ["arch In amd64", "cpu Gte 4"],
  user: ["family Exists min 1"],
  nodeClass: "{kubelet: {maxPods: 250}}",
  config: "{onBypass: Block}",
};

const under = (profile: Profile, catalogue?: string) => ({
  profile,
  config: catalogue === undefined ? {} : { catalogue },
  resource: undefined,
});

const SETTINGS = under("hypershift");

const { signal } = new AbortController();

/** The verdicts on two pools, one pass after the other. */
async function twice(
  first: ResolvedPool,
  second: ResolvedPool,
  settings: readonly [typeof SETTINGS, typeof SETTINGS] = [SETTINGS, SETTINGS],
) {
  const judge = poolVerdicts(() => CATALOGUE);
  const said = [await judge([first], settings[0], signal), await judge([second], settings[1], signal)];
  return said.flat() as [JudgedPool, JudgedPool];
}

describe("pool verdicts", () => {
  it("are cached while the pool is read again without a change", async () => {
    const [first, second] = await twice(poolOf(BEFORE), poolOf(BEFORE));
    expect(second).toBe(first);
  });

  it.each<[string, PoolInShort]>([
    ["an entry of the policy", { policy: ["arch In arm64", "cpu Gte 4"] }],
    ["a bound", { policy: ["arch In amd64", "cpu Gte 8"] }],
    ["one entry less", { policy: ["arch In amd64"] }],
    ["an entry of the pool", { user: ["family In m5 min 1"] }],
    ["minValues", { user: ["family Exists min 2"] }],
    ["a label", { labels: { "example.com/tier": "gold" } }],
    ["an image of the class", { config: "{onBypass: Block, hostedCluster: {amis: {amd64: ami-1}}}" }],
    ["onBypass", { config: "{onBypass: Fail}" }],
  ])("are evaluated again after a change of %s", async (_, change) => {
    const changed = { ...BEFORE, ...change };
    const [first, second] = await twice(poolOf(BEFORE), poolOf(changed));
    expect(second).not.toBe(first);
    expect([second]).toEqual(await poolVerdicts(() => CATALOGUE)([poolOf(changed)], SETTINGS, signal));
  });

  it("are evaluated again after a change of the limits, of the class, of the name, of the profile or of the catalogue", async () => {
    const pool = poolOf(BEFORE);
    const limited = changedPool(pool, { spec: { ...pool.spec, limits: { nodes: 0 } } });
    const referring = changedPool(pool, { nodeClassRef: { ...pool.nodeClassRef, group: "example.com" } });
    expect((await twice(pool, limited)).map(({ verdict }) => verdict)).toEqual(["ok", "paused"]);
    expect((await twice(pool, referring)).map(({ verdict }) => verdict)).toEqual(["ok", "unsatisfiable"]);
    for (const [first, second] of [
      await twice(pool, { ...pool, name: "other" }),
      await twice(pool, pool, [SETTINGS, under("karpenter-1.15")]),
      await twice(pool, pool, [SETTINGS, under("hypershift", "region.json")]),
    ])
      expect(second).not.toBe(first);
  });

  it("read the catalogue for the first pool, and drop deleted pools", async () => {
    let asked = 0;
    const judge = poolVerdicts(() => {
      asked++;
      return CATALOGUE;
    });
    const pool = poolOf(BEFORE);
    expect([await judge([], SETTINGS, signal), asked]).toEqual([[], 0]);
    const [first] = await judge([pool], SETTINGS, signal);
    await judge([pool], SETTINGS, signal);
    expect(asked).toBe(1);
    await judge([], SETTINGS, signal);
    expect((await judge([pool], SETTINGS, signal))[0]).not.toBe(first);
  });

  it("are unknown without a catalogue", async () => {
    const pool = poolOf({ ...BEFORE, user: ["arch In arm64"] });
    const [judged] = await poolVerdicts(() => undefined)([pool], SETTINGS, signal);
    expect(judged).toMatchObject({ verdict: "unknown", why: "" });
  });

  it("are omitted after the signal", async () => {
    expect(await poolVerdicts(() => CATALOGUE)([poolOf(BEFORE)], SETTINGS, AbortSignal.abort())).toEqual([]);
  });
});
