/** The random nodes of a world: of its pools, in all states that count for disruption, with pods. */
import { valueOf } from "../plan-worlds/instance-types.ts";
import type { Random } from "../plan-worlds/random.ts";
import type { Manifest, WorldType } from "../plan-worlds/world.ts";
import { podsOn } from "./pods.ts";
import { ago, type Style, type WorldPool } from "./world.ts";

const ZONE = "topology.kubernetes.io/zone";

interface Given {
  readonly random: Random;
  readonly types: readonly WorldType[];
  readonly pools: readonly WorldPool[];
  readonly style: Style;
}

export function nodesFor(given: Given): Manifest[] {
  const { random } = given;
  const count = random.pick([random.between(1, 4), random.between(3, 7), random.between(5, 12)]);
  return Array.from({ length: count }, (_, at) => nodeOf(`node-${String(at).padStart(2, "0")}`, at, given)).flat();
}

function nodeOf(name: string, at: number, { random, types, pools, style }: Given): Manifest[] {
  const pool = random.pick(pools);
  const { template } = pool.spec;
  const type = typeOf(types, style, random);
  const wanted = style === "spot" ? ["spot"] : ["on-demand", "spot", "reserved"];
  const offering = random.pick(
    type.offerings.filter(({ requirements }) => wanted.includes(valueOf(requirements, "karpenter.sh/capacity-type")!)),
  );
  const team = template.spec.requirements.find(({ key }) => key === "team")?.["values"] as string[] | undefined;
  const single = [...type.requirements, ...offering.requirements].filter(
    ({ operator, values }) => operator === "In" && values?.length === 1,
  );
  const labels: Record<string, string> = {
    ...Object.fromEntries(single.map(({ key, values }) => [key, values![0]!])),
    ...template.metadata?.labels,
    ...(team === undefined ? {} : { team: team[0]! }),
    "karpenter.sh/nodepool": random.chance(0.02) ? "gone" : pool.metadata.name,
    "karpenter.k8s.aws/ec2nodeclass": "default",
    "kubernetes.io/hostname": name,
    ...(random.chance(0.02) ? { "node.kubernetes.io/instance-type": "x9.huge" } : {}),
  };
  if (random.chance(0.02)) delete labels[random.pick([ZONE, "karpenter.sh/capacity-type", "karpenter.sh/nodepool"])];
  const providerID = `aws:///${valueOf(offering.requirements, ZONE)}/i-${name}`;
  const odd = style === "spot" || style === "balanced" ? 0.01 : 0.05;
  const starting = random.chance(odd);
  const initialized = !starting && !random.chance(odd);
  const deleting = random.chance(odd);
  const marked = deleting || random.chance(odd);
  const ready = !random.chance(odd);
  const held = style === "held" ? 0.15 : 0.03;
  const amounts = { capacity: type.capacity, allocatable: type.allocatable };
  const claimLabels = Object.fromEntries(Object.entries(labels).filter(([key]) => key !== "kubernetes.io/hostname"));
  const drifted = random.chance(style === "drifted" || style === "static" ? 0.6 : 0.08);
  const claim: Manifest = {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: {
      name: `claim-${name}`,
      labels: claimLabels,
      creationTimestamp: ago(random.between(100, 5000)),
      ...(deleting ? { deletionTimestamp: ago(1), finalizers: ["karpenter.sh/termination"] } : {}),
    },
    spec: {
      nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
      requirements: single.map(({ key, values }) => ({ key, operator: "In", values })),
      ...(template.spec.taints === undefined ? {} : { taints: template.spec.taints }),
      ...(random.chance(0.3) ? { terminationGracePeriod: "1h" } : {}),
      ...(random.chance(0.5) ? { expireAfter: "720h" } : {}),
    },
    status: {
      providerID,
      ...amounts,
      ...(starting ? {} : { nodeName: name }),
      ...(random.chance(0.5) ? { lastPodEventTime: ago(random.pick([1, 5, 20, 300])) } : {}),
      conditions: [
        conditionOf("Launched", true, 90),
        conditionOf("Registered", !starting, 80),
        conditionOf("Initialized", initialized, random.pick([2, 70])),
        conditionOf("Consolidatable", !random.chance(odd * 3), 30),
        ...(drifted ? [conditionOf("Drifted", true, 200 - at)] : []),
      ],
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
      ...(random.chance(held)
        ? { annotations: { "karpenter.sh/do-not-disrupt": random.pick(["true", "true", "false"]) } }
        : {}),
    },
    spec: {
      providerID,
      taints: [
        ...(template.spec.taints ?? []),
        ...(ready ? [] : [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }]),
        ...(marked ? [{ key: "karpenter.sh/disrupted", effect: "NoSchedule" }] : []),
      ],
    },
    status: { ...amounts, conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  };
  const unmanaged = random.chance(0.03);
  return [...(unmanaged ? [] : [claim]), node, ...podsOn(name, type, random, style)];
}

/** Dear types, so that many are cheaper. */
function typeOf(types: readonly WorldType[], style: Style, random: Random): WorldType {
  if (style !== "spot" && style !== "balanced") return random.pick(types);
  const price = ({ offerings }: WorldType): number => offerings[0]!.price;
  return random.pick(types.toSorted((a, b) => price(b) - price(a)).slice(0, random.pick([2, 5, types.length])));
}

function conditionOf(type: string, is: boolean, minutes: number): Manifest {
  return { type, status: is ? "True" : "False", reason: type, message: "", lastTransitionTime: ago(minutes) };
}
