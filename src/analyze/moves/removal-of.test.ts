/** What Karpenter would do with one node, in words. */
import { expect, it } from "vitest";
import { disruptionOfWorld } from "../../../test/support/disruption-worlds/disruption-of-world.ts";
import type { Manifest, World, WorldType } from "../../../test/support/plan-worlds/world.ts";
import { driftRemovalOf, removalOf } from "./removal-of.ts";

const ZONE = "us-east-1a";
const CAPACITY_TYPE = "karpenter.sh/capacity-type";

function isIn(key: string, ...values: string[]) {
  return { key, operator: "In" as const, values };
}

function typeOf(cpu: number, name: string, spotPrice = true): WorldType {
  const offering = (capacityType: string, price: number) => ({
    requirements: [isIn(CAPACITY_TYPE, capacityType), isIn("topology.kubernetes.io/zone", ZONE)],
    available: true,
    ...(price === 0 ? {} : { price }),
  });
  const amounts = { cpu: String(cpu), memory: `${cpu * 4}Gi`, pods: "50" };
  return {
    name,
    requirements: [
      isIn("node.kubernetes.io/instance-type", name),
      isIn(CAPACITY_TYPE, "on-demand", "spot"),
      isIn("topology.kubernetes.io/zone", ZONE),
      isIn("kubernetes.io/arch", "amd64"),
      isIn("kubernetes.io/os", "linux"),
    ],
    offerings: [offering("on-demand", cpu / 20), offering("spot", spotPrice ? cpu / 50 : 0)] as WorldType["offerings"],
    capacity: amounts,
    allocatable: amounts,
  };
}

interface Given {
  readonly capacityTypes?: readonly string[];
  readonly policy?: string;
  readonly gates?: string;
  readonly spotPrices?: false;
  readonly minValues?: number;
  /** `NAME TYPE CAPACITY-TYPE`, each with the CPUs and fields of its pods. */
  readonly nodes: Readonly<Record<string, readonly (number | Manifest)[]>>;
}

function nodeOf(text: string, pods: readonly (number | Manifest)[], types: readonly WorldType[]): Manifest[] {
  const [name = "", type = "", capacityType = "on-demand"] = text.split(" ");
  const labels = {
    "karpenter.sh/nodepool": "web",
    "karpenter.sh/registered": "true",
    "karpenter.sh/initialized": "true",
    "kubernetes.io/hostname": name,
    "topology.kubernetes.io/zone": ZONE,
    "node.kubernetes.io/instance-type": type,
    [CAPACITY_TYPE]: capacityType,
  };
  const { capacity, allocatable } = types.find((one) => one.name === type)!;
  const providerID = `aws:///${name}`;
  return [
    {
      apiVersion: "karpenter.sh/v1",
      kind: "NodeClaim",
      metadata: { name, labels },
      status: { providerID, nodeName: name, capacity, allocatable },
    },
    {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels },
      spec: { providerID },
      status: { capacity, allocatable },
    },
    ...pods.map((pod, at): Manifest => {
      const { cpu = 1, ...spec } = typeof pod === "number" ? { cpu: pod } : pod;
      const containers = [{ name: "main", resources: { requests: { cpu: String(cpu) } } }];
      return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: `${name}-${at}`, namespace: "shop", uid: `${name}-${at}`, labels: { app: "web" } },
        spec: { nodeName: name, containers, ...spec },
        status: { phase: "Running" },
      };
    }),
  ];
}

/** Of the node that is named first. */
function answerFor({ nodes, gates = "", capacityTypes = ["on-demand"], policy, spotPrices, minValues }: Given) {
  const types = [2, 4, 8, 16].map((cpu) => typeOf(cpu, `m5.${cpu}`, spotPrices));
  const pool = {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name: "web" },
    spec: {
      disruption: { consolidateAfter: "0s", ...(policy === undefined ? {} : { consolidationPolicy: policy }) },
      template: {
        spec: {
          nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
          requirements: [
            isIn(CAPACITY_TYPE, ...capacityTypes),
            ...(minValues === undefined
              ? []
              : [{ key: "node.kubernetes.io/instance-type", operator: "Exists", minValues }]),
          ],
        },
      },
    },
  };
  const world: World = {
    seed: 0,
    features: [],
    types,
    pools: [pool],
    daemons: [],
    workloads: [],
    cluster: Object.entries(nodes).flatMap(([text, pods]) => nodeOf(text, pods, types)),
    options: {},
  };
  const disruption = disruptionOfWorld(world, gates);
  const candidate = disruption.nodeNamed(Object.keys(nodes)[0]!.split(" ")[0]!)!;
  return { consolidated: removalOf(disruption, candidate), drifted: driftRemovalOf(disruption, candidate) };
}

const APART = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "web" } } },
      ],
    },
  },
};

