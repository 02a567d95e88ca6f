/** What a random world has in its cluster: nodes with pods, NodeClaims that are starting, volumes and namespaces. */
import type { Feature } from "./features.ts";
import { valueOf, ZONES } from "./instance-types.ts";
import type { Random } from "./random.ts";
import { GROUPS, NAMESPACES } from "./workloads.ts";
import type { Manifest, WorldType } from "./world.ts";

const DRIVER = "ebs.csi.aws.com";
const ZONE = "topology.kubernetes.io/zone";

export function namespaces(): Manifest[] {
  return NAMESPACES.map((name, at) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name, kind: at === 0 ? "service" : "batch" } },
  }));
}

/** Names of claims that are in both namespaces. */
export const CLAIMS = ["data-0", "data-1", "data-2", "data-3"] as const;

export function volumesFor(random: Random, features: ReadonlySet<Feature>): Manifest[] {
  const classes = ["anywhere", "zonal"].map((name): Manifest => ({
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name },
    provisioner: random.pick([DRIVER, DRIVER, "kubernetes.io/aws-ebs"]),
    volumeBindingMode: features.has("immediateVolumes") && random.chance(0.3) ? "Immediate" : "WaitForFirstConsumer",
    ...(name === "anywhere"
      ? {}
      : {
          allowedTopologies: Array.from({ length: random.pick([1, 1, 2]) }, () => ({
            matchLabelExpressions: [
              {
                key: random.pick([ZONE, "topology.ebs.csi.aws.com/zone"]),
                values: random.some(ZONES, random.between(1, 2)),
              },
            ],
          })),
        }),
  }));
  const claims = NAMESPACES.flatMap((namespace) =>
    CLAIMS.flatMap((name): Manifest[] => {
      const volumeName = `pv-${namespace}-${name}`;
      const bound = random.chance(0.5);
      const claim = {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name, namespace, ...(bound ? { annotations: { "pv.kubernetes.io/bind-completed": "yes" } } : {}) },
        spec: {
          storageClassName: random.pick(["anywhere", "zonal"]),
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: "1Gi" } },
          ...(bound ? { volumeName } : {}),
        },
        ...(bound ? { status: { phase: "Bound" } } : {}),
      };
      return bound ? [claim, volumeOf(volumeName, random)] : [claim];
    }),
  );
  return [...classes, ...claims];
}

function volumeOf(name: string, random: Random): Manifest {
  const terms = Array.from({ length: random.pick([1, 1, 1, 2]) }, () => ({
    matchExpressions: [
      { key: random.pick([ZONE, "topology.ebs.csi.aws.com/zone"]), operator: "In", values: [random.pick(ZONES)] },
    ],
  }));
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      csi: { driver: DRIVER, volumeHandle: name },
      ...(random.chance(0.9) ? { nodeAffinity: { required: { nodeSelectorTerms: terms } } } : {}),
    },
  };
}

interface Given {
  readonly random: Random;
  readonly types: readonly WorldType[];
  readonly pools: readonly Manifest[];
  readonly features: ReadonlySet<Feature>;
}

/** Nodes of the pools with pods on them. */
export function nodesFor(given: Given): Manifest[] {
  return Array.from({ length: given.random.between(1, 4) }, (_, at) => nodeOf(`node-${at}`, given)).flat();
}

interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly taints?: readonly Manifest[];
    readonly startupTaints?: readonly Manifest[];
    readonly requirements?: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values?: readonly string[];
    }[];
  };
}

