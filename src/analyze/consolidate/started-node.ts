/** The objects of a node that Karpenter has launched for a NodeClaim, once the node is ready. */
import type { Offering } from "../../karpenter/catalogue/catalogue.ts";
import { advertisedValues } from "../../karpenter/catalogue/type-filter.ts";
import { indexesOf } from "../../karpenter/catalogue/type-mask.ts";
import type { Replacement, RunningCluster } from "../../karpenter/consolidation/cluster.ts";
import { addRequirements, compatible, type Requirements } from "../../karpenter/requirements/requirements.ts";
import { capacityOf } from "../../karpenter/scheduling/limits.ts";
import { allocatableTypes } from "../../karpenter/scheduling/resources.ts";
import { isReserved } from "../../karpenter/solver/reservations.ts";
import type { PlannedClaim } from "../../karpenter/solver/world.ts";
import { CAPACITY_TYPE, ZONE } from "../../model/requirements/label-keys.ts";
import { type Fields, fieldsOf } from "../../krm/values/fields.ts";
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";

/** What the cloud starts: the cheapest of what the NodeClaim asks for. */
export interface Launch {
  /** In the catalogue. */
  readonly type: number;
  /** Undefined if nothing says which there are. */
  readonly zone: string | undefined;
  readonly capacityType: string;
  /** An hour; undefined if it is not known. */
  readonly price: number | undefined;
  /** Zones where it costs the same. */
  readonly otherZones: readonly string[];
  /** That of the offering. */
  readonly labels: Readonly<Record<string, string>>;
}

/** In the order in which Karpenter's providers prefer them. */
const CAPACITY_TYPES = ["reserved", "spot", "on-demand"];

/**
 * @param zones those of nodes that are there, in case nothing says where types are offered
 */
export function launchOf({ claim, types }: Replacement, cluster: RunningCluster, zones: readonly string[]): Launch {
  const { catalogue, prices } = cluster;
  const [type = indexesOf(claim.types)[0] ?? 0] = types;
  const asked = addRequirements(claim.requirements, claim.pool.ofClass);
  const isOpen = (offering: Offering): boolean =>
    offering.available &&
    offering.reservationCapacity !== 0 &&
    compatible(asked, offering.requirements, catalogue.wellKnown) === undefined &&
    // Reservations that anp assumes count only if they are asked for.
    (!isAssumed(offering) || listed(asked, CAPACITY_TYPE).includes("reserved"));
  const open = catalogue.offerings.sets[catalogue.offerings.of[type]!]!.filter(isOpen);
  const places = open.flatMap(({ requirements }) => {
    const single = [...requirements].flatMap(([key, { complement, values }]) => {
      const [value, ...more] = values;
      return complement || value === undefined || more.length > 0 ? [] : [[key, value] as const];
    });
    const labels = Object.fromEntries(single);
    const capacityTypes = valuesIn(requirements, asked, CAPACITY_TYPE, ["on-demand"]);
    return valuesIn(requirements, asked, ZONE, zones).flatMap((zone) =>
      capacityTypes.map((capacityType) => ({ zone, capacityType, labels })),
    );
  });
  const capacityType = CAPACITY_TYPES.find((one) => places.some((place) => place.capacityType === one)) ?? "on-demand";
  const priced = places
    .filter((place) => place.capacityType === capacityType)
    .map(({ zone, labels }) => ({ zone, price: prices.ofNode(type, zone, capacityType), labels }))
    .toSorted((a, b) => (a.price ?? Infinity) - (b.price ?? Infinity) || (a.zone < b.zone ? -1 : 1));
  const [first] = priced;
  if (first === undefined) {
    const price = prices.ofNode(type, "", capacityType);
    return { type, zone: undefined, capacityType, price, otherZones: [], labels: {} };
  }
  const alike = priced.filter(({ price }) => price === first.price).map(({ zone }) => zone);
  return { type, ...first, capacityType, otherZones: [...new Set(alike)].filter((zone) => zone !== first.zone) };
}

function isAssumed(offering: Offering): boolean {
  return isReserved(offering) && offering.price === undefined && offering.reservationCapacity === undefined;
}

function listed(requirements: Requirements, key: string): readonly string[] {
  const requirement = requirements.get(key);
  return requirement === undefined || requirement.complement ? [] : [...requirement.values];
}

/** Of the offering, else those that are asked for, else the others. */
function valuesIn(offered: Requirements, asked: Requirements, key: string, others: readonly string[]) {
  const allowed = listed(asked, key);
  const own = listed(offered, key);
  if (own.length > 0) return allowed.length === 0 ? own : own.filter((value) => allowed.includes(value));
  return allowed.length > 0 ? allowed : others;
}