const CASES: readonly [string, Given][] = [
  ["room elsewhere", { nodes: { "a m5.4": [1, 1], "b m5.4": [1] } }],
  ["a cheaper type", { nodes: { "a m5.16": [1, 2] } }],
  ["its own type again", { nodes: { "a m5.4": [3] } }],
  ["several nodes", { nodes: { "a m5.4": [APART, APART] } }],
  ["Spot to Spot is off", { capacityTypes: ["spot"], nodes: { "a m5.16 spot": [1] } }],
  [
    "few cheaper Spot types",
    { capacityTypes: ["spot"], gates: ",SpotToSpotConsolidation=true", nodes: { "a m5.16 spot": [1] } },
  ],
  ["a pod that fits nowhere", { nodes: { "a m5.4": [{ cpu: 1, nodeSelector: { disk: "ssd" } }], "b m5.4": [] } }],
  ["Balanced", { policy: "Balanced", nodes: { "a m5.4": [1, 1, 1, 0.6], "b m5.16": [1] } }],
  [
    "no price of Spot",
    {
      capacityTypes: ["spot"],
      gates: ",SpotToSpotConsolidation=true",
      spotPrices: false,
      nodes: { "a m5.16 spot": [1] },
    },
  ],
  [
    "Balanced without the price of Spot",
    { policy: "Balanced", spotPrices: false, nodes: { "a m5.4": [1], "b m5.16": [1], "c m5.4 spot": [1] } },
  ],
  ["minValues", { minValues: 4, nodes: { "a m5.4": [1] } }],
  ["nothing on it", { nodes: { "a m5.4": [] } }],
];

it("says what becomes of the node and why", () => {
  const said = CASES.map(([what, given]) => {
    const { consolidated, drifted } = answerFor(given);
    const one = ({ code, message, change }: typeof drifted): string =>
      `${code}: ${message}${change === undefined ? "" : ` (${change})`}`;
    return `${what}\n  ${one(consolidated)}\n  drifted: ${one(drifted)}`;
  });
  expect(said.join("\n")).toMatchInlineSnapshot(`
    "room elsewhere
      delete: its 2 pods have room on b
      drifted: delete: its 2 pods have room on b
    a cheaper type
      replace: its 2 pods need one node of NodePool web, which may be m5.4 or 1 other type, and costs $0.2 an hour instead of $0.8
      drifted: replace: its 2 pods need one node of NodePool web, which may be m5.4 or 2 other types, and costs $0.2 an hour instead of $0.8
    its own type again
      not-cheaper: its pods need a node of m5.4 again, its own type
      drifted: replace: its 1 pod needs one node of NodePool web, which may be m5.4 or 2 other types, and costs $0.2 an hour instead of $0.2
    several nodes
      several-nodes: its pods would need 2 new nodes, and Karpenter replaces a node with one at most
      drifted: replace: its 2 pods need 2 nodes, which may be m5.2 or 3 other types, and cost $0.2 an hour instead of $0.2
    Spot to Spot is off
      spot-to-spot-off: its pods need a new Spot node, and Karpenter does not replace Spot with Spot (turn on the feature gate SpotToSpotConsolidation)
      drifted: replace: its 1 pod needs one node of NodePool web, which may be m5.2 or 3 other types, and costs $0.04 an hour instead of $0.32
    few cheaper Spot types
      few-cheaper-types: only 3 Spot types are cheaper than m5.16 and would do, and Spot to Spot needs 15 (allow more instance types in the NodePool)
      drifted: replace: its 1 pod needs one node of NodePool web, which may be m5.2 or 3 other types, and costs $0.04 an hour instead of $0.32
    a pod that fits nowhere
      pods: its pod shop/a-0 fits on no other node, and no new node takes it: incompatible requirements, label "disk" does not have known values: nodeSelector (dump.yaml:5) asks for it, and the pool does not set it on its nodes
      drifted: pods: its pod shop/a-0 fits on no other node, and no new node takes it: incompatible requirements, label "disk" does not have known values: nodeSelector (dump.yaml:5) asks for it, and the pool does not set it on its nodes
    Balanced
      score: its score in the policy Balanced of NodePool web is 0.28, and 0.5 is needed: it saves 20.0% of what the pool costs, and moves 71.4% of what it would cost to move all (set consolidationPolicy: WhenEmptyOrUnderutilized in NodePool web)
      drifted: delete: its 4 pods have room on b
    no price of Spot
      price-unknown: it is not known whether a replacement is cheaper: the catalogue has no prices of its capacity type (name a catalogue with the prices of Spot: anp catalogue build)
      drifted: replace: its 1 pod needs one node of NodePool web, which may be m5.16 or 3 other types
    Balanced without the price of Spot
      price-unknown: its score in the policy Balanced is not known: the catalogue has no prices of a capacity type that its pool has (name a catalogue with the prices of Spot: anp catalogue build)
      drifted: delete: its 1 pod has room on b
    minValues
      min-values: the cheaper types that would do do not reach minValues of node.kubernetes.io/instance-type (lower minValues in the NodePool, or allow more instance types)
      drifted: replace: its 1 pod needs one node of NodePool web, which may be m5.2 or 3 other types, and costs $0.1 an hour instead of $0.2
    nothing on it
      delete: no pod has to move
      drifted: delete: no pod has to move"
  `);
});

it("has the prices and the moves of its pods", () => {
  const { consolidated } = answerFor({ nodes: { "a m5.16": [1, 2] } });
  expect(consolidated).toMatchObject({ before: 0.8, after: 0.2, outcome: "replace" });
  expect(consolidated.replacements.map(({ instanceTypes }) => instanceTypes)).toStrictEqual([["m5.4", "m5.8"]]);
  const moved = answerFor({ nodes: { "a m5.4": [1], "b m5.4": [1] } }).consolidated;
  expect(moved).toMatchObject({ before: 0.2, after: 0, moves: [{ node: "b", pods: ["shop/a-0"] }] });
});
