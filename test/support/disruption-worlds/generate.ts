/** Generates random worlds with nodes that Karpenter may disrupt. */
import { namespaces } from "../plan-worlds/cluster.ts";
import { FEATURES, type Feature } from "../plan-worlds/features.ts";
import { worldOf } from "../plan-worlds/generate.ts";
import { typesFor } from "../plan-worlds/instance-types.ts";
import { daemonsFor, poolsFor } from "../plan-worlds/pools.ts";
import { type Random, randomOf } from "../plan-worlds/random.ts";
import type { Manifest } from "../plan-worlds/world.ts";
import { nodesFor } from "./nodes.ts";
import { budgetsFor } from "./pod-budgets.ts";
import { ago, type DisruptionWorld, NOW, type Style, STYLES, type WorldPool } from "./world.ts";

/** Of the features of plans those that say something about the pods of nodes, too. */
const USED: readonly Feature[] = FEATURES.filter(
  (feature) =>
    !["buffers", "volumes", "immediateVolumes", "volumeLimits", "nodes", "deletingNodes", "devices"].includes(feature),
);

export function disruptionWorldOf(seed: number): DisruptionWorld {
  const random = randomOf(seed);
  const style = random.pick(STYLES);
  const plain = random.chance(0.5);
  const features = new Set(
    USED.filter((feature) => (RARE.includes(feature) ? random.chance(0.04) : random.chance(plain ? 0.05 : 0.25))),
  );
  const types = typesFor(random, features);
  const made = style === "spot" && random.chance(0.8) ? [bare("pool-a")] : poolsFor(random, types, features);
  const pools = made.map((pool) => withDisruption(pool as unknown as WorldPool, style, random));
  const pending = random.chance(0.3) ? worldOf(seed, ["selectors", "spread"]).workloads.slice(0, 1) : [];
  return {
    seed,
    features: FEATURES.filter((feature) => features.has(feature)),
    style,
    types,
    pools,
    daemons: features.has("daemons") ? daemonsFor(random, types) : [],
    workloads: pending.map((workload) => ({ ...workload, replicas: Math.min(workload.replicas, 3) })),
    cluster: [...namespaces(), ...nodesFor({ random, types, pools, style }), ...budgetsFor(random, style)],
    options: {
      ...(features.has("bestEffort") ? { minValuesPolicy: "BestEffort" as const } : {}),
      ...(features.has("ignorePreferences") ? { preferencePolicy: "Ignore" as const } : {}),
    },
    now: NOW,
    gates: { spotToSpot: random.chance(style === "spot" ? 0.85 : 0.5), terminateFirstDrift: random.chance(0.4) },
  };
}

const CONDITIONS = ["Ready", "ValidationSucceeded", "NodeClassReady"].map((type) => ({
  type,
  status: "True",
  reason: type,
  message: "",
  lastTransitionTime: ago(5000),
}));

const RARE: readonly Feature[] = [
  "bestEffort",
  "ignorePreferences",
  "passedOver",
  "limits",
  "minValues",
  "preferNoSchedule",
];

function bare(name: string): Manifest {
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
          requirements: [{ key: "karpenter.sh/capacity-type", operator: "In", values: ["spot"] }],
        },
      },
    },
  };
}

function withDisruption(pool: WorldPool, style: Style, random: Random): WorldPool {
  const isStatic = style === "static" && random.chance(0.6);
  const policy = random.pick(
    style === "balanced"
      ? ["Balanced"]
      : ["WhenEmpty", "WhenEmptyOrUnderutilized", "WhenEmptyOrUnderutilized", "WhenEmptyOrUnderutilized", "Balanced"],
  );
  const budgets = random.pick<readonly Manifest[] | undefined>([
    undefined,
    [{ nodes: "100%" }],
    [{ nodes: "100%" }],
    [{ nodes: "100%" }],
    [{ nodes: "100%" }],
    [{ nodes: "100%" }],
    [{ nodes: "0" }],
    [{ nodes: "1" }],
    [{ nodes: "50%" }, { nodes: "0", reasons: ["Empty"] }],
    [{ nodes: "0", reasons: ["Underutilized"] }],
    [{ nodes: "3" }, { nodes: "0", reasons: ["Drifted"] }],
    [{ nodes: "100%" }, { nodes: "0", schedule: "0 11 * * *", duration: "2h" }],
    [{ nodes: "100%" }, { nodes: "0", schedule: "0 1 * * *", duration: "2h" }],
  ]);
  const { weight, limits, ...spec } = pool.spec;
  const ofStatic = {
    replicas: random.between(1, 5),
    ...(random.chance(0.5) ? { limits: { nodes: String(random.between(1, 6)) } } : {}),
  };
  const dynamic = { ...(weight === undefined ? {} : { weight }), ...(limits === undefined ? {} : { limits }) };
  return {
    ...pool,
    status: { conditions: CONDITIONS },
    spec: {
      ...spec,
      ...(isStatic ? ofStatic : dynamic),
      disruption: {
        consolidationPolicy: policy,
        consolidateAfter: random.pick(["0s", "0s", "0s", "0s", "0s", "0s", "10m", style === "spot" ? "0s" : "Never"]),
        ...(budgets === undefined ? { budgets: [{ nodes: "10%" }] } : { budgets }),
      },
    },
  };
}
