/** The tags of a wrapper, accepted and refused. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { openshiftEC2NodeClassSpec } from "./openshift-ec2-node-class.ts";

/** The case, the value in YAML, and the findings (line:column field words → hint). */
type Case = [what: string, value: string, findings: string[]];

const CASES: Case[] = [
  ["tags, also with an empty value", '{ team: web, acme.com/cost: "" }', []],
  ["no tag", "{}", ["5:9 spec.tags is wrong: no field is set in it → remove it, or set a field"]],
  ["an empty key", '{ "": x }', ['5:21 spec.tags[""] is wrong: a tag needs a key']],
  [
    "eks:eks-cluster-name",
    '{ team: web, "eks:eks-cluster-name": x }',
    [
      '5:52 spec.tags["eks:eks-cluster-name"] is wrong: the tag eks:eks-cluster-name is Karpenter\'s own → remove it: Karpenter sets it on all that it makes',
    ],
  ],
  [
    "karpenter.sh/nodepool",
    "{ karpenter.sh/nodepool: x }",
    [
      '5:40 spec.tags["karpenter.sh/nodepool"] is wrong: the tag karpenter.sh/nodepool is Karpenter\'s own → remove it: Karpenter sets it on all that it makes',
    ],
  ],
  [
    "karpenter.sh/nodeclaim",
    "{ karpenter.sh/nodeclaim: x }",
    [
      '5:41 spec.tags["karpenter.sh/nodeclaim"] is wrong: the tag karpenter.sh/nodeclaim is Karpenter\'s own → remove it: Karpenter sets it on all that it makes',
    ],
  ],
  [
    "karpenter.k8s.aws/ec2nodeclass",
    "{ karpenter.k8s.aws/ec2nodeclass: x }",
    [
      '5:49 spec.tags["karpenter.k8s.aws/ec2nodeclass"] is wrong: the tag karpenter.k8s.aws/ec2nodeclass is Karpenter\'s own → remove it: Karpenter sets it on all that it makes',
    ],
  ],
  ["another key of karpenter.sh passes, as upstream", "{ karpenter.sh/discovery: x }", []],
  [
    "kubernetes.io/cluster/…",
    "{ kubernetes.io/cluster/c1: owned }",
    [
      '5:43 spec.tags["kubernetes.io/cluster/c1"] is wrong: tags that begin with kubernetes.io/cluster are Karpenter\'s own → remove it: Karpenter marks what belongs to the cluster',
    ],
  ],
  [
    "the prefix without its slash",
    "{ kubernetes.io/clusters: x }",
    [
      '5:41 spec.tags["kubernetes.io/clusters"] is wrong: tags that begin with kubernetes.io/cluster are Karpenter\'s own → remove it: Karpenter marks what belongs to the cluster',
    ],
  ],
  [
    "a value that is a number",
    "{ cost: 12 }",
    ['5:23 spec.tags.cost must be a string, not 12 → put it in quotes: "12"'],
  ],
];

describe("tags", () => {
  it.each(CASES)("%s", (_what, value, findings) => {
    expect(specFindings(openshiftEC2NodeClassSpec, `{ tags: ${value} }`)).toEqual(findings);
  });
});

it("points at each wrong key in its line", () => {
  const spec = "tags:\n  team: web\n  karpenter.sh/nodepool: x\n  kubernetes.io/cluster/c1: owned";
  expect(specFindings(openshiftEC2NodeClassSpec, spec)).toEqual([
    '8:28 spec.tags["karpenter.sh/nodepool"] is wrong: the tag karpenter.sh/nodepool is Karpenter\'s own → remove it: Karpenter sets it on all that it makes',
    '9:31 spec.tags["kubernetes.io/cluster/c1"] is wrong: tags that begin with kubernetes.io/cluster are Karpenter\'s own → remove it: Karpenter marks what belongs to the cluster',
  ]);
});
