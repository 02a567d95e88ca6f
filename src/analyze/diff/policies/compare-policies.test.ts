/** Pairs of policies over a small catalogue: their relation and example nodes. */
import { describe, expect, it } from "vitest";
import { policyOf } from "../../../../test/support/property/check-policy-pair.ts";
import { SMALL } from "../../../../test/support/property/policy-pairs.ts";
import { comparePolicies } from "./compare-policies.ts";
import type { Witness } from "./policy-witness.ts";

/** Such as `m5.xlarge, cpu 4`, with the requirements of its wrapper. */
function told(witness: Witness | undefined): string {
  if (witness === undefined) return "";
  const { instanceType = "a newer type", label, fewerThan, asked } = witness;
  const short = (key: string): string => key.replace(/^.*\/(instance-)?/, "");
  const by =
    label === undefined
      ? ""
      : `, ${short(label.key)} ${fewerThan === undefined ? (label.value ?? "absent") : `<${fewerThan}`}`;
  const wrapper = asked.map(({ key, values }) => `${short(key)} [${values.join(" ")}]`).join(", ");
  return `${instanceType}${by}: ${wrapper === "" ? "any wrapper" : wrapper}`;
}

function compared(from: readonly string[], to: readonly string[]): string[] {
  const { relation, scope, gained, lost } = comparePolicies(policyOf(from), policyOf(to), SMALL);
  return [`${relation} ${scope}`, told(gained), told(lost)];
}

describe("one policy after another", () => {
  it.each<[string, string[], string[], string, string, string]>([
    [
      "the same in another order",
      ["arch In amd64", "cpu Gte 4"],
      ["cpu Gt 3", "arch In amd64"],
      "equivalent always",
      "",
      "",
    ],
    ["none after none", [], [], "equivalent always", "", ""],
    ["a policy after none", [], ["arch In amd64"], "tighter always", "", "m7g.2xlarge, arch arm64: type [m7g.2xlarge]"],
    ["none after a policy", ["cpu Lt 9"], [], "looser always", "g5.12xlarge, cpu 48: type [g5.12xlarge]", ""],
    [
      "another family more",
      ["family In m5"],
      ["family In m5,c5"],
      "looser always",
      "c5.xlarge, family c5: type [c5.xlarge]",
      "",
    ],
    [
      "one that the catalogue does not know",
      ["family In m5"],
      ["family In m5,m9"],
      "looser always",
      "a newer type, family m9: family [m9]",
      "",
    ],
    [
      "a bound that no type reaches",
      ["cpu Lt 100"],
      ["cpu Lt 200"],
      "looser newer-types",
      "a newer type, cpu 100: cpu [100]",
      "",
    ],
    ["the same by another label", ["family In m7g"], ["arch In arm64"], "equivalent catalogue", "", ""],
    [
      "fewer by another label",
      ["arch In amd64"],
      ["family In m5"],
      "tighter catalogue",
      "",
      "c5.xlarge, family c5: type [c5.xlarge]",
    ],
    [
      "other families",
      ["family In m5"],
      ["family In c5"],
      "disjoint always",
      "c5.xlarge, family c5: type [c5.xlarge]",
      "m5.2xlarge, family m5: type [m5.2xlarge]",
    ],
    [
      "one for another",
      ["family In m5,m7g"],
      ["family In m5,c5"],
      "incomparable always",
      "c5.xlarge, family c5: type [c5.xlarge]",
      "m7g.2xlarge, family m7g: type [m7g.2xlarge]",
    ],
    [
      "a zone more",
      ["zone In us-east-1a"],
      ["zone In us-east-1a,us-east-1c"],
      "looser always",
      "c5.xlarge, zone us-east-1c: type [c5.xlarge], zone [us-east-1c]",
      "",
    ],
    [
      "a capacity type less",
      ["capacity Exists"],
      ["capacity NotIn spot"],
      "tighter always",
      "",
      "c5.xlarge, capacity-type spot: type [c5.xlarge], capacity-type [spot]",
    ],
    [
      "absent labels let in",
      ["gpus Exists"],
      ["gpus NotIn 4"],
      "incomparable always",
      "c5.xlarge, gpu-count absent: type [c5.xlarge]",
      "g5.12xlarge, gpu-count 4: type [g5.12xlarge]",
    ],
    [
      "a contradiction that Karpenter passes by",
      ["gpus In 1"],
      ["gpus In 1", "gpus In 4"],
      "disjoint always",
      "c5.xlarge, gpu-count absent: type [c5.xlarge]",
      "g4dn.xlarge, gpu-count 1: type [g4dn.xlarge]",
    ],
    [
      "a contradiction that ends all",
      ["arch In amd64"],
      ["arch In amd64", "arch In arm64"],
      "tighter always",
      "",
      "c5.xlarge: type [c5.xlarge]",
    ],
    [
      "a custom label more",
      ["tier In gold"],
      ["tier In gold,silver"],
      "looser always",
      "c5.xlarge, tier silver: type [c5.xlarge], tier [silver]",
      "",
    ],
    [
      "a custom label that may be absent",
      ["tier In gold"],
      ["tier NotIn silver"],
      "looser always",
      "c5.xlarge, tier absent: type [c5.xlarge], tier []",
      "",
    ],
    [
      "fewer families at least",
      ["family Exists min 3"],
      ["family Exists min 2"],
      "looser always",
      "m5.2xlarge, family <3: family [m5 m7g]",
      "",
    ],
    [
      "a minimum that nothing reaches",
      ["family Exists min 2"],
      ["family Exists min 9"],
      "tighter always",
      "",
      "c5.xlarge: any wrapper",
    ],
    [
      "a minimum beside a value",
      ["family In m5,c5"],
      ["family In m5,c5,m7g min 2"],
      "incomparable always",
      "m7g.2xlarge, family m7g: any wrapper",
      "m5.2xlarge, family <2: family [m5]",
    ],
  ])("%s: %j → %j", (_what, from, to, ...expected) => {
    expect(compared(from, to)).toStrictEqual(expected);
  });
});
