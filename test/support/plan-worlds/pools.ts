/** Random NodePools and DaemonSets of a world. */
import type { Feature } from "./features.ts";
import { valueOf, ZONES } from "./instance-types.ts";
import type { Random } from "./random.ts";
import type { Manifest, WorldType } from "./world.ts";

const AWS = "karpenter.k8s.aws";

export const TEAMS = ["red", "green", "blue"] as const;
export const TAINTS = [
  { key: "dedicated", value: "a" },
  { key: "dedicated", value: "b" },
  { key: "example.com/gpu", value: "true" },
] as const;

type Requirement = Manifest & { readonly key: string };

export function poolsFor(random: Random, types: readonly WorldType[], features: ReadonlySet<Feature>): Manifest[] {
  return Array.from({ length: random.between(1, 4) }, (_, at) =>
    poolOf(`pool-${"abcd"[at]!}`, random, types, features),
  );
}

function poolOf(name: string, random: Random, types: readonly WorldType[], features: ReadonlySet<Feature>): Manifest {
  const limits = features.has("limits") && random.chance(0.6) ? limitsOf(random, types) : undefined;
  const taints = taintsOf(random, features);
  const startup =
    features.has("taints") && random.chance(0.2) ? [{ key: "example.com/starting", effect: "NoSchedule" }] : [];
  const labels = {
    ...(random.chance(0.4) ? { tier: random.pick(["front", "back"]) } : {}),
    ...(random.chance(0.2) ? { team: random.pick(TEAMS) } : {}),
  };
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      ...(features.has("weights") && random.chance(0.6) ? { weight: random.between(1, 4) * 10 } : {}),
      ...(limits === undefined ? {} : { limits }),
      template: {
        ...(Object.keys(labels).length === 0 ? {} : { metadata: { labels } }),
        spec: {
          nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
          requirements: requirementsOf(random, types, features, "team" in labels),
          ...(taints.length === 0 ? {} : { taints }),
          ...(startup.length === 0 ? {} : { startupTaints: startup }),
        },
      },
    },
  };
}

function requirementsOf(
  random: Random,
  types: readonly WorldType[],
  features: ReadonlySet<Feature>,
  hasTeam: boolean,
): Requirement[] {
  const labelsOf = (key: string): string[] => [
    ...new Set(types.flatMap(({ requirements }) => valueOf(requirements, key) ?? [])),
  ];
  // No type has a value of a label of one's own: then BestEffort writes `minValues: 0`, which an API server refuses.
  const minValues = (key: string, count: number): Manifest =>
    features.has("minValues") && key !== "team" && random.chance(0.5)
      ? { minValues: random.between(1, Math.max(1, Math.min(count, 6))) }
      : {};
  const inSome = (key: string, values: readonly string[]): Requirement => {
    const some = random.some(values, random.between(1, values.length));
    return { key, operator: "In", values: some, ...minValues(key, some.length) };
  };
  const entries: Requirement[] = [];
  const capacityTypes = ["on-demand", "spot", ...(features.has("reserved") ? ["reserved"] : [])];
  if (random.chance(0.6)) entries.push(inSome("karpenter.sh/capacity-type", capacityTypes));
  if (random.chance(0.4)) entries.push(inSome("topology.kubernetes.io/zone", ZONES));
  if (random.chance(0.4)) entries.push(inSome("kubernetes.io/arch", ["amd64", "arm64"]));
  if (random.chance(0.4)) entries.push(inSome(`${AWS}/instance-family`, labelsOf(`${AWS}/instance-family`)));
  if (random.chance(0.15))
    entries.push({ key: `${AWS}/instance-category`, operator: "NotIn", values: [random.pick(["m", "c", "r"])] });
  if (random.chance(0.25))
    entries.push({
      key: `${AWS}/instance-cpu`,
      operator: random.pick(["Gt", "Lt"]),
      values: [random.pick(["2", "4", "8"])],
    });
  if (random.chance(0.15)) entries.push({ key: `${AWS}/instance-generation`, operator: "Gt", values: ["4"] });
  if (!hasTeam && random.chance(0.35)) entries.push(inSome("team", TEAMS));
  if (features.has("minValues") && random.chance(0.5))
    entries.push({ key: "node.kubernetes.io/instance-type", operator: "Exists", minValues: random.between(1, 8) });
  return entries;
}

