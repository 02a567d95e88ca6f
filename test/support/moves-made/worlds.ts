/** Random clusters of a few nodes with pods on them, as a Karpenter with the kwok provider can have them. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { type Random, randomOf } from "../plan-worlds/random.ts";

export interface MovesWorld {
  readonly seed: number;
  readonly style: Style;
  /** As they are once Karpenter may disrupt nodes. */
  readonly pools: readonly KubernetesObject[];
  readonly nodes: readonly WorldNode[];
  readonly podBudgets: readonly KubernetesObject[];
}

export interface WorldNode {
  /** Of its NodeClaim. */
  readonly name: string;
  readonly pool: string;
  readonly type: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly isDrifted: boolean;
  readonly pods: readonly KubernetesObject[];
}

/** What the nodes of a world have in common, so that each kind of move is frequent. */
const STYLES = ["sparse", "sparse", "packed", "spot", "held", "drifted", "balanced", "empty"] as const;

type Style = (typeof STYLES)[number];

const ZONE = "topology.kubernetes.io/zone";
const CAPACITY_TYPE = "karpenter.sh/capacity-type";
const INSTANCE_TYPE = "node.kubernetes.io/instance-type";
const ZONES = ["test-zone-a", "test-zone-b"] as const;

/** No two prices are equal, and no sums of them, so that there is one cheapest offering. */
const TYPES = [1, 2, 4, 8, 16].flatMap((cpus, at) => [
  { name: `c-${cpus}x`, cpus, memory: cpus * 2, price: 0.0411 * cpus + 0.00013 * at },
  { name: `m-${cpus}x`, cpus, memory: cpus * 4, price: 0.0503 * cpus + 0.00017 * at },
]);

/** In the format of kwok's instance_types.json. */
export function kwokTypes(): object[] {
  return TYPES.map(({ name, cpus, memory, price }) => ({
    name,
    architecture: "amd64",
    operatingSystems: ["linux"],
    resources: { cpu: String(cpus), memory: `${memory}Gi`, pods: "30", "ephemeral-storage": "20Gi" },
    offerings: ZONES.flatMap((zone, at) =>
      (["on-demand", "spot"] as const).map((capacityType) => ({
        Price: price * (capacityType === "spot" ? 0.37 : 1) * (1 + at * 0.0107),
        Available: true,
        Requirements: [
          { key: CAPACITY_TYPE, operator: "In", values: [capacityType] },
          { key: ZONE, operator: "In", values: [zone] },
        ],
      })),
    ),
  }));
}

export function movesWorld(seed: number): MovesWorld {
  const random = randomOf(seed);
  const style = random.pick(STYLES);
  const names = style !== "drifted" && random.chance(0.5) ? ["web", "jobs"] : ["web"];
  const pools = names.map((name) => poolOf(name, random, style));
  const count = 2 + random.nat(5);
  const nodes = Array.from({ length: count }, (_, at) => nodeOf(`n${at}`, random.pick(pools), random, style));
  const podBudgets = style === "held" ? [podBudget(random.pick(APPS))] : [];
  return { seed, style, pools, nodes, podBudgets };
}

/**
 * Its nodes are in one zone and of one capacity type, and single nodes of one pool alone are consolidated: Karpenter has
 * nothing to choose at random.
 */
function poolOf(name: string, random: Random, style: Style): KubernetesObject {
  const ofFirst = style === "balanced" ? "Balanced" : random.chance(0.1) ? "WhenEmpty" : "WhenEmptyOrUnderutilized";
  const policy = name === "web" ? ofFirst : "WhenEmpty";
  const capacityType = style === "spot" ? "spot" : random.pick(["on-demand", "on-demand", "spot"]);
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      template: {
        metadata: { labels: { team: name } },
        spec: {
          expireAfter: "Never",
          requirements: [
            { key: ZONE, operator: "In", values: [random.pick(ZONES)] },
            { key: CAPACITY_TYPE, operator: "In", values: [capacityType] },
          ],
        },
      },
      disruption: {
        consolidationPolicy: policy,
        consolidateAfter: "0s",
        // Drift does not wait before it carries out a command.
        budgets: [{ nodes: style === "drifted" ? "1" : random.pick(["100%", "100%", "1", "50%"]) }],
      },
    },
  };
}

interface Pool {
  readonly template: { readonly spec: { readonly requirements: readonly { readonly values: readonly string[] }[] } };
}

function nodeOf(name: string, pool: KubernetesObject, random: Random, style: Style): WorldNode {
  const [zone, capacityType] = (pool.spec as unknown as Pool).template.spec.requirements.map(
    ({ values }) => values[0]!,
  );
  const type = random.pick(TYPES.filter(({ cpus }) => cpus >= 2));
  const share = { packed: 0.9, empty: 0 }[style as "packed" | "empty"] ?? random.pick([0.1, 0.3, 0.5, 0.7]);
  const isEmpty = random.chance(0.1);
  const pods: KubernetesObject[] = [];
  for (let left = isEmpty ? 0 : share * (type.cpus - 0.4) * 1000; left >= 150 && pods.length < 12;) {
    const cpu = Math.min(Math.floor(left), 150 + random.nat(type.cpus * 400));
    pods.push(podOf(`${name}-p${pods.length}`, pool.metadata!.name!, cpu, random, style));
    left -= cpu;
  }
  return {
    name,
    pool: pool.metadata!.name!,
    type: type.name,
    zone: zone!,
    capacityType: capacityType!,
    isDrifted: style === "drifted" && random.chance(0.6),
    pods,
  };
}

const APPS = ["shop", "cart", "mail"] as const;

/** A cost of its own for each, so that no two nodes cost the same to disrupt. */
function podOf(name: string, pool: string, cpu: number, random: Random, style: Style): KubernetesObject {
  const isHeld = style === "held" && random.chance(0.1);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "default",
      labels: { app: random.pick(APPS) },
      annotations: {
        "controller.kubernetes.io/pod-deletion-cost": String(random.nat(1_000_000)),
        ...(isHeld ? { "karpenter.sh/do-not-disrupt": "true" } : {}),
      },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "apps", uid: "apps", controller: true }],
    },
    spec: {
      terminationGracePeriodSeconds: 0,
      // Some pods stay in their pool.
      ...(random.chance(0.3) ? { nodeSelector: { "karpenter.sh/nodepool": pool } } : {}),
      containers: [
        { name: "app", image: "example.com/none", resources: { requests: { cpu: `${cpu}m`, memory: `${cpu}Mi` } } },
      ],
    },
  };
}

function podBudget(app: string): KubernetesObject {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: app, namespace: "default" },
    spec: { maxUnavailable: 0, selector: { matchLabels: { app } } },
  };
}

export function claimOf({ name, pool, type, zone, capacityType, isDrifted }: WorldNode): KubernetesObject {
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: {
      name,
      labels: { "karpenter.sh/nodepool": pool, team: pool },
      // Karpenter compares the hash of the pool only with one of its own version.
      annotations: isDrifted ? { "karpenter.sh/nodepool-hash": "0", "karpenter.sh/nodepool-hash-version": "v3" } : {},
    },
    spec: {
      expireAfter: "Never",
      nodeClassRef: { group: "karpenter.kwok.sh", kind: "KWOKNodeClass", name: "default" },
      requirements: [
        { key: INSTANCE_TYPE, operator: "In", values: [type] },
        { key: ZONE, operator: "In", values: [zone] },
        { key: CAPACITY_TYPE, operator: "In", values: [capacityType] },
      ],
      resources: { requests: { cpu: "100m" } },
    },
  };
}
