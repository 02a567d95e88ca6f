/** The instance types that the limits of a pool exclude, and pools whose limits allow none. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { countTypes, indexesOf, isNone, type TypeMask, without } from "../../karpenter/catalogue/type-mask.ts";
import { capacityOf, type Quantities, typesWithinLimits } from "../../karpenter/scheduling/limits.ts";
import { kubeletExpression } from "../../karpenter/node-class/kubelet-expression.ts";
import { typesOfClass } from "../../karpenter/node-class/node-resources.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { fileLineOf, locationOf } from "../../krm/places/location.ts";
import { isFields } from "../../krm/values/fields.ts";
import type { PlacedNoNodes, ResolvedPool } from "../../resolve/resolve-pool.ts";
import { amountText, and } from "./amounts.ts";
import type { DescribedLimit } from "./pool-answer.ts";
import type { InstanceTypes } from "./remaining-types.ts";

/** The instance types for one pool: those within its limits, filtered as for static pools if it is one. */
export function typesForPool(pool: ResolvedPool, knownTypes: InstanceTypes): InstanceTypes {
  const isStatic = pool.replicas !== undefined;
  const limits = limitsOf(pool);
  if (isStatic || limits.length === 0) return { ...knownTypes, isStatic };
  // What a class sets does not change the capacity of processors and memory, and few limits are of others.
  const isOfClass = limits.some(([resource]) => !OF_TYPES.includes(resource));
  const nodeClass = isOfClass ? knownTypes.nodeClassOf?.(pool) : undefined;
  const types = typesOfNodeClass(nodeClass, pool.name, knownTypes);
  const withinLimits = typesWithinLimits(comparableLimits(pool, types), types);
  return { ...knownTypes, isStatic, withinLimits };
}

const OF_TYPES: readonly string[] = ["cpu", "memory", "nodes"];

/** The instance types with what nodes of the pool's class have, if the class is known, and what overlays add. */
export function typesOfNodes(pool: ResolvedPool, knownTypes: InstanceTypes): Catalogue {
  return typesOfNodeClass(knownTypes.nodeClassOf?.(pool), pool.name, knownTypes);
}

/** The same for a NodePool of this name. @param nodeClass an EC2NodeClass; undefined if unknown */
export function typesOfNodeClass(
  nodeClass: unknown,
  pool: string,
  { filter: { catalogue }, profile, karpenter, overlays }: InstanceTypes,
): Catalogue {
  const types = nodeClass === undefined ? catalogue : typesOfClass(catalogue, nodeClass, profile, karpenter);
  return overlays === undefined ? types : overlays.withCapacity(pool, types);
}

/** None if a limit pauses the pool: its types are then those that it has without a pause. */
function limitsOf(pool: ResolvedPool): [string, string | number][] {
  const pauses = pool.noNodes.some(({ code }) => code === "limits-allow-no-node" || code === "limits-below-zero");
  return pauses ? [] : Object.entries(pool.spec.limits ?? {});
}

/** The limits that can be compared. */
export function comparableLimits({ spec: { limits = {} }, nodeClass }: ResolvedPool, types: Catalogue): Quantities {
  if (arePodsKnown(nodeClass?.value, types)) return limits;
  return Object.fromEntries(Object.entries(limits).filter(([resource]) => resource !== "pods"));
}

/**
 * Whether the pods of a node are known: of types without what the class sets, if it does not set them.
 *
 * @param types with what the nodes of the class have, if that is known
 */
export function arePodsKnown(nodeClass: unknown, types: Catalogue): boolean {
  const kubelet = valueAt(nodeClass, ["spec", "kubelet"]);
  if (!isFields(kubelet)) return true;
  const { maxPods, podsPerCore } = kubelet;
  if (types.capacity === undefined) return maxPods === undefined && podsPerCore === undefined;
  return typeof maxPods !== "string" || !("unread" in kubeletExpression(maxPods));
}

/** What the nodes of a pool use of its limits, by the status of a NodePool that was read from a cluster. */
export function usedOf({ wrapper }: Pick<ResolvedPool, "wrapper">): Quantities | undefined {
  if (wrapper.kind !== "NodePool") return undefined;
  const resources = valueAt(wrapper.value, ["status", "resources"]);
  return isFields(resources) ? (resources as Quantities) : undefined;
}

/** Each limit with the number of types above it. @param types those that all entries leave, whatever the limits */
export function describeLimits(pool: ResolvedPool, types: TypeMask, catalogueOf: () => Catalogue): DescribedLimit[] {
  const limits = limitsOf(pool);
  if (limits.length === 0) return [];
  const catalogue = catalogueOf();
  const comparable = comparableLimits(pool, catalogue);
  return limits.map(([resource, limit]) => ({
    resource,
    limit: String(limit),
    types: Object.hasOwn(comparable, resource) ? countTypes(aboveLimits({ [resource]: limit }, types, catalogue)) : 0,
    ...fileLineOf(pool.wrapper, ["spec", "limits", resource]),
  }));
}

function aboveLimits(limits: Quantities, types: TypeMask, catalogue: Catalogue): TypeMask {
  return without(types, typesWithinLimits(limits, catalogue));
}

/** For a pool that no type fits. @param types those that all entries leave, whatever the limits */
export function limitsBelowTypes(pool: ResolvedPool, types: TypeMask, catalogue: Catalogue): PlacedNoNodes {
  const limits = Object.entries(comparableLimits(pool, catalogue));
  const alone = limits.find(([resource, limit]) => {
    const above = aboveLimits({ [resource]: limit }, types, catalogue);
    return isNone(without(types, above));
  });
  const [resource, limit] = alone ?? limits[0]!;
  const place = { resource: pool.wrapper, path: ["spec", "limits", resource] };
  const code = "limits-below-types";
  if (alone === undefined) {
    const message = `its limits together exclude every instance type that its entries leave: ${limitsText(pool)}`;
    return { code, place, message, hint: "raise the limits, or allow smaller instance types" };
  }
  const [smallest] = indexesOf(types)
    .map((type) => ({ amount: capacityOf(catalogue, resource, type), name: catalogue.names[type]! }))
    .toSorted((a, b) => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : 0));
  const { amount, name } = smallest!;
  const message = `the limit ${String(limit)} of ${resource} excludes every instance type that its entries leave: the smallest, ${name}, has ${amountText(resource, amount)}`;
  return { code, place, message, hint: "raise the limit, or allow smaller instance types" };
}

/** `cpu 16 (pools.yaml:5), of which 14 are in use`. */
export function limitsText(pool: ResolvedPool): string {
  const used = usedOf(pool);
  const texts = Object.entries(pool.spec.limits ?? {}).map(([name, value]) => {
    const inUse = used?.[name] === undefined ? "" : `, of which ${String(used[name])} are in use`;
    return `${name} ${String(value)} (${locationOf(pool.wrapper, ["spec", "limits", name])})${inUse}`;
  });
  return and(texts);
}
