/** Tests the conversion of one object of each Karpenter kind, without Go. */
import { describe, expect, it } from "vitest";
import { convertAsWebhook } from "./convert-object.ts";
import { karpenterType } from "./karpenter-type.ts";
import type { Fields } from "../../krm/values/fields.ts";

/** One object of each kind, for machines without Go: the oracle suite compares random objects with Karpenter itself. */
describe("as Karpenter's webhook", () => {
  const pool: Fields = {
    apiVersion: "karpenter.sh/v1beta1",
    kind: "NodePool",
    metadata: { name: "web" },
    spec: {
      template: {
        spec: {
          kubelet: { maxPods: 110, evictionSoftGracePeriod: { "memory.available": "2m" }, clusterDNS: [] },
          nodeClassRef: { name: "default", apiVersion: "karpenter.k8s.aws/v1beta1" },
          requirements: [],
          resources: { requests: { cpu: "1" } },
        },
      },
      disruption: { consolidationPolicy: "WhenUnderutilized", consolidateAfter: "Never" },
    },
  };

  it("converts a NodePool", () => {
    expect(convertAsWebhook(pool, "v1")).toStrictEqual({
      value: {
        apiVersion: "karpenter.sh/v1",
        kind: "NodePool",
        metadata: {
          name: "web",
          annotations: {
            "compatibility.karpenter.sh/v1beta1-kubelet-conversion":
              '{"maxPods":110,"evictionSoftGracePeriod":{"memory.available":"2m0s"}}',
            "compatibility.karpenter.sh/v1beta1-nodeclass-reference":
              '{"name":"default","apiVersion":"karpenter.k8s.aws/v1beta1"}',
          },
        },
        spec: {
          template: {
            spec: {
              nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
              requirements: [],
              expireAfter: "720h",
            },
          },
          disruption: {
            consolidationPolicy: "WhenEmptyOrUnderutilized",
            consolidateAfter: "0s",
            budgets: [{ nodes: "10%" }],
          },
        },
      },
    });
  });

  it("restores the original", () => {
    const there = convertAsWebhook(pool, "v1") as { value: Fields };
    const back = convertAsWebhook(there.value, "v1beta1") as { value: Fields };
    expect(back.value["metadata"]).toStrictEqual({ name: "web" });
    expect(back.value["spec"]).toStrictEqual({
      template: {
        spec: {
          requirements: [],
          nodeClassRef: { name: "default", apiVersion: "karpenter.k8s.aws/v1beta1" },
          kubelet: { maxPods: 110, evictionSoftGracePeriod: { "memory.available": "2m0s" } },
        },
      },
      disruption: { consolidationPolicy: "WhenUnderutilized", budgets: [{ nodes: "10%" }], expireAfter: "720h" },
    });
  });

  it("gives a claim the lifetime of its pool, or none without a pool", () => {
    const claim = { apiVersion: "karpenter.sh/v1beta1", kind: "NodeClaim", metadata: { name: "c" }, spec: {} };
    const expiryWith = (template: Fields | undefined): unknown => {
      const pool = template === undefined ? undefined : { spec: { template: { spec: template } } };
      const { value } = convertAsWebhook(claim, "v1", { pool }) as { value: { spec: Fields } };
      return value.spec["expireAfter"];
    };
    expect(expiryWith({ expireAfter: "48h" })).toBe("48h");
    expect(expiryWith({})).toBe("720h");
    expect(expiryWith(undefined)).toBe("Never");
  });

  it.each([
    ["compatibility.karpenter.sh/v1beta1-kubelet-conversion", "maxPods"],
    ["compatability.karpenter.sh/v1beta1-kubelet-conversion", "[]"],
    ["compatibility.karpenter.sh/v1beta1-kubelet-conversion", '{"maxPods":"110"}'],
    [
      "compatibility.karpenter.sh/v1beta1-kubelet-conversion",
      '{"evictionSoftGracePeriod":{"memory.available":"soon"}}',
    ],
    ["compatibility.karpenter.sh/v1beta1-nodeclass-reference", "{"],
    ["compatibility.karpenter.sh/v1beta1-nodeclass-reference", '{"name":["web"]}'],
  ])("fails at %s: %s", (annotation, text) => {
    const metadata = { name: "web", annotations: { [annotation]: text } };
    const object = {
      apiVersion: "karpenter.sh/v1",
      kind: "NodePool",
      metadata,
      spec: { template: { spec: { nodeClassRef: {} } } },
    };
    expect(convertAsWebhook(object, "v1beta1")).toStrictEqual({
      refusal: { annotation: annotation.replace("compatability", "compatibility") },
    });
  });

  it.each<[unknown, string, readonly (string | number)[]]>([
    ["none", "a mapping", ["spec"]],
    [{ template: { spec: { requirements: "amd64" } } }, "a list", ["spec", "template", "spec", "requirements"]],
    [{ template: { spec: { requirements: [7] } } }, "a mapping", ["spec", "template", "spec", "requirements", 0]],
    [{ disruption: { expireAfter: 720 } }, "a duration or Never", ["spec", "disruption", "expireAfter"]],
  ])("fails at %j, and fills in nothing", (spec, wanted, path) => {
    const object = { apiVersion: "karpenter.sh/v1beta1", kind: "NodePool", metadata: { name: "web" }, spec };
    expect(convertAsWebhook(object, "v1")).toStrictEqual({ refusal: { path, wanted } });
  });

  it.each(["al2023", "al2023@a@b", "windows2025@latest"])("fails at the alias %s", (alias) => {
    const spec = { amiSelectorTerms: [{ alias }] };
    const object = { apiVersion: "karpenter.k8s.aws/v1", kind: "EC2NodeClass", metadata: { name: "x" }, spec };
    expect(convertAsWebhook(object, "v1beta1")).toStrictEqual({ refusal: { alias } });
  });
});

it.each([
  ["karpenter.sh/v1", "NodePool", { kind: "NodePool", version: "v1" }],
  ["karpenter.k8s.aws/v1beta1", "EC2NodeClass", { kind: "EC2NodeClass", version: "v1beta1" }],
  ["karpenter.sh/v1alpha5", "NodePool", undefined],
  ["karpenter.sh/v1", "EC2NodeClass", undefined],
  ["hypershift.openshift.io/v1beta1", "NodePool", undefined],
  ["karpenter.sh/v1", "constructor", undefined],
])("%s %s", (apiVersion, kind, type) => {
  expect(karpenterType({ apiVersion, kind })).toStrictEqual(type);
});
