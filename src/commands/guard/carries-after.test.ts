/** Whether a pool carries a guard after an empty patch, and not that of an older anp. */
import { expect, test } from "vitest";
import type { Touchable } from "../../cluster/guard/touch.ts";
import { carriesAfter } from "./carries-after.ts";

const KIND = { apiVersion: "karpenter.sh/v1", kind: "NodePool", plural: "nodepools" };

function touched(metadata: object): Touchable {
  const template = { metadata, spec: { nodeClassRef: { group: "karpenter.k8s.aws" }, requirements: [] } };
  const after = { apiVersion: KIND.apiVersion, kind: KIND.kind, metadata: { name: "web" }, spec: { template } };
  return { kind: KIND, before: after, after, carries: true };
}

test.each<[string, object, boolean]>([
  ["no reserved keys", { annotations: { "example.com/a": "b" } }, true],
  ["keys that users may write", { annotations: { "karpenter.sh/do-not-disrupt": "true" } }, true],
  ["a termination timestamp", { annotations: { "karpenter.sh/nodeclaim-termination-timestamp": "never" } }, false],
  ["a reserved label", { labels: { "karpenter.k8s.aws/ec2nodeclass": "x" } }, false],
])("a pool whose template has %s", (_, metadata, carries) => {
  const policy = { requirements: [], hasRootVolume: false, rootVolume: undefined, profile: "karpenter-1.14" } as const;
  expect(
    carriesAfter(touched(metadata), {
      ...policy,
      rootVolume: { volumeSize: "75Gi", volumeType: "gp3", encrypted: true },
      bounds: {},
    }),
  ).toBe(carries);
  expect(carriesAfter(touched(metadata), { ...policy, bounds: {} }), "under an empty policy").toBe(true);
});
