/** Objects of Karpenter's kinds that together have every field of the CRDs, valid on every profile unless noted. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";

const time = "2026-01-05T09:00:00Z";

const requirements = [
  { key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m5", "c5"], minValues: 2 },
  { key: "karpenter.k8s.aws/instance-cpu", operator: "Gt", values: ["3"] },
  { key: "example.com/team", operator: "Exists" },
];
const taint = { key: "example.com/dedicated", value: "shop", effect: "NoSchedule", timeAdded: time };
const startupTaint = { key: "example.com/starting", effect: "NoExecute" };

const node = {
  nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
  requirements,
  taints: [taint],
  startupTaints: [startupTaint],
  expireAfter: "720h",
  terminationGracePeriod: "1h30m",
};

const condition = (type: string) => ({
  type,
  status: "True",
  lastTransitionTime: time,
  observedGeneration: 1,
  reason: "Tested",
  message: "as it should be",
});

const NODE_POOL: KubernetesObject = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: {
    template: {
      metadata: { labels: { "example.com/team": "shop" }, annotations: { "example.com/note": "any text" } },
      spec: node,
    },
    disruption: {
      consolidateAfter: "5m",
      consolidationPolicy: "WhenEmpty",
      budgets: [{ nodes: "10%", reasons: ["Drifted"], schedule: "0 9 * * mon-fri", duration: "8h" }, { nodes: "5" }],
    },
    limits: { cpu: "1000", memory: "1000Gi", nodes: 10 },
    weight: 10,
  },
  status: {
    conditions: [condition("Ready"), condition("example.com/Other")],
    nodeClassObservedGeneration: 1,
    nodes: 3,
    resources: { cpu: "12", memory: "48Gi", nodes: "3" },
  },
};

const STATIC_POOL: KubernetesObject = {
  ...NODE_POOL,
  spec: { template: { spec: node }, replicas: 3, limits: { nodes: "5" } },
};

const NODE_CLAIM: KubernetesObject = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodeClaim",
  metadata: { name: "web-7lh6k" },
  spec: { ...node, resources: { requests: { cpu: "3", memory: "5Gi" } } },
  status: {
    allocatable: { cpu: "1930m" },
    capacity: { cpu: 2 },
    conditions: [condition("Ready"), condition("Drifted")],
    imageID: "ami-0a1b",
    lastPodEventTime: time,
    nodeName: "ip-10-0-0-1.ec2.internal",
    providerID: "aws:///us-east-1a/i-0a1b",
  },
};

const terms = { subnetSelectorTerms: [{ id: "subnet-0a1b" }], securityGroupSelectorTerms: [{ id: "sg-0a1b" }] };

const BLOCK_DEVICE = {
  deviceName: "/dev/xvda",
  rootVolume: true,
  ebs: {
    volumeSize: "100Gi",
    volumeType: "gp3",
    encrypted: true,
    deleteOnTermination: true,
    iops: 3000,
    throughput: 125,
    kmsKeyID: "1234",
    snapshotID: "snap-0a1b",
    volumeInitializationRate: 100,
  },
};

const KUBELET = {
  clusterDNS: ["10.0.1.100"],
  maxPods: 20,
  podsPerCore: 2,
  systemReserved: { cpu: "100m" },
  kubeReserved: { memory: "1Gi" },
  evictionHard: { "memory.available": "5%" },
  evictionSoft: { "nodefs.available": "10%" },
  evictionSoftGracePeriod: { "nodefs.available": "1m0s" },
  evictionMaxPodGracePeriod: 60,
  imageGCHighThresholdPercent: 85,
  imageGCLowThresholdPercent: 80,
  cpuCFSQuota: true,
};

const NODE_CLASS: KubernetesObject = {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "default" },
  spec: {
    ...terms,
    amiFamily: "Custom",
    amiSelectorTerms: [{ id: "ami-0a1b" }, { id: "ami-0c2d" }],
    capacityReservationSelectorTerms: [{ id: "cr-0a1b" }],
    associatePublicIPAddress: true,
    blockDeviceMappings: [BLOCK_DEVICE],
    context: "any",
    detailedMonitoring: true,
    instanceProfile: "nodes",
    instanceStorePolicy: "RAID0",
    ipPrefixCount: 0,
    kubelet: KUBELET,
    metadataOptions: {
      httpEndpoint: "enabled",
      httpProtocolIPv6: "disabled",
      httpPutResponseHopLimit: 1,
      httpTokens: "required",
    },
    tags: { team: "shop" },
    userData: "text",
  },
  status: {
    amis: [
      {
        id: "ami-0a1b",
        name: "rhcos",
        deprecated: false,
        requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }],
      },
    ],
    capacityReservations: [
      {
        availabilityZone: "us-east-1a",
        endTime: time,
        id: "cr-0a1b",
        instanceMatchCriteria: "open",
        instanceType: "m5.large",
        interruptible: false,
        ownerID: "012345678901",
        reservationType: "default",
        state: "active",
      },
    ],
    conditions: [condition("Ready"), condition("SubnetsReady")],
    instanceProfile: "nodes",
    securityGroups: [{ id: "sg-0a1b", name: "default" }],
    subnets: [{ id: "subnet-0a1b", zone: "us-east-1a", zoneID: "use1-az1" }],
  },
};

/** By tags and names. */
const SELECTING_CLASS: KubernetesObject = {
  ...NODE_CLASS,
  spec: {
    amiFamily: "AL2023",
    amiSelectorTerms: [{ tags: { team: "shop" } }, { name: "rhcos", owner: "self" }, { ssmParameter: "/images/rhcos" }],
    subnetSelectorTerms: [{ tags: { team: "shop" } }],
    securityGroupSelectorTerms: [{ tags: { team: "shop" } }, { name: "default" }],
    capacityReservationSelectorTerms: [
      { tags: { team: "shop" }, ownerID: "012345678901", instanceMatchCriteria: "open" },
    ],
    role: "nodes",
    connectionTracking: { tcpEstablishedTimeout: 300, udpStreamTimeout: 90, udpTimeout: 30 },
    cpuOptions: { nestedVirtualization: "enabled" },
    networkInterfaces: [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: "interface" },
      { networkCardIndex: 1, deviceIndex: 1, interfaceType: "efa-only" },
    ],
    placementGroupSelector: { name: "close-together" },
  },
};

const ALIAS_CLASS: KubernetesObject = {
  ...NODE_CLASS,
  spec: {
    ...terms,
    amiSelectorTerms: [{ alias: "al2023@latest" }],
    role: "nodes",
    placementGroupSelector: { id: "pg-0a1b" },
  },
};

/**
 * HyperShift's edits refuse the last two (docs/upstream/hypershift.md#karpenters-crds), and also their invalid variants.
 */
export const KARPENTER_OBJECTS = [NODE_POOL, STATIC_POOL, NODE_CLAIM, NODE_CLASS, SELECTING_CLASS, ALIAS_CLASS];
