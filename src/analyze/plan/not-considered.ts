/** Lists what may change a plan and is not known or not modelled. */
import type { PlannedClaim, Solved } from "../../karpenter/solver/world.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { blindSpotsOfPool } from "../pods/blind-spots.ts";
import type { PlanWorld } from "./plan-world.ts";

const ZONE = "topology.kubernetes.io/zone";

export function notConsidered(
  { world, targets, state }: PlanWorld,
  { claims }: Solved,
  { knownTypes }: ExplainedCluster,
): string[] {
  const isWaiting = new Set(state?.waiting);
  const shapes = [...new Set(world.pods.map(({ shape }) => shape))];
  const { catalogue } = world.filter;
  const ofPods = shapes.flatMap(({ demand, unknown, ...shape }) => {
    const { resource, spec, volumes } = demand;
    const name = `${resource.kind} ${resource.name}`;
    const { runtimeClassName = "", nodeName = "", schedulingGates = [] } = spec;
    const terms = shape.stage(0)?.terms ?? [];
    return [
      ...unknown,
      ...volumes.missing,
      ...(runtimeClassName === ""
        ? []
        : [`runtime class ${runtimeClassName}: it may add overhead, a node selector and tolerations`]),
      ...(schedulingGates.length === 0 ? [] : ["scheduling gates: it waits until they are removed"]),
      ...(nodeName === "" || isWaiting.has(demand) ? [] : [`node ${nodeName}: it runs there already and is planned as pending`]),
      ...(terms.some(({ key }) => key === ZONE) && !hasZones(catalogue.offerings)
        ? ["zones: the catalogue does not say where types are offered; each is taken to be in every zone of its pool"]
        : []),
    ].map((text) => `${name}: ${text}`);
  });
  const targetOf = new Map(targets.map((target) => [target.pool.name, target]));
  const ofPools = claims.flatMap((claim) => {
    const target = targetOf.get(claim.pool.name)!;
    const spots = claim.pods
      .slice(0, 1)
      .flatMap(({ shape }) => blindSpotsOfPool(target, shape.demand, { ...claim, missed: undefined }));
    // The nodes of a dump say what is in use.
    return state === undefined ? spots : spots.filter((text) => !text.startsWith("limits of pool"));
  });
  return [
    ...(knownTypes.typesUnknown === true ? ["instance types: those of this provider are not known; name a catalogue"] : []),
    ...(state === undefined ? [NO_NODES] : []),
    ...(state?.unlaunched ?? []).map(
      (name) => `NodeClaim ${name}: it has no instance yet, and Karpenter waits with all pods until it has one`,
    ),
    ...new Set([...ofPods, ...ofPools, ...claims.flatMap(ofClaim)]),
  ];
}

const NO_NODES = "nodes: none is among the inputs, so this is the plan for a cluster without nodes and without other pods";

function ofClaim({ pool, requirements }: PlannedClaim): string[] {
  const capacity = requirements.get("karpenter.sh/capacity-type");
  const asks = capacity !== undefined && !capacity.complement && capacity.values.has("reserved");
  return asks ? [`reserved capacity of pool ${pool.name}: how many instances its reservations have left`] : [];
}

function hasZones({ sets }: ExplainedCluster["knownTypes"]["filter"]["catalogue"]["offerings"]): boolean {
  return sets.some((set) => set.some(({ requirements }) => requirements.has(ZONE)));
}