function taintsOf(random: Random, features: ReadonlySet<Feature>): Manifest[] {
  const taints: Manifest[] = [];
  if (features.has("taints") && random.chance(0.45))
    taints.push({ ...random.pick(TAINTS), effect: random.pick(["NoSchedule", "NoSchedule", "NoExecute"]) });
  if (features.has("preferNoSchedule") && random.chance(0.5))
    taints.push({ ...random.pick(TAINTS), effect: "PreferNoSchedule" });
  // An API server refuses the same key and effect twice.
  return taints.filter(
    ({ key, effect }, at) => taints.findIndex((one) => one["key"] === key && one["effect"] === effect) === at,
  );
}

function limitsOf(random: Random, types: readonly WorldType[]): Manifest {
  const cpus = types.map(({ capacity }) => Number(capacity["cpu"]));
  const most = Math.max(...cpus);
  const cpu = random.pick([most, most * 2, Math.min(...cpus) * 3, most - 1, random.between(1, most * 3)]);
  const kinds: Manifest[] = [
    { cpu: String(cpu) },
    { memory: `${cpu * random.pick([2, 4, 8])}Gi` },
    { cpu: String(cpu), memory: `${cpu * 4}Gi` },
    { nodes: String(random.between(0, 3)) },
    { cpu: `${cpu * 1000}m`, pods: String(random.pick([58, 110, 234])) },
  ];
  return random.pick(kinds);
}

export function daemonsFor(random: Random, types: readonly WorldType[]): Manifest[] {
  return Array.from({ length: random.between(1, 3) }, (_, at) => {
    const name = `daemon-${at}`;
    const term = (): Manifest => ({
      matchExpressions: [
        random.pick([
          { key: "kubernetes.io/arch", operator: "In", values: [random.pick(["amd64", "arm64"])] },
          {
            key: `${AWS}/instance-family`,
            operator: random.pick(["In", "NotIn"]),
            values: [valueOf(random.pick(types).requirements, `${AWS}/instance-family`)!],
          },
          { key: `${AWS}/instance-cpu`, operator: "Gt", values: ["4"] },
          {
            key: "node.kubernetes.io/instance-type",
            operator: "NotIn",
            values: random.some(types, 2).map((type) => type.name),
          },
          { key: "tier", operator: "In", values: ["front"] },
          { key: "kubernetes.io/os", operator: "In", values: ["linux"] },
        ]),
      ],
    });
    return {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { name, namespace: "kube-system", uid: name },
      spec: {
        selector: { matchLabels: { daemon: name } },
        template: {
          metadata: { labels: { daemon: name } },
          spec: {
            ...(random.chance(0.5)
              ? { tolerations: [random.pick([{ operator: "Exists" }, { key: "dedicated", operator: "Exists" }])] }
              : {}),
            ...(random.chance(0.25)
              ? {
                  nodeSelector: random.pick([
                    { "kubernetes.io/os": "windows" },
                    { "kubernetes.io/arch": "amd64" },
                    { tier: "back" },
                  ]),
                }
              : {}),
            ...(random.chance(0.5)
              ? {
                  affinity: {
                    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term()] } },
                  },
                }
              : {}),
            containers: [
              {
                name: "agent",
                resources: {
                  requests: { cpu: random.pick(["50m", "200m", "1"]), memory: random.pick(["64Mi", "512Mi", "1Gi"]) },
                },
                ...(random.chance(0.3)
                  ? { ports: [{ containerPort: 9100, hostPort: random.pick([9100, 8080]) }] }
                  : {}),
              },
            ],
          },
        },
      },
    };
  });
}
