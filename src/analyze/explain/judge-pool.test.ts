/** The verdict of a watch about a pool, its reason, and when it is unknown. */
import { describe, expect, it } from "vitest";
import { changedPool, clusterOf, type PoolInShort } from "../../../test/support/instance-types.ts";
import { judgePool } from "./judge-pool.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";

function judge(pool: PoolInShort, change: (pool: ResolvedPool) => Partial<ResolvedPool> = () => ({})): string {
  const { knownTypes, pools } = clusterOf(pool);
  const [first] = pools;
  const { verdict, why, byPolicy } = judgePool(changedPool(first!, change(first!)), knownTypes);
  return [verdict, ...(byPolicy ? ["by the policy"] : []), ...(why === "" ? [] : [why])].join(": ");
}

const TYPE = "node.kubernetes.io/instance-type";
const ARCH = "kubernetes.io/arch";
const AMD64_ONLY = "{hostedCluster: {amis: {amd64: ami-1}}}";

describe("a verdict", () => {
  it.each<[string, PoolInShort, string]>([
    ["as asked", { policy: ["arch In amd64"] }, "ok"],
    ["narrowed", { policy: ["cpu Gte 8"], user: ["cpu Lte 8"] }, "narrowed"],
    [
      "policy against user on one label",
      { policy: ["arch In arm64"], user: ["arch In amd64"] },
      `unsatisfiable: by the policy: no instance type satisfies ${ARCH} In [arm64] (policy) and ${ARCH} In [amd64] (pool)`,
    ],
    [
      "policy against user across labels",
      { policy: ["type In m5.xlarge"], user: ["cpu Gt 8"] },
      `unsatisfiable: by the policy: no instance type satisfies ${TYPE} In [m5.xlarge] (policy) and karpenter.k8s.aws/instance-cpu Exists >=9 (pool)`,
    ],
    [
      "policy against the images of the class",
      { policy: ["arch In arm64"], config: AMD64_ONLY },
      `unsatisfiable: by the policy: no instance type satisfies ${ARCH} In [arm64] (policy) and ${ARCH} In [amd64] (images of node class default)`,
    ],
    [
      "policy against a class without reservations",
      { policy: ["capacity In reserved"], nodeClass: "{kubelet: {maxPods: 250}}" },
      "unsatisfiable: by the policy: no instance type satisfies karpenter.sh/capacity-type In [reserved] (policy) and karpenter.sh/capacity-type In [on-demand spot] (node class default)",
    ],
    [
      "the pool against the images of the class",
      { policy: ["cpu Gte 2"], user: ["arch In arm64"], config: AMD64_ONLY },
      `unsatisfiable: no instance type satisfies ${ARCH} In [arm64] (pool) and ${ARCH} In [amd64] (images of node class default)`,
    ],
    [
      "the pool against itself",
      { user: ["type In m5.xlarge", "cpu Gt 8"] },
      `unsatisfiable: no instance type satisfies ${TYPE} In [m5.xlarge] (pool) and karpenter.k8s.aws/instance-cpu Exists >=9 (pool)`,
    ],
    [
      "more entries than a status shows",
      {
        user: [
          "type NotIn c5.xlarge",
          "type NotIn g4dn.xlarge",
          "type NotIn g5.12xlarge",
          "type NotIn m5.2xlarge",
          "type NotIn m5.4xlarge",
          "type NotIn m5.xlarge",
          "arch In amd64",
        ],
      },
      `unsatisfiable: no instance type satisfies ${[
        "c5.xlarge",
        "g4dn.xlarge",
        "g5.12xlarge",
        "m5.2xlarge",
        "m5.4xlarge",
      ]
        .map((type) => `${TYPE} NotIn [${type}] (pool)`)
        .join(" and ")} and 2 others`,
    ],
    [
      "minValues out of reach",
      { user: ["family Exists min 5", "type In m5.xlarge,c5.xlarge"] },
      "unsatisfiable: it asks for at least 5 instance families (minValues of karpenter.k8s.aws/instance-family), and 2 are left; too few are left by karpenter.k8s.aws/instance-family Exists minValues 5 (pool) and node.kubernetes.io/instance-type In [c5.xlarge m5.xlarge] (pool)",
    ],
    [
      "bypassed, and blocked",
      { policy: ["tier In gold"], user: ["tier In silver"], config: "{onBypass: Block}" },
      `unsatisfiable: by the policy: no instance type satisfies ${TYPE} In [blocked-by-autonodepolicy] (policy)`,
    ],
    ["bypassed, and not rendered", { policy: ["tier In gold"], user: ["tier In silver"] }, "bypassed"],
    ["a type that the catalogue does not know", { user: ["type In m9.large"] }, "unknown"],
    ["a family that it does not know", { policy: ["family In m9"], user: ["cpu Gte 100"] }, "unknown"],
    ["a type that it does not know, and one that it does", { user: ["type In m9.large,m5.xlarge"] }, "ok"],
    [
      "an unknown type and images of the wrong architecture",
      { policy: ["arch In arm64"], user: ["type In m9.large"], config: AMD64_ONLY },
      `unsatisfiable: by the policy: no instance type satisfies ${ARCH} In [arm64] (policy) and ${ARCH} In [amd64] (images of node class default)`,
    ],
    [
      "an unknown family among known types",
      { policy: ["type In m5.xlarge"], user: ["family In m9"] },
      `unsatisfiable: no instance type satisfies karpenter.k8s.aws/instance-family In [m9] (pool)`,
    ],
    [
      "an architecture that Karpenter asks for no types of",
      { user: ["arch In riscv64"] },
      `unsatisfiable: no instance type satisfies ${ARCH} In [riscv64] (pool)`,
    ],
    [
      "minValues that unknown families may reach",
      { user: ["family In m5,m9 min 2"], profile: "karpenter-1.15" },
      "unknown",
    ],
  ])("%s", (_, pool, expected) => {
    expect(judge(pool)).toBe(expected);
  });

  const limited = ({ spec }: ResolvedPool): Partial<ResolvedPool> => ({ spec: { ...spec, limits: { cpu: 0 } } });

  it("a limit of 0 pauses a pool, but hides no other obstacle", () => {
    expect(judge({ user: ["arch In amd64"] }, limited)).toBe("paused");
    expect(judge({ user: ["arch In riscv64"] }, limited)).toBe(
      `unsatisfiable: the limit 0 of cpu pauses the pool; no instance type satisfies ${ARCH} In [riscv64] (pool)`,
    );
    expect(judge({ user: ["type In m9.large"] }, limited)).toBe("paused");
  });

  it("an obstacle independent of instance types is reported for any catalogue", () => {
    const name = "x".repeat(64);
    expect(judge({ user: ["type In m9.large"] }, () => ({ name }))).toBe(
      "unsatisfiable: its name has 64 characters and becomes a label value of each NodeClaim, which has 63 at most: the API server refuses all NodeClaims",
    );
  });

  it("without a catalogue it is unknown", () => {
    const { pools } = clusterOf({ policy: ["arch In arm64"], user: ["arch In amd64"] });
    expect(judgePool(pools[0]!, undefined)).toStrictEqual({
      pool: "web",
      verdict: "unknown",
      why: "",
      byPolicy: false,
    });
  });
});
