/** Tests entries of a policy that restrict nothing by mistake, and similar valid labels. */
import { describe, expect, it } from "vitest";
import { policyText } from "../../test/support/bundle.ts";
import { parseSources } from "../krm/parse/parse.ts";
import type { NodeSelectorRequirement } from "../model/requirements/requirement.ts";
import { ineffectiveEntries } from "./ineffective-entries.ts";

const AT = ["spec", "nodePoolDefaults", "requirements"];

function slips(requirements: readonly NodeSelectorRequirement[], spec = "{}"): string[] {
  const source = { file: "p", folder: "", text: policyText(spec), explicit: true, trusted: true, config: false };
  const [policy] = parseSources([source]).value;
  return ineffectiveEntries(policy!, requirements, AT).map(({ code, field, hint }) => `${code} ${field}: ${hint}`);
}

describe("a label key", () => {
  it.each([
    ["kubernetes.io/arch", undefined],
    ["beta.kubernetes.io/arch", undefined],
    ["topology.ebs.csi.aws.com/zone", undefined],
    ["karpenter.k8s.aws/instance-gpu-count", undefined],
    ["example.com/team", undefined],
    ["example.com/arch", undefined],
    ["example.com/zone", undefined],
    ["team", undefined],
    ["node-role.kubernetes.io/worker", undefined],
    ["kubernetes.io/archh", "kubernetes.io/arch"],
    ["kubernetes.io/Arch", "kubernetes.io/arch"],
    ["kuberntes.io/arch", "kubernetes.io/arch"],
    ["topology.kubernetes.io/zones", "topology.kubernetes.io/zone"],
    ["node.kubernetes.io/instancetype", "node.kubernetes.io/instance-type"],
    ["kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
    ["node.kubernetes.io/zone", "topology.kubernetes.io/zone"],
    ["topology.k8s.aws/zoneid", "topology.k8s.aws/zone-id"],
    ["instance-type", "node.kubernetes.io/instance-type"],
    ["arch", "kubernetes.io/arch"],
  ])("%s suggests %s", (key, meant) => {
    const expected =
      meant === undefined
        ? []
        : [`requirement-ignored spec.nodePoolDefaults.requirements[0].key: did you mean ${meant}?`];
    expect(slips([{ key, operator: "Exists" }])).toStrictEqual(expected);
  });
});

describe("an entry", () => {
  it.each<[NodeSelectorRequirement["operator"], readonly string[] | undefined, boolean]>([
    ["NotIn", undefined, true],
    ["NotIn", [], true],
    ["NotIn", ["a"], false],
    ["NotIn", [""], false],
    ["Exists", undefined, false],
    ["DoesNotExist", undefined, false],
  ])("%s %j restricts nothing: %s", (operator, values, vain) => {
    const found = slips([
      { key: "kubernetes.io/os", operator: "Exists" },
      { key: "kubernetes.io/arch", operator, values },
    ]);
    expect(found).toStrictEqual(
      vain ? ["policy-empty spec.nodePoolDefaults.requirements[1]: list the values to exclude"] : [],
    );
  });
});

describe("a field without a value", () => {
  const empty = (field: string) => `policy-empty ${field}: give it a value, or remove the line`;

  it.each<[string, readonly string[]]>([
    ["", [empty("spec")]],
    ["{}", []],
    ["{nodePoolDefaults: }", [empty("spec.nodePoolDefaults")]],
    ["{nodePoolDefaults: {requirements: }}", []],
    ["{ec2NodeClassDefaults: }", [empty("spec.ec2NodeClassDefaults")]],
    [
      "{ec2NodeClassDefaults: {rootVolume: {encrypted: , iops: }}}",
      ["encrypted", "iops"].map((name) => empty(`spec.ec2NodeClassDefaults.rootVolume.${name}`)),
    ],
    [
      "{nodePoolDefaults: {requirements: [{key: a, minValues: }]}}",
      [empty("spec.nodePoolDefaults.requirements[0].minValues")],
    ],
  ])("in %j is reported: %j", (spec, expected) => {
    expect(slips([], spec)).toStrictEqual(expected);
  });
});
