/** What a NodePool of one side asks of its nodes, entry by entry, and who asks for it where. */
import { providerOf } from "../../../karpenter/provider/providers.ts";
import type { Provider } from "../../../karpenter/provider/provider.ts";
import { type Requirement, requirementOf } from "../../../karpenter/requirements/requirement.ts";
import { type FieldPath, valueAt } from "../../../krm/field-path.ts";
import { oncePer, oncePerObject } from "../../../model/once.ts";
import type { NodeSelectorRequirement } from "../../../model/requirement.ts";
import type { Demand } from "../../../resolve/demands.ts";
import type { Place } from "../../../resolve/origin.ts";
import { BLOCKER } from "../../../resolve/resolve-pool.ts";
import { placedEntriesOf, placedLabelsOf } from "../change-node-pool.ts";
import { partOfField } from "../guarded-part.ts";
import type { SideObject } from "../side-object.ts";

/** A demand whose author and place may be nobody's knowledge: of a live object, or of what was rendered before. */
export interface SideDemand {
  readonly from: Demand["from"] | undefined;
  readonly place: Place | undefined;
  readonly requirement: Requirement;
}

/** A pool and its class of one side. */
export interface SidePool {
  readonly pool: SideObject;
  /** Undefined where the side does not have it. */
  readonly nodeClass: SideObject | undefined;
}

/** One for each way to write a requirement: many pools have the same, as objects of their own. */
export type ReadEntry = (entry: NodeSelectorRequirement) => Requirement;

/** As many are kept as different ones are asked for: one for a run. */
export function entryReader(): ReadEntry {
  const ofText = oncePer((text: string) => requirementOf(JSON.parse(text) as NodeSelectorRequirement));
  return oncePerObject((entry: NodeSelectorRequirement) => ofText(JSON.stringify(entry)));
}

/**
 * Entries in their order, then template labels, then what the node class needs.
 *
 * @param needs of its images
 */
export function sideDemands({ pool, nodeClass }: SidePool, needs: readonly Demand[], read: ReadEntry): SideDemand[] {
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

/** Whose nodes the pool makes. */
export function providerOfPool({ object }: SideObject): Provider {
  return providerOf({ group: String(valueAt(object, ["spec", "template", "spec", "nodeClassRef", "group"])) });
}

/** What a guard has put there is the policy's. */
const RAW_AUTHORS = { guard: "policy", pool: "user" } as const;

function authorOf(place: Place | undefined, { key, values }: NodeSelectorRequirement): SideDemand["from"] {
  // Rendering adds it for the policy's sake, and nobody has written it.
  if (place === undefined) return isBlocker(key, values) ? "policy" : undefined;
  const { kind } = place.resource;
  if (kind === "AutoNodePolicy") return "policy";
  return kind === "OpenshiftNodePool" ? "user" : undefined;
}

function isBlocker(key: string, values: readonly string[] = []): boolean {
  return key === BLOCKER.key && values.length === 1 && values[0] === BLOCKER.values?.[0];
}

/** What a cluster has found for the class is no part of it. */
function classDemands(pool: SideObject, nodeClass: SideObject | undefined): SideDemand[] {
  if (nodeClass === undefined) return [];
  const provider = providerOfPool(pool);
  const ofSpec = provider
    .demandsOf(nodeClass.object)
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

/** What a class does not say stands nowhere in it. */
function writtenIn(object: unknown, path: FieldPath): FieldPath {
  return valueAt(object, path) === undefined ? ["spec"] : path;
}
