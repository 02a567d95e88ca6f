/** Random workloads of a world: groups of alike pods that want a node. */
import type { Feature } from "./features.ts";
import { valueOf, ZONES } from "./instance-types.ts";
import { TAINTS, TEAMS } from "./pools.ts";
import type { Random } from "./random.ts";
import type { Manifest, Workload, WorldType } from "./world.ts";

const AWS = "karpenter.k8s.aws";
const ZONE = "topology.kubernetes.io/zone";
const HOST = "kubernetes.io/hostname";
const CAPACITY_TYPE = "karpenter.sh/capacity-type";

export const GROUPS = ["web", "db", "cache"] as const;
export const NAMESPACES = ["apps", "jobs"] as const;

interface Given {
  readonly random: Random;
  readonly types: readonly WorldType[];
  readonly features: ReadonlySet<Feature>;
  /** Claims that a pod may mount. */
  readonly claims: readonly string[];
}

export function workloadsFor(given: Given): Workload[] {
  const { random } = given;
  const count = random.pick([1, 2, 3, 4, 6]);
  return Array.from({ length: count }, (_, at) => {
    const name = `work-${"abcdef"[at]!}`;
    const group = random.pick(GROUPS);
    return {
      name,
      namespace: random.chance(0.8) ? NAMESPACES[0] : NAMESPACES[1],
      replicas: random.pick([1, 1, 2, 3, 4, 5, 8, 12]),
      template: { metadata: { labels: { app: name, group } }, spec: podSpec(name, group, given) },
    };
  });
}

/** A CapacityBuffer, and the template of its pods. */
export function bufferFor(given: Given): Manifest[] {
  const { random } = given;
  const [name, namespace, group] = ["spare", random.pick(NAMESPACES), random.pick(GROUPS)];
  const { topologySpreadConstraints, ...spec } = podSpec(name, group, given);
  // Pods of a buffer share what Karpenter adds to the selector of such a constraint.
  const spread = (topologySpreadConstraints as Manifest[] | undefined)?.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => name !== "matchLabelKeys")),
  );
  return [
    {
      apiVersion: "v1",
      kind: "PodTemplate",
      metadata: { name, namespace },
      template: {
        metadata: { labels: { app: name, group } },
        spec: { ...spec, ...(spread === undefined ? {} : { topologySpreadConstraints: spread }) },
      },
    },
    {
      apiVersion: "autoscaling.x-k8s.io/v1beta1",
      kind: "CapacityBuffer",
      metadata: { name, namespace, uid: "buffer" },
      spec: { podTemplateRef: { name }, replicas: 3 },
      status: {
        replicas: random.pick([1, 2, 3, 5]),
        conditions: [
          {
            type: "ReadyForProvisioning",
            status: random.chance(0.9) ? "True" : "False",
            reason: "Resolved",
            message: "",
            lastTransitionTime: "2026-01-01T00:00:00Z",
          },
        ],
      },
    },
  ];
}

function podSpec(name: string, group: string, given: Given): Manifest {
  const { random, features, claims } = given;
  const tolerations = tolerationsOf(random, features);
  const selector = features.has("selectors") && random.chance(0.4) ? nodeSelector(given) : undefined;
  const affinity = affinityOf(name, group, given);
  const spread = features.has("spread") && random.chance(0.6) ? spreadOf(name, group, random) : undefined;
  const volumes =
    features.has("volumes") && claims.length > 0 && random.chance(0.5)
      ? random.some(claims, random.pick([1, 1, 2]))
      : [];
  return {
    ...containersOf(given),
    ...(selector === undefined ? {} : { nodeSelector: selector }),
    ...(tolerations.length === 0 ? {} : { tolerations }),
    ...(affinity === undefined ? {} : { affinity }),
    ...(spread === undefined ? {} : { topologySpreadConstraints: spread }),
    ...(volumes.length === 0
      ? {}
      : { volumes: volumes.map((claim) => ({ name: claim, persistentVolumeClaim: { claimName: claim } })) }),
  };
}

const CPUS = ["50m", "100m", "250m", "0.5", "700m", "1", "1.5", "2", "3", "3500m", "6", "7"] as const;
const MEMORIES = ["64Mi", "256Mi", "512Mi", "1Gi", "1500M", "2Gi", "4Gi", "7Gi", "12Gi", "1073741824"] as const;

function requests(random: Random): Record<string, string> {
  return {
    ...(random.chance(0.9) ? { cpu: random.pick(CPUS) } : {}),
    ...(random.chance(0.85) ? { memory: random.pick(MEMORIES) } : {}),
  };
}

