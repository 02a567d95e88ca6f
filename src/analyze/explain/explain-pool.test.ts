/** The explanation of a pool: verdict, keys, remaining and excluded types, conflict. */
import type { DescribedPool } from "./pool-answer.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CATALOGUE, clusterOf, entry, type PoolInShort } from "../../../test/support/instance-types.ts";
import { requirementsOf } from "../../karpenter/requirements/requirements.ts";
import { typeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { indexesOf } from "../../karpenter/catalogue/type-mask.ts";
import { describeExplanation } from "./describe-explanation.ts";

function explain(pool: PoolInShort): DescribedPool {
  const { explanations } = clusterOf(pool);
  return describeExplanation(explanations[0]!, { places: new Map([["web", 1]]), of: 1 });
}

/** `key outcome effective` of each key, by its short name. */
function outcomes({ requirements }: DescribedPool): string[] {
  return requirements.map(({ key, outcome, effective }) => `${key.replace(/.*[/-]/, "")} ${outcome} ${effective}`);
}

const ALL = CATALOGUE.names;
const NO_GPU = ALL.filter((name) => !name.startsWith("g"));
const AMD64 = ALL.filter((name) => !name.startsWith("m7g"));

describe("a pool", () => {
  it.each<[string, PoolInShort, DescribedPool["verdict"], readonly string[], readonly string[]]>([
    ["asks for nothing", {}, "ok", [], ALL],
    ["gets the policy's types", { policy: ["arch In amd64"] }, "ok", ["arch policy-only In [amd64]"], AMD64],
    [
      "gets what it asks for",
      { user: ["cpu Gte 8"] },
      "ok",
      ["cpu user-only Exists >=8"],
      ["g5.12xlarge", "m5.2xlarge", "m5.4xlarge", "m7g.2xlarge"],
    ],
    [
      "asks for the same",
      { policy: ["arch In amd64"], user: ["arch In amd64"] },
      "ok",
      ["arch same In [amd64]"],
      AMD64,
    ],
    [
      "asks for a part",
      { policy: ["cpu Gte 4"], user: ["cpu In 8,4"] },
      "ok",
      ["cpu same In [4 8]"],
      ["c5.xlarge", "g4dn.xlarge", "m5.2xlarge", "m5.xlarge", "m7g.2xlarge", "m7g.xlarge"],
    ],
    [
      "is narrowed",
      { policy: ["cpu Gte 8"], user: ["cpu Lte 8"] },
      "narrowed",
      ["cpu narrowed Exists >=8 <=8"],
      ["m5.2xlarge", "m7g.2xlarge"],
    ],
    [
      "contradicts the policy",
      { policy: ["arch In arm64"], user: ["arch In amd64"] },
      "unsatisfiable",
      ["arch empty-blocking DoesNotExist"],
      [],
    ],
    [
      "contradicts itself",
      { user: ["arch In arm64", "arch In amd64"] },
      "unsatisfiable",
      ["arch empty-blocking DoesNotExist"],
      [],
    ],
    [
      "has nothing in common across keys",
      { policy: ["type In m5.xlarge,m5.2xlarge"], user: ["cpu Gt 8"] },
      "unsatisfiable",
      ["type policy-only In [m5.2xlarge m5.xlarge]", "cpu user-only Exists >=9"],
      [],
    ],
    [
      "bypasses a custom label",
      { policy: ["tier In gold"], user: ["tier In silver"] },
      "bypassed",
      ["tier empty-bypassed DoesNotExist"],
      ALL,
    ],
    [
      "bypasses an optional label",
      { policy: ["gpus In 1"], user: ["gpus In 4"] },
      "bypassed",
      ["count empty-bypassed DoesNotExist"],
      NO_GPU,
    ],
    [
      "widens the policy",
      { policy: ["gpus Exists"], user: ["gpus NotIn 99"] },
      "bypassed",
      ["count widened NotIn [99]"],
      ALL,
    ],
    [
      "contradicts itself on a label that no type has",
      { user: ["tier In gold", "tier In silver"] },
      "narrowed",
      ["tier ignored DoesNotExist"],
      ALL,
    ],
    [
      "asks for nothing of a policy that contradicts itself on such a label",
      { policy: ["tier In gold", "tier In silver"] },
      "ok",
      ["tier ignored DoesNotExist"],
      ALL,
    ],
    [
      "asks for what the policy excludes, where the label may be absent",
      { policy: ["gpus NotIn 1,4"], user: ["gpus In 1"] },
      "narrowed",
      ["count ignored DoesNotExist"],
      NO_GPU,
    ],
    [
      "is unsatisfiable before it is bypassed",
      { policy: ["tier In gold", "arch In arm64"], user: ["tier In silver", "arch In amd64"] },
      "unsatisfiable",
      ["tier empty-bypassed DoesNotExist", "arch empty-blocking DoesNotExist"],
      [],
    ],
    [
      "has a label that is a requirement",
      { policy: ["arch In amd64"], labels: { "kubernetes.io/arch": "arm64" } },
      "unsatisfiable",
      ["arch empty-blocking DoesNotExist"],
      [],
    ],
    [
      "asks for an offering that no type has",
      { user: ["gpus Exists", "capacity In spot"] },
      "unsatisfiable",
      ["count user-only Exists", "type user-only In [spot]"],
      [],
    ],
    [
      "needs zone and capacity type together",
      { user: ["family In g4dn,m5", "zone In us-east-1c"] },
      "ok",
      ["family user-only In [g4dn m5]", "zone user-only In [us-east-1c]"],
      ["m5.2xlarge", "m5.4xlarge", "m5.xlarge"],
    ],
    ["reaches minValues", { user: ["family Exists min 5"] }, "ok", ["family user-only Exists minValues 5"], ALL],
    [
      "misses minValues",
      { policy: ["arch In amd64"], user: ["family Exists min 5"] },
      "unsatisfiable",
      ["arch policy-only In [amd64]", "family user-only Exists minValues 5"],
      AMD64,
    ],
    [
      "cannot have minValues of a label that no type has",
      { user: ["tier Exists min 1"] },
      "unsatisfiable",
      ["tier user-only Exists minValues 1"],
      ALL,
    ],
    [
      "uses an old name of a label",
      { policy: ["arch In amd64"], user: ["beta.kubernetes.io/arch In arm64"] },
      "unsatisfiable",
      ["arch empty-blocking DoesNotExist"],
      [],
    ],
  ])("that %s", (_what, pool, verdict, keys, types) => {
    const explained = explain(pool);
    expect([explained.verdict, outcomes(explained), explained.instanceTypes.names]).toStrictEqual([
      verdict,
      keys,
      types,
    ]);
  });

  it("is blocked instead of refused if the RenderConfig says so", () => {
    const pool = { policy: ["tier In gold"], user: ["tier In silver"], config: "{nodeLabels: {}, onBypass: Block}" };
    const explained = explain(pool);
    expect([explained.verdict, outcomes(explained), explained.instanceTypes.names]).toStrictEqual([
      "unsatisfiable",
      ["tier empty-bypassed DoesNotExist", "type policy-only In [blocked-by-autonodepolicy]"],
      [],
    ]);
  });

  it("counts only allowed values for minValues since Karpenter 1.15", () => {
    const explained = explain({ user: ["cpu NotIn 48 min 4"] });
    expect(explained.minValuesMissed).toStrictEqual([{ key: "karpenter.k8s.aws/instance-cpu", wanted: 4, found: 3 }]);
    const zones = { user: ["arch In amd64", "family In m5,c5 min 2", "type In c5.xlarge,m5.xlarge"] };
    expect(explain({ ...zones, profile: "karpenter-1.15" }).verdict).toBe("ok");
  });
});

describe("the excluded types", () => {
  it("are counted by demand, most first, with those that no other demand excludes", () => {
    const explained = explain({
      policy: ["arch In amd64", "gpus DoesNotExist"],
      user: ["cpu Gte 8"],
      labels: { "kubernetes.io/os": "linux" },
    });
    expect(explained.eliminated).toStrictEqual([
      {
        key: "karpenter.k8s.aws/instance-cpu",
        from: "user",
        requirement: "Exists >=8",
        written: "Gte 8",
        file: "pool.yaml",
        line: 2,
        types: 4,
        only: 2,
      },
      {
        key: "kubernetes.io/arch",
        from: "policy",
        requirement: "In [amd64]",
        file: "policy.yaml",
        line: 2,
        types: 2,
        only: 1,
      },
      {
        key: "karpenter.k8s.aws/instance-gpu-count",
        from: "policy",
        requirement: "DoesNotExist",
        file: "policy.yaml",
        line: 3,
        types: 2,
        only: 1,
      },
    ]);
  });

  it("include those of the node class's images", () => {
    const config = "{nodeLabels: {}, hostedCluster: {amis: {arm64: ami-1}}}";
    const explained = explain({ config });
    expect(explained.eliminated).toStrictEqual([
      {
        key: "kubernetes.io/arch",
        from: "class",
        requirement: "In [arm64]",
        file: "config.yaml",
        line: 4,
        types: 6,
        only: 6,
      },
    ]);
    expect(explained.requirements).toStrictEqual([]);
    expect(explained.instanceTypes.names).toStrictEqual(["m7g.2xlarge", "m7g.xlarge"]);
  });

  it("do not include those that a contradiction admits again", () => {
    expect(explain({ policy: ["gpus In 1"], user: ["gpus In 4"] }).eliminated).toStrictEqual([
      {
        key: "karpenter.k8s.aws/instance-gpu-count",
        from: "policy",
        requirement: "In [1]",
        file: "policy.yaml",
        line: 2,
        types: 1,
        only: 1,
      },
      {
        key: "karpenter.k8s.aws/instance-gpu-count",
        from: "user",
        requirement: "In [4]",
        file: "pool.yaml",
        line: 2,
        types: 1,
        only: 1,
      },
    ]);
  });
});

describe("the conflict", () => {
  it.each<[string, PoolInShort, readonly string[]]>([
    ["none", { user: ["cpu Gte 8"] }, []],
    ["one demand", { policy: ["arch In amd64"], user: ["type In m9.huge"] }, ["pool.yaml:2"]],
    [
      "policy against user",
      { policy: ["cpu Gte 4", "arch In arm64"], user: ["cpu Gte 1", "arch In amd64"] },
      ["policy.yaml:3", "pool.yaml:3"],
    ],
    [
      "across keys",
      { policy: ["type In m5.xlarge"], user: ["capacity In spot", "arch In arm64"] },
      ["policy.yaml:2", "pool.yaml:3"],
    ],
    [
      "three that only fail together",
      {
        policy: ["family In m5,m7g"],
        user: ["zone In us-east-1a", "cpu In 4", "arch In arm64,amd64", "type NotIn m5.xlarge"],
      },
      ["policy.yaml:2", "pool.yaml:2", "pool.yaml:3", "pool.yaml:5"],
    ],
    [
      "the user's label",
      { policy: ["arch In amd64"], labels: { "kubernetes.io/arch": "arm64" } },
      ["policy.yaml:2", "pool.yaml:1"],
    ],
    ["minValues", { policy: ["family In m5,c5"], user: ["family Exists min 3"] }, ["policy.yaml:2", "pool.yaml:2"]],
  ])("is %s", (_what, pool, places) => {
    expect(explain(pool).conflict.map(({ file, line }) => `${file}:${line}`)).toStrictEqual(places);
  });
});

describe("zones", () => {
  it("are those of the catalogue, allowed or excluded", () => {
    expect(explain({ policy: ["zone In us-east-1a,us-east-1z"] }).zones).toStrictEqual({
      allowed: ["us-east-1a"],
      excluded: ["us-east-1b", "us-east-1c"],
    });
    expect(explain({ user: ["zone NotIn us-east-1a"] }).zones).toStrictEqual({
      allowed: ["us-east-1b", "us-east-1c"],
      excluded: ["us-east-1a"],
    });
  });
});

describe("any pool", () => {
  const texts = fc.constantFrom(
    "arch In amd64",
    "arch In arm64",
    "arch NotIn arm64",
    "cpu Gte 8",
    "cpu Lt 9",
    "cpu In 4,16",
    "gpus Exists",
    "gpus NotIn 4",
    "gpus DoesNotExist",
    "gpus Gt 1",
    "family In m5,m7g",
    "family NotIn m5",
    "zone In us-east-1a",
    "zone NotIn us-east-1a",
    "capacity In spot",
    "type In m5.xlarge,m7g.xlarge",
    "tier In gold",
    "tier In silver",
  );
  const side = fc.array(texts, { maxLength: 3 });

  it("gets the same types as type by type, a conflict exactly when there are none, and counts that add up", () => {
    fc.assert(
      fc.property(side, side, (policy, user) => {
        const explained = explain({ policy, user });
        const filter = typeFilter(CATALOGUE);
        const merged = requirementsOf([...policy, ...user].map(entry));
        expect(explained.instanceTypes.names).toStrictEqual(
          indexesOf(filter.compatible(merged)).map((type) => ALL[type]),
        );
        const gone = ALL.length - explained.instanceTypes.compatible;
        expect(explained.conflict.length > 0).toBe(explained.verdict === "unsatisfiable");
        for (const { types, only } of explained.eliminated) {
          expect(types).toBeLessThanOrEqual(gone);
          expect(only).toBeLessThanOrEqual(types);
        }
        expect(explained.eliminated.reduce((sum, { only }) => sum + only, 0)).toBeLessThanOrEqual(gone);
      }),
    );
  });

  it("has a minimal conflict", () => {
    fc.assert(
      fc.property(side, side, (policy, user) => {
        const { conflict } = clusterOf({ policy, user }).explanations[0]!;
        const filter = typeFilter(CATALOGUE);
        const left = (demands: typeof conflict): number =>
          indexesOf(
            filter.compatible(
              requirementsOf(
                demands.map(({ from, place }) =>
                  entry((from === "policy" ? policy : user)[Number(place.path.at(-1))]!),
                ),
              ),
            ),
          ).length;
        if (conflict.length === 0) return;
        expect(left(conflict)).toBe(0);
        for (const demand of conflict) expect(left(conflict.filter((other) => other !== demand))).toBeGreaterThan(0);
      }),
    );
  });
});
