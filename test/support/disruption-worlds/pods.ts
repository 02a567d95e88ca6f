/** The random pods of a node: owned or not, held or not, small or large. */
import type { Random } from "../plan-worlds/random.ts";
import { GROUPS, NAMESPACES } from "../plan-worlds/workloads.ts";
import type { Manifest, WorldType } from "../plan-worlds/world.ts";
import { ago, type Style } from "./world.ts";

const ZONE = "topology.kubernetes.io/zone";
const HOST = "kubernetes.io/hostname";

/** Less than the node has: those that do not fit are left out. */
export function podsOn(node: string, { allocatable }: WorldType, random: Random, style: Style): Manifest[] {
  const cpu = quantity(allocatable["cpu"]!);
  let left = cpu * 0.95;
  const isEmpty = random.chance(style === "sparse" ? 0.5 : style === "packed" ? 0 : 0.15);
  const most = isEmpty ? 0 : random.pick([1, 2, 4]);
  const some = Array.from({ length: random.between(Math.min(1, most), most) }, (_, at): Manifest[] => {
    const request = random.pick(SHARES[style]?.(cpu) ?? [0.1, 0.3, 0.5, 1, cpu / 3]);
    if (request > left) return [];
    left -= request;
    return [podOf(`running-${node}-${at}`, node, request, random, style)];
  }).flat();
  return random.chance(0.15) ? [...some, ofNode(node, random)] : some;
}

/** What pods request of a node, where it has to be much or little for a replacement to be what is left. */
const SHARES: Partial<Record<Style, (cpu: number) => readonly number[]>> = {
  packed: (cpu) => [cpu / 2, cpu / 3],
  spot: (cpu) => [cpu / 3, cpu / 8],
  balanced: (cpu) => [cpu / 3, cpu / 4],
};

/** A pod that no other node gets. */
function ofNode(node: string, random: Random): Manifest {
  const owner = random.pick([
    { apiVersion: "apps/v1", kind: "DaemonSet", name: "agent", uid: "agent" },
    { apiVersion: "v1", kind: "Node", name: node, uid: node },
  ]);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `own-${node}`,
      uid: `own-${node}`,
      namespace: "kube-system",
      ownerReferences: [owner],
      ...(random.chance(0.05) ? { annotations: { "karpenter.sh/do-not-disrupt": "true" } } : {}),
    },
    spec: { nodeName: node, containers: [{ name: "main", resources: { requests: { cpu: "10m" } } }] },
    status: { phase: "Running" },
  };
}

function podOf(name: string, node: string, request: number, random: Random, style: Style): Manifest {
  const group = random.pick(GROUPS);
  const held = style === "held" ? 0.12 : 0.02;
  const leaving = random.chance(0.03);
  const annotations = {
    ...(random.chance(held) ? { "karpenter.sh/do-not-disrupt": random.pick(["true", "10m", "10h", "false"]) } : {}),
    ...(random.chance(0.1) ? { "karpenter.sh/disruption-cost": random.pick(["-2147483647", "1000000000", "x"]) } : {}),
    ...(random.chance(0.05) ? { "controller.kubernetes.io/pod-deletion-cost": "-2147483647" } : {}),
  };
  const kind = random.pick(["ReplicaSet", "ReplicaSet", "ReplicaSet", "StatefulSet", undefined]);
  const constraint = random.chance(0.15) ? random.pick(["spread", "apart", "zone", "host"]) : undefined;
  const selector = { matchLabels: { group } };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      uid: name,
      namespace: random.pick(NAMESPACES),
      labels: { app: `work-${random.pick(["a", "b", "x"])}`, group },
      creationTimestamp: ago(60),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(leaving ? { deletionTimestamp: ago(1), finalizers: ["example.com/stays"] } : {}),
      ...(kind === undefined ? {} : { ownerReferences: [{ apiVersion: "apps/v1", kind, name: "own", uid: "own" }] }),
    },
    spec: {
      nodeName: node,
      ...(random.chance(0.1) ? { priority: random.pick([-100_000_000, 1_000_000, 2_000_000_000]) } : {}),
      ...(random.chance(0.03)
        ? { tolerations: [{ key: "karpenter.sh/disrupted", operator: "Exists", effect: "NoSchedule" }] }
        : random.chance(0.1)
          ? { tolerations: [{ operator: "Exists" }] }
          : {}),
      ...(constraint === "spread"
        ? {
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: random.pick([ZONE, HOST]),
                whenUnsatisfiable: random.pick(["DoNotSchedule", "ScheduleAnyway"]),
                labelSelector: selector,
              },
            ],
          }
        : {}),
      ...(constraint === "apart"
        ? {
            affinity: {
              podAntiAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOST, labelSelector: selector }],
              },
            },
          }
        : {}),
      ...(constraint === "zone" ? { nodeSelector: { [ZONE]: random.pick(["us-east-1a", "us-east-1b"]) } } : {}),
      ...(constraint === "host" ? { nodeSelector: { tier: random.pick(["front", "back"]) } } : {}),
      containers: [
        { name: "main", resources: { requests: { cpu: `${Math.round(request * 1000)}m`, memory: "128Mi" } } },
      ],
    },
    status: {
      phase: random.chance(0.94) ? "Running" : random.pick(["Succeeded", "Pending"]),
      startTime: ago(60),
      ...(random.chance(0.1) ? { conditions: [{ type: "Ready", status: "False" }] } : {}),
    },
  };
}

function quantity(text: string): number {
  return text.endsWith("m") ? Number(text.slice(0, -1)) / 1000 : Number(text);
}