function containersOf({ random, features }: Given): Manifest {
  const own = requests(random);
  if (features.has("devices") && random.chance(0.35))
    own[random.pick(["nvidia.com/gpu", "aws.amazon.com/neuron", "example.com/unknown"])] = "1";
  if (features.has("storage") && random.chance(0.4))
    own["ephemeral-storage"] = random.pick(["1Gi", "10Gi", "17Gi", "18Gi"]);
  const ports =
    features.has("hostPorts") && random.chance(0.5)
      ? [
          {
            containerPort: 8080,
            hostPort: random.pick([8080, 9100, 443]),
            ...(random.chance(0.2) ? { hostIP: random.pick(["10.0.0.1", "0.0.0.0"]) } : {}),
            ...(random.chance(0.2) ? { protocol: "UDP" } : {}),
          },
        ]
      : undefined;
  const main = {
    name: "main",
    resources: features.has("containers") && random.chance(0.2) ? { limits: own } : { requests: own },
    ...(ports === undefined ? {} : { ports }),
  };
  if (!features.has("containers")) return { containers: [main] };
  const init = random.chance(0.3) ? [{ name: "init", resources: { requests: requests(random) } }] : [];
  const sidecar = random.chance(0.25)
    ? [{ name: "sidecar", restartPolicy: "Always", resources: { requests: requests(random) } }]
    : [];
  const initContainers = random.chance(0.5) ? [...init, ...sidecar] : [...sidecar, ...init];
  return {
    containers: [main, ...(random.chance(0.3) ? [{ name: "second", resources: { requests: requests(random) } }] : [])],
    ...(initContainers.length === 0 ? {} : { initContainers }),
    ...(random.chance(0.15) ? { overhead: { cpu: "250m", memory: "120Mi" } } : {}),
    ...(random.chance(0.15) ? { resources: { requests: { cpu: "8", memory: "13Gi" } } } : {}),
  };
}

function tolerationsOf(random: Random, features: ReadonlySet<Feature>): Manifest[] {
  if (!features.has("taints") && !features.has("preferNoSchedule")) return [];
  const { key, value } = random.pick(TAINTS);
  const kinds: Manifest[][] = [
    [],
    [],
    [{ operator: "Exists" }],
    [{ key, operator: "Exists" }],
    [{ key, value }],
    [{ key, operator: "Equal", value, effect: "NoSchedule" }],
    [{ key, value: "other", effect: "NoExecute" }],
    [
      { key: TAINTS[0].key, operator: "Exists" },
      { key: TAINTS[2].key, operator: "Exists" },
    ],
  ];
  return random.pick(kinds);
}

function nodeSelector({ random, types }: Given): Record<string, string> {
  const { requirements, name } = random.pick(types);
  return random.pick([
    { [ZONE]: random.pick(ZONES) },
    { "topology.ebs.csi.aws.com/zone": random.pick(ZONES) },
    { "kubernetes.io/arch": random.pick(["amd64", "arm64"]) },
    { "beta.kubernetes.io/arch": "amd64" },
    { [CAPACITY_TYPE]: random.pick(["on-demand", "spot"]) },
    { [`${AWS}/instance-family`]: valueOf(requirements, `${AWS}/instance-family`)! },
    { "node.kubernetes.io/instance-type": name },
    { tier: random.pick(["front", "back"]) },
    { team: random.pick(TEAMS) },
    { "karpenter.sh/nodepool": random.pick(["pool-a", "pool-b"]) },
    { "example.com/nowhere": "x" },
  ] as Record<string, string>[]);
}

/** One expression of node affinity. */
function expression({ random, types }: Given): Manifest {
  const family = (): string => valueOf(random.pick(types).requirements, `${AWS}/instance-family`)!;
  return random.pick<() => Manifest>([
    () => ({ key: ZONE, operator: random.pick(["In", "NotIn"]), values: random.some(ZONES, random.between(1, 2)) }),
    () => ({
      key: CAPACITY_TYPE,
      operator: random.pick(["In", "NotIn"]),
      values: [random.pick(["spot", "on-demand", "reserved"])],
    }),
    () => ({
      key: `${AWS}/instance-family`,
      operator: random.pick(["In", "NotIn"]),
      values: [family(), family()].filter((one, at, all) => all.indexOf(one) === at),
    }),
    () => ({ key: `${AWS}/instance-cpu`, operator: random.pick(["Gt", "Lt"]), values: [random.pick(["2", "4", "8"])] }),
    () => ({ key: "kubernetes.io/arch", operator: "In", values: [random.pick(["amd64", "arm64"])] }),
    () => ({ key: "team", operator: random.pick(["In", "NotIn"]), values: random.some(TEAMS, random.between(1, 2)) }),
    () => ({ key: "team", operator: random.pick(["Exists", "DoesNotExist"]) }),
    () => ({ key: "tier", operator: random.pick(["In", "NotIn"]), values: ["front"] }),
    () => ({ key: `${AWS}/instance-gpu-count`, operator: random.pick(["Exists", "DoesNotExist"]) }),
    () => ({
      key: "node.kubernetes.io/instance-type",
      operator: random.pick(["In", "NotIn"]),
      values: random.some(types, 3).map(({ name }) => name),
    }),
  ])();
}

