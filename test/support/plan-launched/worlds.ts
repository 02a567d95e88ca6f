/** Random worlds of 5 to 200 pods for a Karpenter with the kwok provider, which has the same instance types for all. */
import { COMBINATIONS, type Feature } from "../plan-worlds/features.ts";
import { typesFor, ZONES } from "../plan-worlds/instance-types.ts";
import { daemonsFor, poolsFor } from "../plan-worlds/pools.ts";
import { type Random, randomOf } from "../plan-worlds/random.ts";
import { workloadsFor } from "../plan-worlds/workloads.ts";
import type { Manifest, Workload, World, WorldType } from "../plan-worlds/world.ts";

/** Of pods and pools alone. The kwok provider has no reservations and volumes; a node's storage is of its EC2NodeClass. */
const FEATURES: readonly Feature[] = [
  "selectors",
  "terms",
  "taints",
  "weights",
  "containers",
  "devices",
  "preferences",
  "preferNoSchedule",
  "daemons",
  "limits",
  "minValues",
  "spread",
  "podAffinity",
  "antiAffinity",
  "hostPorts",
];

/** With these, Karpenter chooses at random among the equally good domains of a node. */
const WITH_TIES: readonly Feature[] = ["spread", "podAffinity"];

export const FEWEST = 5;
const MOST = 200;

/** The number of pods of each workload makes the world as large as it says. */
export function randomWorld(seed: number, types: readonly WorldType[]): World {
  const random = randomOf(seed);
  const combinations = COMBINATIONS.filter((all) => all.every((feature) => FEATURES.includes(feature)));
  const density = random.pick([0.2, 0.4, 0.6]);
  const features = new Set([...random.pick(combinations), ...FEATURES.filter(() => random.chance(density))]);
  const hasTies = WITH_TIES.some((feature) => features.has(feature));
  const pools = poolsFor(random, types, features).map(poolForKwok);
  const world: World = {
    seed,
    features: FEATURES.filter((feature) => features.has(feature)),
    types,
    pools,
    daemons: features.has("daemons") ? daemonsFor(random, types) : [],
    workloads: ofSize(workloadsFor({ random, types, features, claims: [] }), random),
    cluster: [],
    options: {},
  };
  return hasTies ? withoutTies(world, random) : world;
}

/** Nodes of one pool are in one zone, and pods are apart or together by zone and node alone, so each node has one domain. */
function withoutTies(world: World, random: Random): World {
  return {
    ...world,
    pools: world.pools.map((pool) => inOneZone(pool, random.pick(ZONES))),
    workloads: world.workloads.map((workload) => ({ ...workload, template: byPlace(workload.template) })),
  };
}

function inOneZone(pool: Manifest, zone: string): Manifest {
  const copy = structuredClone(pool) as { spec: { template: { spec: { requirements: Manifest[] } } } };
  const { spec } = copy.spec.template;
  const others = spec.requirements.filter(({ key }) => key !== ZONE);
  spec.requirements = [...others, { key: ZONE, operator: "In", values: [zone] }];
  return copy;
}

function byPlace(template: Manifest): Manifest {
  return JSON.parse(JSON.stringify(template), (name, value: unknown) =>
    name === "topologyKey" && value !== HOST ? ZONE : value,
  ) as Manifest;
}

/** Small sizes are as frequent as large ones. */
function ofSize(workloads: readonly Workload[], random: Random): Workload[] {
  const pods = Math.round(FEWEST * (MOST / FEWEST) ** (random.nat(1001) / 1000));
  const sum = workloads.reduce((all, { replicas }) => all + replicas, 0);
  return workloads.map((workload) => ({
    ...workload,
    replicas: Math.max(1, Math.round((workload.replicas * pods) / sum)),
    template: asStored(workload.template),
  }));
}

/** An API server asks for images and for limits of devices, and refuses the overhead of a pod without a RuntimeClass. */
function asStored(template: Manifest): Manifest {
  const { overhead: _, ...spec } = template["spec"] as Manifest;
  const lists = ["containers", "initContainers"].filter((name) => name in spec);
  const stored = Object.fromEntries(lists.map((name) => [name, (spec[name] as Container[]).map(storedContainer)]));
  const { nodeSelector } = spec as { readonly nodeSelector?: Manifest };
  const selector = Object.fromEntries(
    Object.entries(nodeSelector ?? {}).map(([key, value]) => [key === EBS_ZONE ? ZONE : key, value]),
  );
  return { ...template, spec: { ...spec, ...stored, nodeSelector: selector } };
}

type Container = Manifest & { readonly resources: { readonly requests?: Manifest; readonly limits?: Manifest } };

function storedContainer(container: Container): Manifest {
  const { requests = {}, limits } = container.resources;
  const devices = Object.fromEntries(Object.entries(requests).filter(([name]) => name.includes("/")));
  const resources = { ...container.resources, limits: { ...limits, ...devices } };
  return { ...container, resources, image: "example.com/none" };
}

/**
 * Nodes without pods must remain until they were looked at. Labels of offerings alone do not count for `minValues`, and
 * kwok's types have the label of their family under another name.
 */
function poolForKwok(pool: Manifest): Manifest {
  const copy = structuredClone(pool) as { spec: Manifest & { template: { spec: { requirements: Manifest[] } } } };
  copy.spec["disruption"] = { consolidateAfter: "Never" };
  const { spec } = copy.spec.template;
  spec.requirements = spec.requirements.map((one) =>
    one["key"] === FAMILY ? { ...one, key: "karpenter.kwok.sh/instance-family" } : one,
  );
  return copy;
}

export function typesOfWorlds(seed: number): readonly WorldType[] {
  const random = randomOf(seed);
  const groups = Array.from({ length: 3 }, () => typesFor(random, new Set(["devices"])));
  return [...new Map(groups.flat().map((type) => [type.name, type])).values()];
}

const AWS = "karpenter.k8s.aws/";
const FAMILY = `${AWS}instance-family`;
const ARCH = "kubernetes.io/arch";
/** The AWS provider alone takes it for the zone. */
const EBS_ZONE = "topology.ebs.csi.aws.com/zone";
const ZONE = "topology.kubernetes.io/zone";
const HOST = "kubernetes.io/hostname";
const OF_PLACES: readonly string[] = ["karpenter.sh/capacity-type", ZONE];

/** In the format of kwok's instance_types.json. Labels of types count as well-known if offerings have them. */
export function kwokTypes(types: readonly WorldType[]): object[] {
  return types.map(({ name, requirements, offerings, capacity }) => {
    const labels = requirements.filter(({ key }) => key.startsWith(AWS) && !key.includes("reservation"));
    return {
      name,
      architecture: requirements.find(({ key }) => key === ARCH)?.values?.[0],
      operatingSystems: ["linux"],
      resources: capacity,
      offerings: offerings.map(({ price, requirements: of }) => ({
        Price: price,
        Available: true,
        Requirements: [...of.filter(({ key }) => OF_PLACES.includes(key)), ...labels],
      })),
    };
  });
}
