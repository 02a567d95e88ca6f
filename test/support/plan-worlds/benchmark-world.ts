/** The worlds of Karpenter's own benchmark: many diverse pods, and 400 instance types that grow by one vCPU. */
import { type Random, randomOf } from "./random.ts";
import type { Manifest, Workload, World, WorldType } from "./world.ts";

const ZONE = "topology.kubernetes.io/zone";
const HOST = "kubernetes.io/hostname";
const CAPACITY_TYPE = "karpenter.sh/capacity-type";

/** As `makeDiversePods` (scheduling_benchmark_test.go) makes them: five kinds of pods, as many of each. */
export function benchmarkWorld(pods: number, types: readonly WorldType[] = fakeTypes(), seed = 42): World {
  const random = randomOf(seed);
  const kinds = [generic, spreadOver(ZONE), spreadOver(HOST), together, apart];
  const each = Math.floor(pods / kinds.length);
  const made = kinds.flatMap((kind) => Array.from({ length: each }, () => kind(random)));
  while (made.length < pods) made.push(generic(random));
  return {
    seed,
    features: [],
    types,
    pools: [POOL],
    daemons: [],
    workloads: made.map((template, at): Workload => ({ name: `pod-${at}`, namespace: "apps", replicas: 1, template })),
    cluster: [],
    options: {},
  };
}

const POOL: Manifest = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "default" },
  spec: {
    limits: { cpu: "10000000", memory: "10000000Gi" },
    template: {
      spec: {
        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
        requirements: [],
      },
    },
  },
};

const VALUES = ["a", "b", "c", "d", "e", "f", "g"] as const;

function labels(random: Random, key = "my-label"): Record<string, string> {
  return { [key]: random.pick(VALUES) };
}

function podOf(random: Random, own: Record<string, string>, spec: Manifest): Manifest {
  const requests = {
    cpu: `${random.pick([100, 250, 500, 1000, 1500])}m`,
    memory: `${random.pick([100, 256, 512, 1024, 2048, 4096])}Mi`,
  };
  return {
    metadata: { labels: own },
    spec: { containers: [{ name: "main", resources: { requests } }], ...spec },
  };
}

function generic(random: Random): Manifest {
  return podOf(random, labels(random), {});
}

function spreadOver(topologyKey: string): (random: Random) => Manifest {
  return (random) =>
    podOf(random, labels(random), {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey,
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: { matchLabels: labels(random) },
        },
      ],
    });
}

function together(random: Random): Manifest {
  const own = labels(random, "my-affinity");
  return podOf(random, own, affinityOf("podAffinity", own, ZONE));
}

function apart(random: Random): Manifest {
  const own = { app: "nginx" };
  return podOf(random, own, affinityOf("podAntiAffinity", own, HOST));
}

function affinityOf(kind: string, matchLabels: Record<string, string>, topologyKey: string): Manifest {
  const term = { labelSelector: { matchLabels }, topologyKey };
  return { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

/** As `InstanceTypes(400)` of Karpenter's fake provider (pkg/cloudprovider/fake/instancetype.go). */
function fakeTypes(): WorldType[] {
  const places = ["spot 1", "spot 2", "on-demand 1", "on-demand 2", "on-demand 3"].map((one) => one.split(" "));
  return Array.from({ length: 400 }, (_, at): WorldType => {
    const cpu = at + 1;
    const name = `fake-it-${String(at).padStart(3, "0")}`;
    const price = Number((0.1 * cpu + (0.1 * cpu * 2 * 2 ** 30) / 1e9).toFixed(6));
    return {
      name,
      requirements: [
        { key: "node.kubernetes.io/instance-type", operator: "In", values: [name] },
        { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
        { key: "kubernetes.io/os", operator: "In", values: ["linux", "windows"] },
        { key: ZONE, operator: "In", values: ["test-zone-1", "test-zone-2", "test-zone-3"] },
        { key: CAPACITY_TYPE, operator: "In", values: ["spot", "on-demand"] },
      ],
      offerings: places.map(([capacity, zone]) => ({
        requirements: [
          { key: CAPACITY_TYPE, operator: "In", values: [capacity!] },
          { key: ZONE, operator: "In", values: [`test-zone-${zone}`] },
        ],
        price,
        available: true,
      })),
      capacity: { cpu: String(cpu), memory: `${cpu * 2}Gi`, pods: String(cpu * 10) },
      allocatable: { cpu: `${cpu * 1000 - 100}m`, memory: `${cpu * 2048 - 10}Mi`, pods: String(cpu * 10) },
    };
  });
}