function term(given: Given): Manifest {
  const count = given.random.pick([1, 1, 2]);
  return { matchExpressions: Array.from({ length: count }, () => expression(given)) };
}

function affinityOf(name: string, group: string, given: Given): Manifest | undefined {
  const { random, features } = given;
  const nodeAffinity = {
    ...(features.has("terms") && random.chance(0.4)
      ? {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: Array.from({ length: random.pick([1, 1, 2, 3]) }, () => term(given)),
          },
        }
      : {}),
    ...(features.has("preferences") && random.chance(0.6)
      ? {
          preferredDuringSchedulingIgnoredDuringExecution: Array.from({ length: random.between(1, 3) }, () => ({
            weight: random.pick([1, 10, 50, 100]),
            preference: term(given),
          })),
        }
      : {}),
  };
  const podTerm = (): Manifest => ({
    topologyKey: random.pick([ZONE, ZONE, HOST, HOST, CAPACITY_TYPE, "team"]),
    labelSelector: selectorOf(name, group, random),
    ...(random.chance(0.15)
      ? random.pick([
          { namespaces: [random.pick(NAMESPACES)] },
          { namespaceSelector: {} },
          { namespaceSelector: { matchLabels: { kind: "batch" } } },
        ])
      : {}),
  });
  const ofPods = (feature: Feature): Manifest => {
    if (!features.has(feature)) return {};
    return {
      ...(random.chance(0.4) ? { requiredDuringSchedulingIgnoredDuringExecution: [podTerm()] } : {}),
      ...(features.has("preferences") && random.chance(0.4)
        ? {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: random.pick([1, 50]), podAffinityTerm: podTerm() },
            ],
          }
        : {}),
    };
  };
  const parts = { nodeAffinity, podAffinity: ofPods("podAffinity"), podAntiAffinity: ofPods("antiAffinity") };
  const some = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  return some.length === 0 ? undefined : Object.fromEntries(some);
}

/** Mostly of the pod itself, and sometimes of others. */
function selectorOf(name: string, group: string, random: Random): Manifest {
  return random.pick([
    { matchLabels: { app: name } },
    { matchLabels: { app: name } },
    { matchLabels: { group } },
    { matchLabels: { group: random.pick(GROUPS) } },
    { matchExpressions: [{ key: "group", operator: "In", values: random.some(GROUPS, 2) }] },
    { matchExpressions: [{ key: "app", operator: "Exists" }] },
  ] as Manifest[]);
}

function spreadOf(name: string, group: string, random: Random): Manifest[] {
  return constraintsFor(random, () => ({
    labelSelector: selectorOf(name, group, random),
    ...(random.chance(0.1) ? { matchLabelKeys: ["group"] } : {}),
  }));
}

/** @param selectors what selects the pods of each */
export function constraintsFor(random: Random, selectors: () => Manifest = () => ({})): Manifest[] {
  return Array.from({ length: random.pick([1, 1, 1, 2]) }, (): Manifest => {
    const hard = random.chance(0.7);
    return {
      maxSkew: random.pick([1, 1, 1, 2, 3]),
      topologyKey: random.pick([
        ZONE,
        ZONE,
        ZONE,
        HOST,
        HOST,
        CAPACITY_TYPE,
        "team",
        "node.kubernetes.io/instance-type",
      ]),
      whenUnsatisfiable: hard ? "DoNotSchedule" : "ScheduleAnyway",
      ...(hard && random.chance(0.2) ? { minDomains: random.between(1, 4) } : {}),
      ...(random.chance(0.2) ? { nodeTaintsPolicy: random.pick(["Honor", "Ignore"]) } : {}),
      ...(random.chance(0.2) ? { nodeAffinityPolicy: random.pick(["Honor", "Ignore"]) } : {}),
      ...selectors(),
    };
  }).filter(
    (made, at, all) =>
      all.findIndex(
        (one) => one["topologyKey"] === made["topologyKey"] && one["whenUnsatisfiable"] === made["whenUnsatisfiable"],
      ) === at,
  );
}
