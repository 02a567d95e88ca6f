/** The demands of a NodePool on one side, with their authors and places. */
import { providerOf } from "../../../karpenter/provider/providers.ts";
import type { Provider } from "../../../karpenter/provider/provider.ts";
import { type Requirement, requirementOf } from "../../../karpenter/requirements/requirement.ts";
import { type FieldPath, valueAt } from "../../../krm/places/field-path.ts";
import { memoizeByKey, memoizeByObject } from "../../../model/schema/memoize.ts";
import type { NodeSelectorRequirement } from "../../../model/requirements/requirement.ts";
import type { PoolRequirement } from "../../../resolve/pool-requirements.ts";
import type { Place } from "../../../resolve/origin.ts";
import { BLOCKER } from "../../../resolve/guarded-list.ts";
import { placedEntriesOf, placedLabelsOf } from "../change-node-pool.ts";
import { partOfField } from "../guarded-part.ts";
import type { SideObject } from "../sides.ts";

/** A demand with an author and a place, if known. Live objects and earlier output have none. */
export interface SideDemand {
  readonly from: PoolRequirement["from"] | undefined;
  readonly place: Place | undefined;
  readonly requirement: Requirement;
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
