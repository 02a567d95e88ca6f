/** Which placeholders decide about the nodes of a pool. */
import { placeholdersIn } from "../../krm/values/placeholders.ts";
import { type FieldPath, formatFieldPath, startsWithPath, valueAt } from "../../krm/places/field-path.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { fieldsOf } from "../../krm/values/fields.ts";
import type { Place } from "../../resolve/origin.ts";
import { requirementsPath } from "../../resolve/pool-requirements.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { PoolExplanation, UnknownPart } from "./explanation.ts";

const LABELS: FieldPath = ["spec", "template", "metadata", "labels"];

const LIMITS: FieldPath = ["spec", "limits"];

const OF_POOL: readonly FieldPath[] = [
  ["spec", "template", "spec", "requirements"],
  LABELS,
  LIMITS,
  ["spec", "replicas"],
  ["spec", "template", "spec", "nodeClassRef", "group"],
  ["spec", "template", "spec", "nodeClassRef", "kind"],
];

/** The fields of an EC2NodeClass that select images, instance types or capacity. */
const OF_CLASS: readonly FieldPath[] = [
  "amiFamily",
  "capacityReservationSelectorTerms",
  "connectionTracking",
  "cpuOptions",
  "enclaveOptions",
  "kubelet",
  "networkInterfaces",
  "placementGroupSelector",
].map((field) => ["spec", field]);

/** The unknown parts of a pool and its node class that instance types or zones depend on. */
export function unknownParts({ wrapper, nodeClass }: ResolvedPool): UnknownPart[] {
  const ofClass = nodeClass === undefined ? [] : partsOf(nodeClass, OF_CLASS, "class");
  return [...partsOf(wrapper, OF_POOL, "user"), ...ofClass];
}

/** In words, for each part with a placeholder that may decide whether a pod fits, or which pool takes it. */
export function unknownForPods({ wrapper, nodeClass }: ResolvedPool): string[] {
  const words = ({ place: { resource, path }, placeholder }: UnknownPart) =>
    `${placeholder} in ${formatFieldPath(path)} of ${describeResource(resource)}: it has no value`;
  const ofClass = nodeClass === undefined ? [] : partsOf(nodeClass, [...OF_CLASS, ...FOR_PODS], "class");
  return [...partsOf(wrapper, [...OF_POOL, ...FOR_PODS], "user"), ...ofClass].map(words);
}

const FOR_PODS: readonly FieldPath[] = [
  ["spec", "weight"],
  ["spec", "template", "spec", "taints"],
  ["spec", "template", "spec", "startupTaints"],
  ["spec", "blockDeviceMappings"],
  ["spec", "instanceStorePolicy"],
];

function partsOf(resource: Resource, deciding: readonly FieldPath[], from: UnknownPart["from"]): UnknownPart[] {
  const { unknown = [] } = resource;
  const isDeciding = (path: FieldPath) =>
    isImageFamily(path, resource) ||
    deciding.some((field) => startsWithPath(path, field) || startsWithPath(field, path));
  return unknown
    .filter(({ path }) => isDeciding(path))
    .map(({ path, placeholder }) => ({ place: { resource, path }, placeholder, from }));
}

/** An alias that is left out of the value: its family is unknown. */
function isImageFamily(path: FieldPath, { value }: Resource): boolean {
  const field = path.at(-1);
  return (field === "alias" || field === "amiSelectorTerms") && valueAt(value, path) === undefined;
}

/**
 * Whether the known entries leave no node whatever the others are. One more entry only excludes more, unless it is on a
 * label of the conflict: a contradiction may admit types without the label (docs/upstream/karpenter.md#absent-labels).
 */
export function isUnsatisfiableAnyway(
  { verdict, conflict, requirements, noNodes }: PoolExplanation,
  unknown: readonly UnknownPart[],
): boolean {
  if (verdict !== "unsatisfiable") return false;
  const blocking = requirements.filter(({ outcome }) => outcome === "empty-blocking").map(({ key }) => key);
  const keys = new Set([...conflict.map(({ requirement }) => requirement.key), ...blocking]);
  if (keys.size === 0 && noNodes.length === 0) return false;
  return unknown.every(({ place: { resource, path } }) => {
    if (startsWithPath(path, LIMITS)) return true;
    const key = keyOf(resource, path);
    return key !== undefined && !keys.has(key);
  });
}

/** The label that an unknown entry is about; undefined if that is unknown, too, or if it is no entry. */
function keyOf(resource: Resource, path: FieldPath): string | undefined {
  const list = requirementsPath(resource);
  const isIn = (parent: FieldPath) => startsWithPath(path, parent) && path.length > parent.length;
  const key = isIn(LABELS) ? path.at(-1) : isIn(list) ? valueAt(resource.written, [...path, "key"]) : undefined;
  return typeof key === "string" && placeholdersIn(key).length === 0 ? key : undefined;
}

/** The entry in words: a requirement as it is written, or the name of the field. */
export function entryWords({ resource, path }: Place): string {
  const { key, operator, values } = fieldsOf(valueAt(resource.written, path));
  if (typeof key !== "string" || typeof operator !== "string") return formatFieldPath(path);
  return `${key} ${operator}${Array.isArray(values) ? ` [${values.join(" ")}]` : ""}`;
}
