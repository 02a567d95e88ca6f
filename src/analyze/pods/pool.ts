/** The template of a pool's nodes as Karpenter holds it against pods. */
import {
  addRequirements,
  mergedByKey,
  type Requirements,
  requirementsOf,
} from "../../karpenter/requirements/requirements.ts";
import type { TypeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { both, isNone, type TypeMask, without } from "../../karpenter/catalogue/type-mask.ts";
import type { Demand } from "../../resolve/demands.ts";
import { type DaemonGroup, daemonGroups } from "../../karpenter/scheduling/daemon-overhead.ts";
import type { PoolExplanation } from "../explain/explanation.ts";
import { withinLimits } from "./limits.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { type Market, shortfallOf, typesOf } from "../explain/remaining-types.ts";

export interface PodPool {
  readonly pool: ResolvedPool;
  /** What policy and pool ask for by key, with where; not what Karpenter adds. */
  readonly demands: readonly Demand[];
  readonly requirements: Requirements;
  /** What the node class says of zones and of reserved capacity. */
  readonly ofClass: Requirements;
  /** Before any pod: none for a pool that gets no nodes. */
  readonly types: TypeMask;
  /** Those of `types` that the limits of the pool leave while it has no node. */
  readonly withinLimits: TypeMask;
  /** Those of all instance types that the machine images of the node class can start. */
  readonly startable: TypeMask;
  /** What the node class has images for. */
  readonly images: readonly Demand[];
  readonly daemons: readonly DaemonGroup[];
}

/** See docs/upstream/karpenter.md#instance-types. */
export function podPool(
  pool: ResolvedPool,
  explanation: PoolExplanation,
  daemonSets: readonly PodDemand[],
  market: Market,
): PodPool {
  const { filter } = market;
  const merged = new Map(explanation.requirements.map(({ key, effective }) => [key, effective]));
  const requirements = addRequirements(merged, ownLabels(pool));
  const [images, places] = split(pool.needs);
  const ofClass = mergedByKey([...places, ...pool.reservations].map(({ requirement }) => requirement));
  const left = typesOf(requirements, ofClass, filter);
  const types = shortfallOf(left, requirements, ofClass, market).size > 0 ? without(left, left) : left;
  const startable = images.reduce((mask, demand) => both(mask, passing(demand, filter)), filter.all);
  return {
    pool,
    demands: explanation.requirements.flatMap(({ policy, user }) => [...policy, ...user]),
    requirements,
    ofClass,
    types,
    withinLimits: withinLimits(pool, types, filter.catalogue),
    startable,
    images,
    daemons: isNone(types) ? [] : daemonGroups({ pool, requirements, types }, daemonSets, filter),
  };
}

/** Images decide after Karpenter has picked the pool, and subnets before. */
function split(needs: readonly Demand[]): readonly [images: readonly Demand[], places: readonly Demand[]] {
  const isImage = ({ requirement: { key } }: Demand): boolean => key === "kubernetes.io/arch";
  return [needs.filter(isImage), needs.filter((demand) => !isImage(demand))];
}

/** What Karpenter puts on every node of a pool, so that pods may ask for it. */
function ownLabels({ name, nodeClassRef: { group, kind, name: nodeClass } }: ResolvedPool): Requirements {
  const labels = {
    "karpenter.sh/nodepool": name,
    [`${group}/${kind.toLowerCase()}`]: nodeClass,
    "karpenter.sh/registered": "true",
    "karpenter.sh/initialized": "true",
  };
  return requirementsOf(Object.entries(labels).map(([key, value]) => ({ key, operator: "In", values: [value] })));
}

function passing({ requirement }: Demand, filter: TypeFilter): TypeMask {
  return filter.compatible(new Map([[requirement.key, requirement]]));
}
