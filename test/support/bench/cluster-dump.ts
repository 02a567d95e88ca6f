/** A dump of a large cluster that is half empty: nodes of several types, and pods of workloads as teams have them. */
import { randomOf } from "../plan-worlds/random.ts";
import type { Manifest } from "../plan-worlds/world.ts";

const ZONES = ["us-east-1a", "us-east-1b", "us-east-1c"];
const TYPES = [
  ["m5.xlarge", 4, 16],
  ["m5.2xlarge", 8, 32],
  ["c5.2xlarge", 8, 16],
  ["r5.xlarge", 4, 32],
] as const;

interface Workload {
  readonly name: string;
  readonly cpu: number;
  readonly mebibytes: number;
  readonly spec: Manifest;
}

/** @param share the part of the processors that pods request */
export function clusterDump(nodes: number, pods: number, share = 0.5): Manifest {
  const random = randomOf(34);
  const workloads = Array.from({ length: Math.max(1, Math.round(pods / 40)) }, (_, at) => workloadOf(at, random));
  const places = Array.from({ length: nodes }, (_, at) => {
    const [type, cpu, gibibytes] = random.pick(TYPES);
    const zone = random.pick(ZONES);
    return { name: `ip-10-${at >> 8}-${at & 255}-7`, type, zone, cpu, gibibytes, left: cpu * 1000 * share };
  });
  const placed = Array.from({ length: pods }, (_, at): Manifest[] => {
    const workload = workloads[at % workloads.length]!;
    const place = random.pick(places);
    const fits = place.left >= workload.cpu ? place : places.find(({ left }) => left >= workload.cpu);
    if (fits === undefined) return [];
    fits.left -= workload.cpu;
    return [podOf(workload, at, fits.name)];
  });
  return {
    apiVersion: "v1",
    kind: "List",
    items: [...POOLS, ...places.flatMap(nodeOf), ...placed.flat(), ...workloads.map(({ name }) => budgetOf(name))],
  };
}

function workloadOf(at: number, random: ReturnType<typeof randomOf>): Workload {
  const name = `work-${String(at).padStart(4, "0")}`;
  const selector = { labelSelector: { matchLabels: { app: name } } };
  const spread = { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" };
  const apart = { topologyKey: "kubernetes.io/hostname", ...selector };
  const kinds: readonly Manifest[] = [
    {},
    {},
    {},
    {},
    { topologySpreadConstraints: [{ ...spread, ...selector }] },
    {
      affinity: {
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: apart }] },
      },
    },
    { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } } },
  ];
  return {
    name,
    cpu: random.pick([50, 100, 100, 200, 250]),
    mebibytes: random.pick([64, 128, 256, 512]),
    spec: random.pick(kinds),
  };
}

function podOf({ name, cpu, mebibytes, spec }: Workload, at: number, nodeName: string): Manifest {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${name}-${at}`,
      namespace: "shop",
      uid: `${name}-${at}`,
      creationTimestamp: "2026-11-20T08:00:00Z",
      labels: { app: name },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name, uid: name, controller: true }],
    },
    spec: {
      nodeName,
      ...spec,
      containers: [{ name: "main", resources: { requests: { cpu: `${cpu}m`, memory: `${mebibytes}Mi` } } }],
    },
    status: { phase: "Running", startTime: "2026-11-20T08:00:00Z" },
  };
}

function budgetOf(name: string): Manifest {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace: "shop" },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: name } } },
    status: { disruptionsAllowed: 1, currentHealthy: 40, desiredHealthy: 39, expectedPods: 40 },
  };
}

interface Place {
  readonly name: string;
  readonly type: string;
  readonly zone: string;
  readonly cpu: number;
  readonly gibibytes: number;
}

function nodeOf({ name, type, zone, cpu, gibibytes }: Place): Manifest[] {
  const labels = {
    "karpenter.sh/nodepool": "general",
    "karpenter.sh/registered": "true",
    "karpenter.sh/initialized": "true",
    "karpenter.sh/capacity-type": "on-demand",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/os": "linux",
    "node.kubernetes.io/instance-type": type,
    "topology.kubernetes.io/region": "us-east-1",
    "topology.kubernetes.io/zone": zone,
  };
  const time = "2026-11-10T08:00:00Z";
  const condition = (of: string): Manifest => ({ type: of, status: "True", reason: of, lastTransitionTime: time });
  const amounts = {
    capacity: { cpu: String(cpu), memory: `${gibibytes}Gi`, pods: "58" },
    allocatable: { cpu: `${cpu * 1000 - 90}m`, memory: `${gibibytes - 1}Gi`, pods: "58" },
  };
  return [
    {
      apiVersion: "karpenter.sh/v1",
      kind: "NodeClaim",
      metadata: { name: `claim-${name}`, labels, creationTimestamp: time },
      spec: { nodeClassRef: CLASS },
      status: {
        providerID: `aws:///${zone}/${name}`,
        nodeName: name,
        conditions: ["Initialized", "Consolidatable"].map(condition),
      },
    },
    {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels: { ...labels, "kubernetes.io/hostname": name }, creationTimestamp: time },
      spec: { providerID: `aws:///${zone}/${name}` },
      status: { ...amounts, conditions: [condition("Ready")] },
    },
  ];
}

const CLASS = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };

const POOLS: readonly Manifest[] = [
  {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name: "general" },
    spec: {
      disruption: {
        consolidationPolicy: "WhenEmptyOrUnderutilized",
        consolidateAfter: "30s",
        budgets: [{ nodes: "10%" }],
      },
      template: {
        spec: {
          nodeClassRef: CLASS,
          requirements: [
            { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] },
            { key: "karpenter.k8s.aws/instance-category", operator: "In", values: ["c", "m", "r"] },
            { key: "karpenter.k8s.aws/instance-generation", operator: "Gt", values: ["4"] },
            { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
          ],
        },
      },
    },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  },
  {
    apiVersion: "karpenter.k8s.aws/v1",
    kind: "EC2NodeClass",
    metadata: { name: "default" },
    spec: {
      role: "nodes",
      amiSelectorTerms: [{ alias: "al2023@v20261101" }],
      subnetSelectorTerms: [{ tags: { "karpenter.sh/discovery": "prod" } }],
      securityGroupSelectorTerms: [{ tags: { "karpenter.sh/discovery": "prod" } }],
    },
  },
  {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent", namespace: "kube-system" },
    spec: {
      selector: { matchLabels: { app: "agent" } },
      template: {
        metadata: { labels: { app: "agent" } },
        spec: { containers: [{ name: "main", resources: { requests: { cpu: "100m", memory: "128Mi" } } }] },
      },
    },
  },
];