function nodeOf(name: string, { random, types, pools, features }: Given): Manifest[] {
  const pool = random.pick(pools) as {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly template: Template };
  };
  const { template } = pool.spec;
  const type = random.pick(types);
  const offering = random.pick(type.offerings);
  const team = template.spec.requirements?.find(({ key }) => key === "team")?.values?.[0];
  const single = [...type.requirements, ...offering.requirements].filter(
    ({ operator, values }) => operator === "In" && values?.length === 1,
  );
  const labels: Record<string, string> = {
    ...Object.fromEntries(single.map(({ key, values }) => [key, values![0]!])),
    ...template.metadata?.labels,
    ...(team === undefined ? {} : { team }),
    "karpenter.sh/nodepool": pool.metadata.name,
    "karpenter.k8s.aws/ec2nodeclass": "default",
    "kubernetes.io/hostname": name,
  };
  const providerID = `aws:///${valueOf(offering.requirements, ZONE)}/i-${name}`;
  const starting = random.chance(0.2);
  const initialized = !starting && random.chance(0.85);
  const deleting = features.has("deletingNodes") && random.chance(0.35);
  const amounts = { capacity: type.capacity, allocatable: type.allocatable };
  const claimLabels = Object.fromEntries(Object.entries(labels).filter(([key]) => key !== "kubernetes.io/hostname"));
  const claim: Manifest = {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: {
      name: `claim-${name}`,
      labels: claimLabels,
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...(deleting ? { deletionTimestamp: "2026-01-02T00:00:00Z", finalizers: ["karpenter.sh/termination"] } : {}),
    },
    spec: {
      nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
      requirements: single.map(({ key, values }) => ({ key, operator: "In", values })),
      ...(template.spec.taints === undefined ? {} : { taints: template.spec.taints }),
      ...(template.spec.startupTaints === undefined ? {} : { startupTaints: template.spec.startupTaints }),
    },
    status: {
      providerID,
      ...amounts,
      ...(starting ? {} : { nodeName: name }),
      conditions: conditionsOf(starting, initialized),
    },
  };
  if (starting) return [claim];
  const node: Manifest = {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        ...labels,
        "karpenter.sh/registered": "true",
        ...(initialized ? { "karpenter.sh/initialized": "true" } : {}),
      },
    },
    spec: {
      providerID,
      taints: [
        ...(template.spec.taints ?? []),
        ...(initialized ? [] : (template.spec.startupTaints ?? [])),
        ...(initialized ? [] : [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }]),
        ...(deleting ? [{ key: "karpenter.sh/disrupted", effect: "NoSchedule" }] : []),
      ],
    },
    status: amounts,
  };
  const csi: Manifest[] = features.has("volumeLimits")
    ? [
        {
          apiVersion: "storage.k8s.io/v1",
          kind: "CSINode",
          metadata: { name },
          spec: {
            drivers: [
              {
                name: DRIVER,
                nodeID: name,
                topologyKeys: null,
                ...(random.chance(0.8) ? { allocatable: { count: random.between(1, 3) } } : {}),
              },
            ],
          },
        },
      ]
    : [];
  return [claim, node, ...csi, ...podsOn(name, type, random, features)];
}

function conditionsOf(starting: boolean, initialized: boolean): Manifest[] {
  const status = (is: boolean): string => (is ? "True" : "Unknown");
  return [
    ["Launched", true],
    ["Registered", !starting],
    ["Initialized", initialized],
  ].map(([type, is]) => ({
    type,
    status: status(is as boolean),
    reason: type,
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  }));
}

/** Less than the node has: those that do not fit are left out. */
function podsOn(node: string, { allocatable }: WorldType, random: Random, features: ReadonlySet<Feature>): Manifest[] {
  const cpu = quantity(allocatable["cpu"]!);
  let left = cpu;
  return Array.from({ length: random.between(0, 4) }, (_, at): Manifest[] => {
    const request = random.pick([0.1, 0.5, 1, cpu / 2]);
    if (request > left) return [];
    left -= request;
    const group = random.pick(GROUPS);
    const app = `work-${random.pick(["a", "b", "x"])}`;
    const hostPort = features.has("hostPorts") && random.chance(0.3) ? random.pick([8080, 9100, 443]) : undefined;
    const term = {
      topologyKey: random.pick([ZONE, "kubernetes.io/hostname"]),
      labelSelector: { matchLabels: { group: random.pick(GROUPS) } },
    };
    const volume = features.has("volumes") && random.chance(0.3) ? random.pick(CLAIMS) : undefined;
    return [
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
          name: `running-${node}-${at}`,
          uid: `running-${node}-${at}`,
          namespace: random.pick(NAMESPACES),
          labels: { app, group },
        },
        spec: {
          nodeName: node,
          ...(features.has("antiAffinity") && random.chance(0.25)
            ? { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }
            : {}),
          ...(volume === undefined
            ? {}
            : { volumes: [{ name: "data", persistentVolumeClaim: { claimName: volume } }] }),
          containers: [
            {
              name: "main",
              resources: { requests: { cpu: `${Math.round(request * 1000)}m`, memory: "128Mi" } },
              ...(hostPort === undefined ? {} : { ports: [{ containerPort: 80, hostPort }] }),
            },
          ],
        },
        status: { phase: random.chance(0.95) ? "Running" : "Succeeded" },
      },
    ];
  }).flat();
}

function quantity(text: string): number {
  return text.endsWith("m") ? Number(text.slice(0, -1)) / 1000 : Number(text);
}