interface ToStart {
  readonly name: string;
  readonly claim: PlannedClaim;
  readonly launch: Launch;
  readonly pool: ResolvedPool;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Its NodeClaim and its Node, as they are once the node is initialized and its `consolidateAfter` is over. */
export function startedNode(
  { name, claim, launch, pool, at }: ToStart,
  catalogue: RunningCluster["catalogue"],
): readonly Fields[] {
  const labels = labelsOf(claim, launch, catalogue);
  const { nodes, taints } = claim.pool;
  const amounts = {
    allocatable: amountsOf(nodes, allocatableTypes(nodes).of, launch.type),
    capacity: amountsOf(nodes, (resource, type) => capacityOf(nodes, resource, type), launch.type),
  };
  const { expireAfter, terminationGracePeriod } = pool.spec.template.spec;
  const { group, kind, name: nodeClass } = pool.nodeClassRef;
  const providerID = `anp:///${name}`;
  const time = formatRfc3339(at);
  const metadata = { name, creationTimestamp: time };
  const conditionOf = (type: string) => ({ type, status: "True", reason: type, message: "", lastTransitionTime: time });
  return [
    {
      apiVersion: "karpenter.sh/v1",
      kind: "NodeClaim",
      metadata: { ...metadata, labels },
      spec: {
        nodeClassRef: { group, kind, name: nodeClass },
        requirements: [],
        taints,
        ...(expireAfter === undefined ? {} : { expireAfter }),
        ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }),
      },
      status: {
        providerID,
        nodeName: name,
        ...amounts,
        conditions: ["Launched", "Registered", "Initialized", "Consolidatable"].map(conditionOf),
      },
    },
    {
      apiVersion: "v1",
      kind: "Node",
      metadata: {
        ...metadata,
        labels: { ...labels, ...Object.fromEntries(LATER.map((key) => [key, "true"])), [HOST]: name },
      },
      spec: { providerID, taints },
      status: { ...amounts, conditions: [conditionOf("Ready")] },
    },
  ];
}

/** A pod as it runs on a node, after it was on another one or pending. */
export function placedPod(value: Fields, node: string): Fields {
  const { deletionTimestamp: _, ...metadata } = fieldsOf(value["metadata"]);
  const { conditions: __, ...status } = fieldsOf(value["status"]);
  return {
    ...value,
    metadata,
    spec: { ...fieldsOf(value["spec"]), nodeName: node },
    status: { ...status, phase: "Running" },
  };
}

const HOST = "kubernetes.io/hostname";

/** A Node has these, and its NodeClaim does not. */
const LATER = ["karpenter.sh/registered", "karpenter.sh/initialized"];

/** Of several values that a label may have, Karpenter takes any; here the first by name. */
function labelsOf(
  { requirements, pool }: PlannedClaim,
  { type, zone, capacityType, labels }: Launch,
  catalogue: RunningCluster["catalogue"],
): Record<string, string> {
  const asked = addRequirements(requirements, pool.ofClass);
  const ofType = [...catalogue.labels.keys()].flatMap((key) => {
    const [value, ...more] = advertisedValues(catalogue, type, key) ?? [];
    return value === undefined || more.length > 0 ? [] : [[key, value] as const];
  });
  const known = new Set(ofType.map(([key]) => key));
  const ofPool = [...asked].flatMap(([key, { complement, values }]) => {
    const [value] = [...values].toSorted();
    return complement || value === undefined || known.has(key) || key === HOST || LATER.includes(key)
      ? []
      : [[key, value] as const];
  });
  return Object.fromEntries([
    ...ofType,
    ...ofPool,
    ...Object.entries(labels),
    ["node.kubernetes.io/instance-type", catalogue.names[type]!],
    [CAPACITY_TYPE, capacityType],
    ...(zone === undefined ? [] : [[ZONE, zone] as const]),
  ]);
}

/** Exact, in a form that Kubernetes reads. */
function amountsOf(
  { allocatable }: PlannedClaim["pool"]["nodes"],
  of: (resource: string, type: number) => bigint,
  type: number,
): Record<string, string> {
  return Object.fromEntries(
    [...allocatable.keys()].flatMap((resource) => {
      const amount = of(resource, type);
      if (amount === 0n) return [];
      return [[resource, amount % ONE === 0n ? String(amount / ONE) : `${String(amount)}n`]];
    }),
  );
}

const ONE = 10n ** 9n;
