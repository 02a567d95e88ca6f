/** The words for a minValues that cannot be met agree with the remaining values. */
import { describe, expect, it } from "vitest";
import { CATALOGUE, clusterOf, type PoolInShort } from "../../../test/support/instance-types.ts";
import { minValuesMissed, missedWords } from "./why-no-nodes.ts";

const TYPE = "node.kubernetes.io/instance-type";
const FAMILY = "karpenter.k8s.aws/instance-family";

function ask(pool: PoolInShort): { readonly left: readonly string[]; readonly said: readonly string[] } {
  const [explanation] = clusterOf(pool).explanations;
  return { left: explanation!.instanceTypes.names, said: minValuesMissed(explanation!).map(missedWords) };
}

describe.each<readonly [string, Pick<PoolInShort, "profile">]>([
  ["the default profile", {}],
  ["karpenter-1.15", { profile: "karpenter-1.15" }],
])("under %s", (_name, profile) => {
  it.each<readonly [string, PoolInShort, left: number, said: readonly string[]]>([
    [
      "instance types",
      { user: ["type In m5.xlarge,c5.xlarge,m99.large min 3"] },
      2,
      [`asks for at least 3 instance types (minValues of ${TYPE}), and 2 are left`],
    ],
    [
      "families",
      { user: ["family Exists min 5", "type In m5.xlarge,m5.2xlarge,c5.xlarge"] },
      3,
      [`asks for at least 5 instance families (minValues of ${FAMILY}), and 2 are left`],
    ],
    [
      "the policy's",
      { policy: ["family Exists min 2"], user: ["type In m5.xlarge"] },
      1,
      [`asks for at least 2 instance families (minValues of ${FAMILY}), and 1 is left`],
    ],
    [
      "a custom label",
      { user: ["tier In gold,silver min 2", "type In m5.xlarge"] },
      1,
      ["asks for at least 2 values (minValues of example.com/tier), and none is left"],
    ],
    ["what is reached", { user: ["family Exists min 2", "type In m5.xlarge,c5.xlarge"] }, 2, []],
    // The lists leave two families, but no type of them is left.
    [
      "no instance type at all",
      { policy: ["family In m5,c5"], user: ["family In m5,c5,m7g min 3", "arch In riscv64"] },
      0,
      [],
    ],
  ])("of %s", (_what, pool, left, said) => {
    const answer = ask({ ...pool, ...profile });
    expect({ left: answer.left.length, said: answer.said }).toStrictEqual({ left, said });
  });

  it("counts the families and types of the remaining types for any request", () => {
    for (const user of [["type NotIn m5.xlarge"], ["arch In arm64"], ["type In m5.xlarge,g5.12xlarge"], []]) {
      const { left, said } = ask({ ...profile, user: [...user, "family Exists min 50", "type Exists min 50"] });
      const families = new Set(left.map((name) => name.slice(0, name.indexOf("."))));
      const are = (count: number): string => (count === 1 ? "1 is" : `${count} are`);
      expect(said.toSorted()).toStrictEqual([
        `asks for at least 50 instance families (minValues of ${FAMILY}), and ${are(families.size)} left`,
        `asks for at least 50 instance types (minValues of ${TYPE}), and ${are(left.length)} left`,
      ]);
    }
  });

  it("has types to ask about", () => expect(CATALOGUE.names.length).toBeGreaterThan(3));
});
