/** The non-disruptive ways that are suggested for a change: only those that work. */
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { type NodeFacts, readNodeData } from "../nodes/node-data.ts";
import { diffClusters } from "./compare-clusters.ts";
import { nonDisruptiveWays } from "./non-disruptive-ways.ts";
import { pairsOf, type SideCluster, type SideObject } from "./sides.ts";

const ALL = ["second-pool web", "budget web", "window web"];

interface Fields {
  readonly family?: string;
  readonly labels?: object;
  readonly annotations?: object;
  readonly spec?: object;
  readonly requirements?: readonly object[];
}

function pool({ family = "m5", labels, annotations, spec = {}, requirements }: Fields = {}, name = "web"): SideObject {
  const object: KubeObject = {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      template: {
        metadata: { labels, annotations },
        spec: {
          nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
          requirements: requirements ?? [
            { key: "karpenter.k8s.aws/instance-family", operator: "In", values: [family] },
          ],
        },
      },
      ...spec,
    },
  };
  return { object, asItStands: true, placeOf: () => undefined };
}

function nodeClass(maxPods: number): SideObject {
  const object = {
    apiVersion: "karpenter.k8s.aws/v1",
    kind: "EC2NodeClass",
    metadata: { name: "default" },
    spec: { kubelet: { maxPods } },
  };
  return { object, asItStands: true, placeOf: () => undefined };
}

function told(before: readonly SideObject[], after: readonly SideObject[], nodes?: readonly NodeFacts[]): string[] {
  const side = (objects: readonly SideObject[]): SideCluster[] => [
    { hostedCluster: undefined, objects, unsure: new Set() },
  ];
  const { changes } = diffClusters(pairsOf(side(before), side(after))!, {
    nodesOf: () => nodes,
    at: Date.parse("2026-11-23T09:00:00Z"),
    nodeTime: 300_000,
  });
  return nonDisruptiveWays(changes).map(({ way, pools }) => `${way} ${pools.map(({ name }) => name).join(" ")}`);
}

const budgets = (...list: readonly object[]): object => ({ disruption: { budgets: list } });
const MARK = { key: "anp.hypershift.openshift.io/policy-end", operator: "DoesNotExist" };
const OWN = { key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m5"] };
const arch = (value: string): object => ({ key: "kubernetes.io/arch", operator: "In", values: [value] });

describe("ways of keeping nodes", () => {
  it.each<readonly [string, SideObject, SideObject, readonly string[]]>([
    ["another family", pool(), pool({ family: "m7i" }), ALL],
    ["another label of the template", pool(), pool({ labels: { team: "shop" } }), ALL],
    ["what replaces nothing", pool(), pool({ spec: { weight: 10 } }), []],
    ["no pool any more", pool(), pool({}, "other"), []],
    [
      "a budget that closes drift",
      pool(),
      pool({ family: "m7i", spec: budgets({ nodes: "10%" }, { nodes: "0", reasons: ["Drifted"] }) }),
      [],
    ],
    [
      "a window",
      pool(),
      pool({
        family: "m7i",
        spec: budgets({ nodes: "10%" }, { nodes: "0", reasons: ["Drifted"], schedule: "0 6 * * 1-5", duration: "14h" }),
      }),
      ["second-pool web", "budget web"],
    ],
    [
      "nodes that must not be disrupted",
      pool({ annotations: { "karpenter.sh/do-not-disrupt": "true" } }),
      pool({ annotations: { "karpenter.sh/do-not-disrupt": "true" }, family: "m7i" }),
      [],
    ],
    [
      "a static pool",
      pool({ spec: { replicas: 3 } }),
      pool({ family: "m7i", spec: { replicas: 3 } }),
      ["budget web", "window web"],
    ],
    ["a floor under budgets", pool(), { ...pool({ family: "m7i" }), driftedFloor: "1" }, ["second-pool web"]],
    ["what a guard does", pool(), { ...pool({ family: "m7i" }), isImposed: true }, ["budget web", "window web"]],
    [
      "the policy's part of a guarded pool",
      pool({ requirements: [arch("amd64"), MARK, OWN] }),
      pool({ requirements: [arch("arm64"), MARK, OWN] }),
      ["budget web", "window web"],
    ],
    [
      "the own part of a guarded pool",
      pool({ requirements: [arch("amd64"), MARK, OWN] }),
      pool({ requirements: [arch("amd64"), MARK, { ...OWN, values: ["m7i"] }] }),
      ALL,
    ],
    [
      "nodes that never come to fit",
      pool(),
      pool({ labels: { team: "a" }, requirements: [{ key: "team", operator: "In", values: ["b"] }] }),
      [],
    ],
  ])("for %s", (_what, before, after, ways) => {
    expect(told([before], [after])).toStrictEqual(ways);
  });

  it("names the pools of a class that changes", () => {
    const pools = [pool(), pool({}, "batch"), pool({ spec: budgets({ nodes: "0" }) }, "closed")];
    expect(told([nodeClass(50), ...pools], [nodeClass(60), ...pools])).toStrictEqual([
      "second-pool web batch",
      "budget web batch",
      "window web batch",
    ]);
  });

  it("leaves out a way that works for one change of a pool and not for the other", () => {
    const after = [nodeClass(60), { ...pool({ family: "m7i" }), isImposed: true }];
    expect(told([nodeClass(50), pool()], after)).toStrictEqual(["budget web", "window web"]);
  });

  it("suggests nothing if no existing node is affected", () => {
    expect(told([pool()], [pool({ family: "m7i" })], readNodeData([]))).toStrictEqual([]);
  });
});
