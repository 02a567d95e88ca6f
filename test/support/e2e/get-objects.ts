/** Objects for `anp get`: Karpenter's kinds in every state that a column can show, and ages. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";

const nodeClassRef = (name: string) => ({ group: "karpenter.k8s.aws", kind: "EC2NodeClass", name });
const lastTransitionTime = "2026-01-05T09:00:00Z";
const is = (type: string, status: string) => ({ type, status, lastTransitionTime, reason: "Tested", message: "" });

const pool = (name: string, spec: object, status?: object): KubernetesObject => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name },
  spec: { template: { spec: { nodeClassRef: nodeClassRef("default"), requirements: [] } }, ...spec },
  ...(status === undefined ? {} : { status }),
});

const claim = (name: string, labels: Record<string, string>, status?: object): KubernetesObject => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodeClaim",
  metadata: { name, labels },
  spec: { nodeClassRef: nodeClassRef("default"), requirements: [] },
  ...(status === undefined ? {} : { status }),
});

const nodeClass = (name: string, spec: object, status?: object): KubernetesObject => ({
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name },
  spec: {
    amiFamily: "Custom",
    amiSelectorTerms: [{ id: "ami-0a1b" }],
    subnetSelectorTerms: [{ id: "subnet-0a1b" }],
    securityGroupSelectorTerms: [{ id: "sg-0a1b" }],
    ...spec,
  },
  ...(status === undefined ? {} : { status }),
});

const labels = (pool: string, type: string, capacity: string, zone: string) => ({
  "karpenter.sh/nodepool": pool,
  "node.kubernetes.io/instance-type": type,
  "karpenter.sh/capacity-type": capacity,
  "topology.kubernetes.io/zone": zone,
});

/** Not in the order of their names. */
export const LISTED: readonly KubernetesObject[] = [
  pool(
    "web",
    { weight: 100 },
    {
      nodes: 4,
      resources: { cpu: "10", memory: "160Gi", nodes: "4" },
      conditions: [is("NodeClassReady", "True"), is("Ready", "True")],
    },
  ),
  pool(
    "fallback",
    {},
    {
      nodes: 100,
      resources: { cpu: 5, memory: "31457280Ki" },
      conditions: [is("Ready", "False")],
    },
  ),
  pool("unknown", {}, { conditions: [is("Ready", "Unknown")] }),
  pool("without-status", { weight: 1 }),
  pool("without-ready", {}, { nodes: 0, conditions: [is("NodeClassReady", "True")] }),
  pool(
    "a-pool-whose-name-is-longer-than-all-the-others.example.com",
    {},
    {
      nodes: 1234567,
      resources: { cpu: "1500m", memory: "0" },
    },
  ),
  claim("web-7lh6k", labels("web", "c6gn.large", "spot", "us-west-2b"), {
    nodeName: "ip-192-168-183-234.us-west-2.compute.internal",
    providerID: "aws:///us-west-2b/i-053c6b324e29d2275",
    imageID: "ami-0b1e393fbe12f411c",
    conditions: [is("Ready", "True"), is("Drifted", "True")],
  }),
  claim("fallback-97v9h", labels("fallback", "m7i.metal-48xl", "on-demand", "us-west-2a"), {
    providerID: "aws:///us-west-2a/i-0a1b",
    conditions: [is("Launched", "True"), is("Ready", "Unknown")],
  }),
  claim("by-hand", {}),
  nodeClass("default", { role: "KarpenterNodeRole-shop" }, { conditions: [is("Ready", "True")] }),
  nodeClass("a", { instanceProfile: "nodes" }),
];

/** A kind with an age as its only column. */
export const MOMENT_CRD: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "moments.test.example.com" },
  spec: {
    group: "test.example.com",
    names: { kind: "Moment", listKind: "MomentList", plural: "moments", singular: "moment" },
    scope: "Cluster",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: "Age", type: "date", jsonPath: ".when" }],
        schema: { openAPIV3Schema: { type: "object", properties: { when: { type: "string" } } } },
      },
    ],
  },
};

export function moment(index: number, time: number): KubernetesObject {
  return {
    apiVersion: "test.example.com/v1",
    kind: "Moment",
    metadata: { name: `moment-${index}` },
    when: new Date(time).toISOString().replace(".000Z", "Z"),
  };
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Ages in seconds, around each change of the format. */
export const DATED: readonly number[] = [
  0,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  3 * HOUR,
  7 * HOUR,
  8 * HOUR,
  2 * DAY,
  3 * DAY,
  8 * DAY,
  365 * DAY,
  2 * 365 * DAY,
  3 * 365 * DAY,
  8 * 365 * DAY,
  20 * 365 * DAY,
].flatMap((edge) => [-DAY, -HOUR, -MINUTE, -20, 20, MINUTE, HOUR, DAY, 10 * DAY].map((beside) => edge + beside));
