/** The demands and limits of a NodePool on one side, with their authors and places. */
import type { Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import { AWS } from "../../../karpenter/provider/aws.ts";
import { providerOf } from "../../../karpenter/provider/providers.ts";
import type { Provider } from "../../../karpenter/provider/provider.ts";
import { type Requirement, requirementOf } from "../../../karpenter/requirements/requirement.ts";
import { typesWithinLimits } from "../../../karpenter/scheduling/limits.ts";
import { type FieldPath, valueAt } from "../../../krm/places/field-path.ts";
import { fieldsOf } from "../../../krm/values/fields.ts";
import { memoizeByKey, memoizeByObject } from "../../../model/schema/memoize.ts";
import { parseQuantity } from "../../../model/values/quantity.ts";
import type { NodeSelectorRequirement } from "../../../model/requirements/requirement.ts";
import type { PoolRequirement } from "../../../resolve/pool-requirements.ts";
import type { Place } from "../../../resolve/origin.ts";
import { BLOCKER } from "../../../resolve/guarded-list.ts";
import { arePodsKnown, typesOfNodeClass } from "../../explain/pool-limits.ts";
import type { InstanceTypes } from "../../explain/remaining-types.ts";
import { placedEntriesOf, placedLabelsOf } from "../change-node-pool.ts";
import { partOfField } from "../guarded-part.ts";
import type { SideObject } from "../sides.ts";
import type { AskedLimit } from "./pool-offer.ts";

/** A demand with an author and a place, if known. Live objects and earlier output have none. */
export interface SideDemand {
  readonly from: PoolRequirement["from"] | undefined;
  readonly place: Place | undefined;
  readonly requirement: Requirement;
}

/** A limit with its place, if known. */
export interface SideLimit extends AskedLimit {
  readonly resource: string;
  readonly limit: string;
  readonly place: Place | undefined;
}

/** A pool and its class on one side. */
export interface SidePool {
  readonly pool: SideObject;
  /** Undefined if the side lacks it. */
  readonly nodeClass: SideObject | undefined;
}

/** Returns one requirement for all equal entries, because many pools have the same ones. */
export type ReadEntry = (entry: NodeSelectorRequirement) => Requirement;

/** Keeps all distinct entries, so make one reader for a run. */
export function entryReader(): ReadEntry {
  const ofText = memoizeByKey((text: string) => requirementOf(JSON.parse(text) as NodeSelectorRequirement));
  return memoizeByObject((entry: NodeSelectorRequirement) => ofText(JSON.stringify(entry)));
}

/**
 * Entries in their order, then template labels, then what the node class needs.
 *
 * @param needs the requirements of its images
 */
export function sideDemands(
  { pool, nodeClass }: SidePool,
  needs: readonly PoolRequirement[],
  read: ReadEntry,
): SideDemand[] {
  const { object, asItStands = false, placeOf } = pool;
  const entries = placedEntriesOf(object).map(({ entry, path }): SideDemand => {
    const place = placeOf(path);
    const from = asItStands ? RAW_AUTHORS[partOfField(object, path) ?? "pool"] : authorOf(place, entry);
    return { from, place, requirement: read(entry) };
  });
  const labels = placedLabelsOf(object).map(({ key, value, path }): SideDemand => ({
    from: "label",
    place: placeOf(path),
    requirement: read({ key, operator: "In", values: [value] }),
  }));
  return [...entries, ...labels, ...needs, ...classDemands(pool, nodeClass)];
}

/** Many pools have the same limits. */
export type ReadLimits = (side: SidePool, knownTypes: InstanceTypes) => SideLimit[];

/** Keeps all distinct limits, so make one reader for a run. */
export function limitReader(): ReadLimits {
  const within = memoizeByObject((types: Catalogue) =>
    memoizeByKey((limit: string) => {
      const [resource, amount] = JSON.parse(limit) as [string, string];
      return typesWithinLimits({ [resource]: amount }, types);
    }),
  );
  return ({ pool, nodeClass }, knownTypes) => {
    const ofClass = providerOfPool(pool) === AWS ? nodeClass?.object : undefined;
    const types = typesOfNodeClass(ofClass, pool.object.metadata.name, knownTypes);
    const hasPods = ofClass !== undefined && arePodsKnown(ofClass, types);
    return Object.entries(fieldsOf(valueAt(pool.object, LIMITS))).flatMap(([resource, amount]): SideLimit[] => {
      const limit = String(amount);
      if (parseQuantity(limit) === undefined || (resource === "pods" && !hasPods)) return [];
      const place = pool.placeOf([...LIMITS, resource]);
      return [{ from: "limit", resource, limit, types: within(types)(JSON.stringify([resource, limit])), place }];
    });
  };
}

const LIMITS: FieldPath = ["spec", "limits"];

/** The provider of the pool's nodes. */
export function providerOfPool({ object }: SideObject): Provider {
  return providerOf({ group: String(valueAt(object, ["spec", "template", "spec", "nodeClassRef", "group"])) });
}

/** Entries that a guard has added are the policy's. */
const RAW_AUTHORS = { guard: "policy", pool: "user" } as const;

function authorOf(place: Place | undefined, { key, values }: NodeSelectorRequirement): SideDemand["from"] {
  // Rendering adds the blocking entry for the policy, so it has no place.
  if (place === undefined) return isBlocker(key, values) ? "policy" : undefined;
  const { kind } = place.resource;
  if (kind === "AutoNodePolicy") return "policy";
  return kind === "OpenshiftNodePool" ? "user" : undefined;
}

function isBlocker(key: string, values: readonly string[] = []): boolean {
  return key === BLOCKER.key && values.length === 1 && values[0] === BLOCKER.values?.[0];
}

/** Only demands of the spec. The status is what a cluster has resolved. */
function classDemands(pool: SideObject, nodeClass: SideObject | undefined): SideDemand[] {
  if (nodeClass === undefined) return [];
  const provider = providerOfPool(pool);
  const ofSpec = provider
    .classRequirements(nodeClass.object)
    .filter(({ path }) => path[0] === "spec" && (pool.asItStands === true || !isOfImages(path)));
  return ofSpec.map(({ path, requirement }) => ({
    from: "class",
    place: nodeClass.placeOf(writtenIn(nodeClass.object, path)),
    requirement,
  }));
}

/** The images of a hosted cluster are HyperShift's: its nodes run Linux, and it names them by id. */
function isOfImages(path: FieldPath): boolean {
  return path[1] === "amiFamily" || path[1] === "amiSelectorTerms";
}

/** A default has no place in the class, so `spec` is used. */
function writtenIn(object: unknown, path: FieldPath): FieldPath {
  return valueAt(object, path) === undefined ? ["spec"] : path;
}
