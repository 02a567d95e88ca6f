/** A pool's node template as Karpenter matches it with pods. */
import {
  addRequirements,
  mergedByKey,
  type Requirements,
  requirementsOf,
} from "../../karpenter/requirements/requirements.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { type TypeFilter, typesOf } from "../../karpenter/catalogue/type-filter.ts";
import { both, isNone, type TypeMask, without } from "../../karpenter/catalogue/type-mask.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import { type DaemonGroup, daemonGroups } from "../../karpenter/scheduling/daemon-overhead.ts";
import type { PoolExplanation } from "../explain/explanation.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { comparableLimits, typesOfNodes, usedOf } from "../explain/pool-limits.ts";
import { type InstanceTypes, shortfallOf } from "../explain/remaining-types.ts";
import { typesWithinLimits } from "../../karpenter/scheduling/limits.ts";

export interface PodPool {
  readonly pool: ResolvedPool;
  /** The demands of policy and pool with their places, without those that Karpenter adds. */
  readonly demands: readonly PoolRequirement[];
  readonly requirements: Requirements;
  /** The node class's requirements on its operating system, zones and reserved capacity, with their places. */
  readonly classDemands: readonly PoolRequirement[];
  readonly ofClass: Requirements;
  /** The types before any pod; none for a pool that gets no nodes. */
  readonly types: TypeMask;
  /** Those of `types` that the limits of the pool still allow; if their use is unknown, while it has no nodes. */
  readonly withinLimits: TypeMask;
  /** Those of all instance types that the machine images of the node class can start. */
  readonly startable: TypeMask;
  /** The requirements of the node class's images. */
  readonly images: readonly PoolRequirement[];
  readonly daemons: readonly DaemonGroup[];
  /** Expressions of its node class that are not read. */
  readonly unread: readonly string[];
  /** The instance types with what the nodes of its class have. */
  readonly nodes: Catalogue;
}

/** See docs/upstream/karpenter.md#instance-types. */
export function podPool(
  pool: ResolvedPool,
  explanation: PoolExplanation,
  daemonSets: readonly PodDemand[],
  knownTypes: InstanceTypes,
): PodPool {
  const { filter } = knownTypes;
  const merged = new Map(explanation.requirements.map(({ key, effective }) => [key, effective]));
  const requirements = addRequirements(merged, ownLabels(pool));
  const [images, places] = split(pool.needs);
  const classDemands = [...places, ...pool.reservations];
  const ofClass = mergedByKey(classDemands.map(({ requirement }) => requirement));
  const left = typesOf(requirements, ofClass, filter);
  const isPassedOver = explanation.noNodes.some(({ code }) => PASSED_OVER.has(code));
  const isOut = isPassedOver || shortfallOf(left, requirements, ofClass, knownTypes).size > 0;
  const types = isOut ? without(left, left) : left;
  const nodes = typesOfNodes(pool, knownTypes);
  const startable = images.reduce((mask, demand) => both(mask, passing(demand, filter)), filter.all);
  return {
    pool,
    demands: explanation.requirements.flatMap(({ policy, user }) => [...policy, ...user]),
    requirements,
    classDemands,
    ofClass,
    types,
    withinLimits: both(types, typesWithinLimits(comparableLimits(pool, nodes), nodes, usedOf(pool))),
    startable,
    images,
    unread: explanation.unread,
    daemons: isNone(types) ? [] : daemonGroups({ pool, requirements, ofClass, types }, daemonSets, filter),
    nodes,
  };
}

/** Karpenter gives such a pool no pods: it is not ready, or not Karpenter's. */
const PASSED_OVER: ReadonlySet<string> = new Set(["node-class-invalid", "provider-mismatch"]);

/** Karpenter considers subnets before it picks a pool, and images only afterwards. */
function split(
  needs: readonly PoolRequirement[],
): readonly [images: readonly PoolRequirement[], places: readonly PoolRequirement[]] {
  const isImage = ({ requirement: { key } }: PoolRequirement): boolean => key === "kubernetes.io/arch";
  return [needs.filter(isImage), needs.filter((demand) => !isImage(demand))];
}

/** The labels that Karpenter sets on every node of a pool, so that pods may ask for them. */
function ownLabels({ name, nodeClassRef: { group, kind, name: nodeClass } }: ResolvedPool): Requirements {
  const labels = {
    "karpenter.sh/nodepool": name,
    [`${group}/${kind.toLowerCase()}`]: nodeClass,
    "karpenter.sh/registered": "true",
    "karpenter.sh/initialized": "true",
  };
  return requirementsOf(Object.entries(labels).map(([key, value]) => ({ key, operator: "In", values: [value] })));
}

function passing({ requirement }: PoolRequirement, filter: TypeFilter): TypeMask {
  return filter.compatible(new Map([[requirement.key, requirement]]));
}
