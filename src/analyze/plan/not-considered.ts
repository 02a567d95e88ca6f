/** Lists what may change a plan and is not known or not modelled. */
import type { Catalogue, Offering } from "../../karpenter/catalogue/catalogue.ts";
import { countTypes } from "../../karpenter/catalogue/type-mask.ts";
import { has } from "../../karpenter/requirements/requirement.ts";
import { MOST_TYPES } from "../../karpenter/catalogue/price-index.ts";
import { isOrderSure } from "../../karpenter/solver/launchable.ts";
import { isReserved } from "../../karpenter/solver/reservations.ts";
import type { PodShape } from "../../karpenter/solver/pod-shape.ts";
import type { TopologyTerm } from "../../karpenter/solver/topology-term.ts";
import type { PlannedClaim, Solved } from "../../karpenter/solver/world.ts";
import type { PodSpec } from "../../model/objects/pod.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { blindSpotsOfPod, blindSpotsOfPool } from "../pods/blind-spots.ts";
import { CAPACITY_TYPE, ZONE } from "../../model/requirements/label-keys.ts";
import type { PlanWorld } from "./plan-world.ts";

export function notConsidered(
  { world, targets, state, buffers, unread }: PlanWorld,
  { claims }: Solved,
  { knownTypes }: ExplainedCluster,
): string[] {
  const isWaiting = new Set(state?.waiting);
  const shapeOf = new Map(world.pods.map(({ demand, shape }) => [demand, shape]));
  const { catalogue } = world.filter;
  const ofPods = [...shapeOf].flatMap(([demand, { unknown, ...shape }]) => {
    const { resource, spec } = demand;
    const name = `${resource.kind} ${resource.name}`;
    const terms = shape.stage(0)?.terms ?? [];
    return [
      ...unknown,
      ...blindSpotsOfPod(demand, isWaiting.has(demand)),
      ...(state?.volumesUnknown === true && (spec.volumes ?? []).some(isClaim)
        ? ["volumes: how many more the nodes that are there may attach"]
        : []),
      ...(terms.some(({ key }) => key === ZONE) && !hasZones(catalogue.offerings)
        ? ["zones: the catalogue does not say where types are offered; each is taken to be in every zone of its pool"]
        : []),
    ].map((text) => `${name}: ${text}`);
  });
  const planned = new Set(claims.map(({ pool }) => pool.name));
  const targetOf = new Map(targets.map((target) => [target.pool.name, target]));
  const ofPools = claims.flatMap((claim) => {
    const target = targetOf.get(claim.pool.name)!;
    const spots = claim.pods
      .slice(0, 1)
      .flatMap(({ demand }) => blindSpotsOfPool(target, demand, { ...claim, missed: undefined }));
    // The nodes of a dump say what is in use, and all claims of the plan what they hold of reservations.
    const known = state === undefined ? ["reserved capacity of pool"] : ["limits of pool", "reserved capacity of pool"];
    return spots.filter((text) => known.every((start) => !text.startsWith(start)));
  });
  return [
    ...(knownTypes.typesUnknown === true
      ? ["instance types: those of this provider are not known; name a catalogue"]
      : []),
    ...(state === undefined ? [NO_NODES] : []),
    ...unread,
    ...buffers,
    ...(knownTypes.karpenter !== undefined && knownTypes.karpenter.defaultSpread === undefined
      ? [SCHEDULER_CONFIG]
      : []),
    ...targets.flatMap(({ pool: { name, wrapper } }) => {
      const names = new Set(planned.has(name) ? [] : wrapper.unknown?.map(({ placeholder }) => placeholder));
      return names.size === 0 ? [] : [`pool ${name}: what ${[...names].join(", ")} decides, without a value`];
    }),
    ...(state?.unlaunched ?? []).map(
      (name) => `NodeClaim ${name}: it has no instance yet, and Karpenter waits with all pods until it has one`,
    ),
    ...new Set([...ofPods, ...ofPools, ...claims.flatMap((claim) => ofClaim(claim, catalogue))]),
  ];
}

/**
 * Why there is no plan: pods that must spread over zones, or run by them, of which nothing says which there are. Karpenter
 * would place them, and a plan would say that none of them gets a node.
 */
export function zonesMissing({ world, targets }: PlanWorld, pods = world.pods): string | undefined {
  if (hasZones(world.filter.catalogue.offerings)) return undefined;
  const unnamed = targets.find(({ requirements }) => requirements.get(ZONE)?.complement !== false);
  const asking = pods.find(({ shape }) => lastTerms(shape).some(({ key }) => key === ZONE));
  if (unnamed === undefined || asking === undefined) return undefined;
  const { kind, name } = asking.demand.resource;
  return `${kind} ${name} has a topology constraint on zones, and neither the catalogue nor pool ${unnamed.pool.name} says which zones there are`;
}

/** The topology constraints that Karpenter does not relax. */
function lastTerms(shape: PodShape): readonly TopologyTerm[] {
  let terms: readonly TopologyTerm[] = [];
  for (let index = 0; ; index++) {
    const stage = shape.stage(index);
    if (stage === undefined) return terms;
    ({ terms } = stage);
  }
}

function isClaim({ persistentVolumeClaim, ephemeral }: Volume): boolean {
  return (persistentVolumeClaim ?? ephemeral ?? undefined) !== undefined;
}

type Volume = NonNullable<PodSpec["volumes"]>[number];

const SCHEDULER_CONFIG =
  "Karpenter's --scheduler-config: anp cannot read the topology spread that it gives pods without their own";

const NO_NODES =
  "nodes: none is among the inputs, so this is the plan for a cluster without nodes and without other pods";

function ofClaim({ pool, requirements, types }: PlannedClaim, catalogue: Catalogue): string[] {
  const capacity = requirements.get(CAPACITY_TYPE);
  const isNamed = capacity !== undefined && !capacity.complement && capacity.values.has("reserved");
  const listed = reservedOfferings(catalogue);
  const asks =
    (isNamed && listed.length === 0) ||
    (listed.some(({ reservationCapacity }) => reservationCapacity === undefined) &&
      (capacity === undefined || has(capacity, "reserved")));
  const isCut = countTypes(types) > MOST_TYPES && !isOrderSure(requirements, catalogue);
  return [
    ...(asks ? [`reserved capacity of pool ${pool.name}: how many instances its reservations have left`] : []),
    ...(isCut
      ? [`prices of pool ${pool.name}: Karpenter keeps the ${MOST_TYPES} cheapest of more types, and not all are known`]
      : []),
  ];
}

/** Those that a catalogue lists. Reservations that anp assumes have neither a price nor a count. */
const reservedOfferings = memoizeByObject(({ offerings }: Catalogue): readonly Offering[] =>
  offerings.sets
    .flat()
    .filter((one) => isReserved(one) && (one.price !== undefined || one.reservationCapacity !== undefined)),
);

function hasZones({ sets }: ExplainedCluster["knownTypes"]["filter"]["catalogue"]["offerings"]): boolean {
  return sets.some((set) => set.some(({ requirements }) => requirements.has(ZONE)));
}
