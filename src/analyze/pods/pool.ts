/** A pool's node template as Karpenter matches it with pods. */
import {
  addRequirements,
  mergedByKey,
  type Requirements,
  requirementsOf,
} from "../../karpenter/requirements/requirements.ts";
import type { TypeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { both, isNone, type TypeMask, without } from "../../karpenter/catalogue/type-mask.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import { type DaemonGroup, daemonGroups } from "../../karpenter/scheduling/daemon-overhead.ts";
import type { PoolExplanation } from "../explain/explanation.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { type InstanceTypes, shortfallOf, typesOf } from "../explain/remaining-types.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { allocatableTypes } from "../../karpenter/scheduling/resources.ts";
import { locationOf } from "../../krm/places/location.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import { and } from "./amounts.ts";

export interface PodPool {
  readonly pool: ResolvedPool;
  /** The demands of policy and pool with their places, without those that Karpenter adds. */
  readonly demands: readonly PoolRequirement[];
  readonly requirements: Requirements;
  /** The node class's requirements on zones and reserved capacity. */
  readonly ofClass: Requirements;
  /** The types before any pod; none for a pool that gets no nodes. */
  readonly types: TypeMask;
  /** Those of `types` that the limits of the pool allow while it has no nodes. */
  readonly withinLimits: TypeMask;
  /** Those of all instance types that the machine images of the node class can start. */
  readonly startable: TypeMask;
  /** The requirements of the node class's images. */
  readonly images: readonly PoolRequirement[];
  readonly daemons: readonly DaemonGroup[];
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
  const ofClass = mergedByKey([...places, ...pool.reservations].map(({ requirement }) => requirement));
  const left = typesOf(requirements, ofClass, filter);
  const types = shortfallOf(left, requirements, ofClass, knownTypes).size > 0 ? without(left, left) : left;
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

/**
 * Karpenter excludes a type with more capacity than the limit allows. A catalogue has only allocatable amounts, so a
 * type is excluded here only if even those exceed the limit.
 */
function withinLimits({ spec: { limits = {} } }: ResolvedPool, types: TypeMask, catalogue: Catalogue): TypeMask {
  return Object.entries(limits).reduce((left, [name, value]) => {
    const limit = parseQuantity(String(value))?.nano ?? 0n;
    if (name === "nodes") return limit > 0n ? left : without(left, left);
    // The amount depends on the node class.
    if (name === "ephemeral-storage") return left;
    return without(left, allocatableTypes(catalogue).atLeast(name, limit + 1n));
  }, types);
}

export function limitsText({ wrapper, spec: { limits = {} } }: ResolvedPool): string {
  const texts = Object.entries(limits).map(
    ([name, value]) => `${name} ${String(value)} (${locationOf(wrapper, ["spec", "limits", name])})`,
  );
  return and(texts);
}
