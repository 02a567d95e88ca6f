/** How far a cluster has come, by its own objects. */
import { describe, expect, it } from "vitest";
import { parseSources } from "../../krm/parse/parse.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { progressOf } from "./cluster-progress.ts";

const IN = { key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m6i", "m7i"] };

function pool(requirements: readonly object[], more: { metadata?: object; spec?: object; status?: object } = {}) {
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name: "web", ...more.metadata },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
          requirements,
          ...more.spec,
        },
      },
    },
    ...(more.status === undefined ? {} : { status: more.status }),
  };
}

function claim(name: string, family: string, more: { annotations?: object; status?: object } = {}) {
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: {
      name,
      labels: { "karpenter.sh/nodepool": "web", "karpenter.k8s.aws/instance-family": family },
      annotations: more.annotations ?? {},
    },
    spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" } },
    ...(more.status === undefined ? {} : { status: more.status }),
  };
}

function read(...objects: readonly object[]): readonly Resource[] {
  const text = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
  return parseSources([{ file: "d.json", folder: "", text, explicit: true, trusted: false, config: false }]).value;
}

const RENDERED = [pool([IN])] as unknown as readonly KubeObject[];
const HASH = "karpenter.sh/nodepool-hash";

describe("a cluster", () => {
  it.each<[string, readonly object[], string, string]>([
    ["without the pool", [], "not-applied", "NodePool web: is not in the cluster yet"],
    [
      "with the old requirements",
      [pool([{ ...IN, values: ["m5"] }])],
      "not-applied",
      "NodePool web: has other requirements in the cluster",
    ],
    [
      "with another template",
      [pool([IN], { spec: { expireAfter: "1h" } })],
      "not-applied",
      "NodePool web: has another template in the cluster",
    ],
    [
      "whose Karpenter has not seen the pool",
      [
        pool([IN], {
          metadata: { generation: 3 },
          status: { conditions: [{ type: "Ready", status: "True", observedGeneration: 2 }] },
        }),
      ],
      "not-applied",
      "NodePool web: Karpenter has not observed generation 3 yet",
    ],
    [
      "with a node of the old policy",
      [pool([IN]), claim("a", "m5"), claim("b", "m6i")],
      "replacing",
      "1 of 2 nodes left to replace",
    ],
    [
      "with a node that Karpenter says drifts",
      [pool([IN]), claim("a", "m6i", { status: { conditions: [{ type: "Drifted", status: "True" }] } })],
      "replacing",
      "1 of 1 node left to replace",
    ],
    [
      "with a node of another hash",
      [pool([IN], { metadata: { annotations: { [HASH]: "2" } } }), claim("a", "m6i", { annotations: { [HASH]: "1" } })],
      "replacing",
      "1 of 1 node left to replace",
    ],
    [
      "with fitting nodes",
      [pool([IN], { spec: { expireAfter: "720h" } }), claim("a", "m6i")],
      "converged",
      "none of 1 node drifts",
    ],
    [
      "with the values in another order",
      [pool([{ ...IN, values: ["m7i", "m6i"] }])],
      "converged",
      "none of 0 nodes drifts",
    ],
  ])("%s", (_what, live, state, why) => {
    expect(progressOf(RENDERED, read(...live))).toMatchObject({ state, why });
  });

  it("has the volumes of the policy in its node class", () => {
    const nodeClass = (volumeSize: string) => ({
      apiVersion: "karpenter.k8s.aws/v1",
      kind: "EC2NodeClass",
      metadata: { name: "default" },
      spec: { blockDeviceMappings: [{ deviceName: "/dev/xvda", ebs: { volumeSize } }] },
    });
    const rendered = [pool([IN]), nodeClass("75Gi")] as unknown as readonly KubeObject[];
    expect(progressOf(rendered, read(pool([IN]), nodeClass("120Gi")))).toMatchObject({
      state: "not-applied",
      why: "NodePool web: its EC2NodeClass default has other volumes in the cluster",
    });
    expect(progressOf(rendered, read(pool([IN]), nodeClass("75Gi"))).state).toBe("converged");
  });
});
