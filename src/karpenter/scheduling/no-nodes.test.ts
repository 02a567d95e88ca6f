/** Tests each reason why a pool never gets or keeps a node, with counterexamples. */
import { describe, expect, it } from "vitest";
import { AWS as PROVIDER } from "../provider/aws.ts";
import { noNodesOf } from "./no-nodes.ts";

const AWS = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };

function codes(pool: Partial<Parameters<typeof noNodesOf>[0]>): string[] {
  const all = {
    name: "web",
    provider: PROVIDER,
    nodeClassRef: AWS,
    limits: undefined,
    expireAfter: undefined,
    ...pool,
  };
  return noNodesOf(all).map(({ code, path }) => `${code} ${path.at(-1)}`);
}

describe("names", () => {
  it.each([
    [63, []],
    [64, ["name-too-long name"]],
  ])("of %i characters", (length, wrong) => {
    const name = "a".repeat(length);
    expect(codes({ name })).toStrictEqual(wrong);
    expect(codes({ nodeClassRef: { ...AWS, name } })).toStrictEqual(wrong);
  });
});

it.each([
  ["karpenter.k8s.awz", "write group: karpenter.k8s.aws"],
  ["karpenter.azure.com", "refer to an EC2NodeClass of karpenter.k8s.aws"],
])("no provider serves %s", (group, hint) => {
  const kind = group.endsWith("awz") ? "EC2NodeClas" : "AKSNodeClass";
  const nodeClassRef = { ...AWS, group, kind };
  const [found] = noNodesOf({ name: "web", provider: PROVIDER, nodeClassRef, limits: {}, expireAfter: "720h" });
  expect(found).toMatchObject({ code: "provider-mismatch", hint });
});

it.each([
  [{ cpu: "1m" }, []],
  [{ cpu: 0 }, ["limits-allow-no-node cpu"]],
  [{ nodes: "0" }, ["limits-allow-no-node nodes"]],
  [{ memory: "-0" }, ["limits-allow-no-node memory"]],
  [{ "nvidia.com/gpu": 0 }, []],
  [{ "nvidia.com/gpu": "-1" }, ["limits-below-zero nvidia.com/gpu"]],
  [{ cpu: -1, nodes: "-1n" }, ["limits-below-zero cpu", "limits-below-zero nodes"]],
] as const)("limits %o", (limits, wrong) => expect(codes({ limits })).toStrictEqual(wrong));

it.each([
  ["0s", ["expires-at-once expireAfter"]],
  ["0h0m", ["expires-at-once expireAfter"]],
  ["1s", []],
  ["Never", []],
  ["9999999h", []],
])("expireAfter %s", (expireAfter, wrong) => expect(codes({ expireAfter })).toStrictEqual(wrong));
