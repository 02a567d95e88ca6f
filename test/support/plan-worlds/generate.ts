/** Generates random worlds from seeds. */
import { CLAIMS, namespaces, nodesFor, volumesFor } from "./cluster.ts";
import { podsOfDaemons } from "./daemon-pods.ts";
import { COMBINATIONS, type Feature, FEATURES } from "./features.ts";
import { typesFor } from "./instance-types.ts";
import { daemonsFor, poolsFor } from "./pools.ts";
import { type Random, randomOf } from "./random.ts";
import { defaultConstraints, servicesFor, withOwners } from "./default-spread.ts";
import { bufferFor, workloadsFor } from "./workloads.ts";
import type { Manifest, Workload, World } from "./world.ts";

/** @param allowed the features that the world may have */
export function worldOf(seed: number, allowed: readonly Feature[] = FEATURES): World {
  const random = randomOf(seed);
  const features = chosen(random, allowed);
  const types = typesFor(random, features);
  const pools = poolsFor(random, types, features);
  const claims = features.has("volumes") ? CLAIMS : [];
  const workloads = workloadsFor({ random, types, features, claims });
  const daemons = features.has("daemons") ? daemonsFor(random, types) : [];
  const nodes = features.has("nodes") ? nodesFor({ random, types, pools, features }) : [];
  const tried = features.has("passedOver") ? withPassedOver(workloads, random) : workloads;
  return {
    seed,
    features: FEATURES.filter((feature) => features.has(feature)),
    types,
    pools: features.has("passedOver") ? withUnusable(pools, random) : pools,
    daemons,
    workloads: features.has("defaultSpread") ? withOwners(tried, random) : tried,
    cluster: [
      ...namespaces(),
      ...(features.has("volumes") ? volumesFor(random, features) : []),
      ...nodes,
      ...podsOfDaemons(daemons, nodes, random),
      ...(features.has("buffers") ? bufferFor({ random, types, features, claims }) : []),
      ...(features.has("defaultSpread") ? servicesFor(random) : []),
    ],
    options: {
      ...(features.has("bestEffort") ? { minValuesPolicy: "BestEffort" as const } : {}),
      ...(features.has("ignorePreferences") ? { preferencePolicy: "Ignore" as const } : {}),
      ...(features.has("buffers") ? { capacityBuffer: true as const } : {}),
      ...(features.has("defaultSpread") ? { defaultConstraints: defaultConstraints(random) } : {}),
    },
  };
}

/** A part of the allowed features, of half of the worlds with a combination of which both parts matter. */
function chosen(random: Random, allowed: readonly Feature[]): Set<Feature> {
  const combinations = COMBINATIONS.filter((all) => all.every((feature) => allowed.includes(feature)));
  const certain = combinations.length > 0 && random.chance(0.5) ? random.pick(combinations) : [];
  const density = random.pick([0.1, 0.25, 0.5]);
  const rare: readonly Feature[] = ["bestEffort", "ignorePreferences", "passedOver"];
  return new Set([...certain, ...allowed.filter((feature) => random.chance(rare.includes(feature) ? 0.08 : density))]);
}

/** Pods and pools that Karpenter does not look at, or not further. */
function withPassedOver(workloads: readonly Workload[], random: Random): Workload[] {
  return workloads.map((workload) => {
    if (!random.chance(0.3)) return workload;
    const { template } = workload;
    const { metadata, spec } = template as { metadata: Manifest; spec: Manifest };
    const changed: Manifest = random.pick([
      { metadata, spec: { ...spec, nodeSelector: { "karpenter.sh/nodepool": "no-such" } } },
      { metadata, spec: { ...spec, affinity: required({ key: "karpenter.sh/nodepool", operator: "DoesNotExist" }) } },
      { metadata, spec: { ...spec, nodeSelector: { "kubernetes.io/hostname": "somewhere" } } },
    ]);
    return { ...workload, template: changed };
  });
}

function required(expression: Manifest): Manifest {
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [expression] }] },
    },
  };
}

function withUnusable(pools: readonly Manifest[], random: Random): Manifest[] {
  return pools.map((pool, at) => {
    if (at === 0 || !random.chance(0.4)) return pool;
    const { metadata, spec } = pool as { metadata: Manifest; spec: Manifest };
    const condition = {
      type: "Ready",
      status: "False",
      reason: "NodeClassNotReady",
      message: "",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    };
    return random.pick<Manifest>([
      { ...pool, status: { conditions: [condition] } },
      {
        ...pool,
        metadata: { ...metadata, deletionTimestamp: "2026-01-02T00:00:00Z", finalizers: ["karpenter.sh/termination"] },
      },
      { ...pool, spec: { ...spec, replicas: 1 } },
    ]);
  });
}
