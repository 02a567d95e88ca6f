/** Verdicts are cached over passes until something that they depend on changes. */
import { describe, expect, it } from "vitest";
import { CATALOGUE, changedPool, clusterOf, entry, type PoolInShort } from "../../../test/support/instance-types.ts";
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Profile } from "../../model/crds/profile.ts";
import { POLICY_END_ENTRY } from "../../model/requirements/policy-end.ts";
import { BLOCKER } from "../../resolve/guarded-list.ts";
import type { LiveObject } from "../api/live-object.ts";
import { poolVerdicts, usersPoolVerdicts } from "./pool-verdicts.ts";

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

describe("verdicts on users' NodePools", () => {
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };

  /** As the API server stores it. */
  function users(spec: object, template: object = {}, metadata: object = { generation: 1 }): LiveObject {
    const whole = { template: { ...template, spec: { nodeClassRef, expireAfter: "720h", ...spec } } };
    return {
      apiVersion: "karpenter.sh/v1",
      kind: "NodePool",
      metadata: { name: "users", uid: "u1", resourceVersion: "1", ...metadata },
      spec: { ...whole, disruption: { consolidateAfter: "0s", budgets: [{ nodes: "10%" }] } },
    };
  }

  const asking = (...entries: string[]) => users({ requirements: entries.map(entry) });
  const outside = (pool: LiveObject, of: PoolInShort = BEFORE, catalogue = () => CATALOGUE) =>
    usersPoolVerdicts(catalogue)([pool], clusterOf(of), signal);

  const ARCH: PoolInShort = { policy: ["arch In amd64"] };
  const TIER: PoolInShort = { policy: ["tier In gold"] };
  const FRONT = [entry("arch In amd64"), POLICY_END_ENTRY];
  const BOUNDED: PoolInShort = { ...ARCH, config: "{maxExpireAfter: 24h, minDriftedBudget: 50%}" };
  const MORE = (keys: string) => `requirements on ${keys} admit nodes that the AutoNodePolicy does not`;

  it.each<[string, LiveObject, PoolInShort, string]>([
    ["has the policy's entries", asking("arch In amd64"), ARCH, ""],
    ["asks for less", asking("arch In amd64", "cpu Gte 8"), { policy: ["arch In amd64", "cpu Gte 4"] }, ""],
    ["asks for types that the policy admits", asking("type In m5.xlarge"), { policy: ["family In m5"] }, ""],
    ["has no entry", asking(), ARCH, MORE("kubernetes.io/arch")],
    ["asks for more", asking("arch In amd64,arm64"), ARCH, MORE("kubernetes.io/arch")],
    ["is as a guard stores it", users({ requirements: [...FRONT, entry("arch Exists")] }), ARCH, ""],
    [
      "is as a guard stored it under an earlier policy",
      users({ requirements: [...FRONT, entry("arch Exists")] }),
      { policy: ["arch In amd64", "family In m5"] },
      MORE("karpenter.k8s.aws/instance-family"),
    ],
    ["is blocked by a guard that has no room", users({ requirements: [BLOCKER, POLICY_END_ENTRY] }), ARCH, ""],
    ["bypasses the policy by an entry", asking("tier In gold", "tier NotIn gold"), TIER, MORE("example.com/tier")],
    [
      "bypasses the policy by a label",
      users({ requirements: [entry("tier In gold")] }, { metadata: { labels: { "example.com/tier": "iron" } } }),
      TIER,
      MORE("example.com/tier"),
    ],
    [
      "exceeds the bounds",
      asking("arch In amd64"),
      BOUNDED,
      "expireAfter is beyond the bound of 24h; a budget for Drifted is beyond the bound of 50%",
    ],
    [
      "has annotations that Karpenter reserves",
      users(
        { requirements: [entry("arch In amd64")] },
        { metadata: { annotations: { "karpenter.sh/nodeclaim-termination-timestamp": "2099-01-01T00:00:00Z" } } },
      ),
      ARCH,
      "the template has annotations that Karpenter keeps for itself",
    ],
    ["has requirements that are none", users({ requirements: "x" }), ARCH, "anp cannot read its spec"],
    ["has entries of null", users({ requirements: [null, { key: 1, values: 5 }] }), ARCH, "anp cannot read its spec"],
    ["has no spec", { ...users({}), spec: null } as unknown as LiveObject, ARCH, "anp cannot read its spec"],
  ])("a pool that %s", async (_, pool, of, why) => {
    expect(await outside(pool, of)).toEqual(why === "" ? [] : [{ pool: "users", why }]);
  });

  it("compare the requirements alone without a catalogue", async () => {
    const without = () => undefined as unknown as typeof CATALOGUE;
    expect(await outside(asking("arch In amd64"), ARCH, without)).toEqual([]);
    expect(await outside(asking("type In m5.xlarge"), { policy: ["family In m5"] }, without)).toHaveLength(1);
  });

  it("are cached by generation, and evaluated again after a change of the pool, of the policy or of its class", async () => {
    const judge = usersPoolVerdicts(() => CATALOGUE);
    const counts = async (pool: LiveObject, of: PoolInShort) => (await judge([pool], clusterOf(of), signal)).length;
    const loose = (metadata: object) => users({ requirements: [] }, {}, metadata);
    expect(await counts(asking("arch In amd64"), ARCH)).toBe(0);
    expect(await counts(loose({ generation: 1 }), ARCH)).toBe(0);
    expect(await counts(loose({ generation: 2 }), ARCH)).toBe(1);
    expect(await counts(asking("arch In amd64"), { policy: ["arch In arm64"] })).toBe(1);
    expect(await counts(loose({ generation: 2 }), { ...ARCH, config: "{hostedCluster: {amis: {amd64: ami-1}}}" })).toBe(
      0,
    );
    expect(await counts(loose({ generation: 2, uid: "u2" }), ARCH)).toBe(1);
    expect([await counts(asking("arch In amd64"), ARCH), await counts(loose({}), ARCH)]).toEqual([0, 1]);
    expect([await counts(loose({}), ARCH), await counts(loose({ generation: 7 }), ARCH)]).toEqual([1, 1]);
  });

  it("are omitted after the signal", async () => {
    expect(await usersPoolVerdicts(() => CATALOGUE)([asking()], clusterOf(ARCH), AbortSignal.abort())).toEqual([]);
  });
});
