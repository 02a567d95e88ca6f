/** The nodes, pods and PodDisruptionBudgets that an event names. */
import type { Look } from "../../karpenter/events/messages.ts";
import { type FieldPath, parseFieldPath, valueAt } from "../../krm/places/field-path.ts";
import { fileLineOf } from "../../krm/places/location.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { counted } from "../../krm/values/counted.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { and } from "../explain/amounts.ts";
import { type EventPart, nodeClaimOf, partsOf, type ReadEvent } from "../explain/read-events.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";
import { isPodBudget, pairNodes } from "../nodes/node-pairs.ts";
import { isHeldBy, type PodMaker, podMakersAmong } from "../nodes/pod-makers.ts";
import type { FoundPlace } from "./explain-answer.ts";

/** What nodes, pods and PodDisruptionBudgets are looked up in. */
export interface EventObjects {
  /** Every object of the files; of a cluster those that the events may name. */
  readonly all: readonly Resource[];
  readonly isLive: boolean;
  /** Kinds that the user may not read. */
  readonly unread: readonly string[];
}

export interface FoundIn {
  readonly places: readonly FoundPlace[];
  readonly notes: readonly string[];
}

export const NOTHING: FoundIn = { places: [], notes: [] };

/** At most this many places are given for each message; the rest is counted. */
export const PLACES = 10;

/** @param field for a field that is absent, the place of the object */
export function placeOf(resource: Resource, field: FieldPath, says: string): FoundPlace {
  return { object: describeResource(resource), says, ...fileLineOf(resource, field) };
}

export function looksOf({ message: { look } }: EventPart): readonly Look[] {
  return look === undefined ? [] : [look].flat();
}

/** What the answer about some events asks for beside pools and node classes. */
export function namedIn(events: readonly ReadEvent[]) {
  const parts = events.flatMap((event) => partsOf(event).parts.map((part) => ({ event, part })));
  const isAbout = (look: Look) => parts.some(({ part }) => looksOf(part).includes(look));
  const ofPods = parts.filter(({ part }) => looksOf(part).some((look) => look === "pod" || look === "pod-budgets"));
  return {
    nodes: events.some((event) => event.object?.kind === "Node" || nodeClaimOf(event) !== null),
    pods: new Set(ofPods.map(({ part, event }) => nameIn(podOf(part, event) ?? ""))),
    makers: ofPods.length > 0,
    podBudgets: isAbout("pod-budgets"),
  };
}

/** What events name of the objects, by name. */
const indexed = memoizeByObject((objects: readonly Resource[]) => {
  const pairs = pairNodes(objects);
  const makers = podMakersAmong(objects);
  const budgets = objects.filter(isPodBudget);
  return {
    nodes: Map.groupBy(pairs, ({ node }) => node?.name),
    claims: Map.groupBy(pairs, ({ claim }) => claim?.name),
    makers,
    makersByName: Map.groupBy(makers, ({ resource }) => resource.name),
    budgets,
    budgetsByName: Map.groupBy(budgets, ({ name }) => name),
  };
});

/** The Node and the NodeClaim that the event names. */
export function nodesOf(event: ReadEvent, objects: readonly Resource[] = []): readonly Resource[] {
  const { object } = event;
  const claim = nodeClaimOf(event);
  const node = object?.kind === "Node" ? object.name : null;
  const { nodes, claims } = indexed(objects);
  const pairs = [
    ...(node === null ? [] : (nodes.get(node) ?? [])),
    ...(claim === null ? [] : (claims.get(claim) ?? [])),
  ];
  return [...new Set(pairs.flatMap((pair) => [pair.node, pair.claim]))].filter((one) => one !== undefined);
}

export function fieldsOfNodes(fields: readonly string[], event: ReadEvent, objects: EventObjects): FoundIn {
  const nodes = nodesOf(event, objects.all);
  if (nodes.length === 0) return { places: [], notes: notAmong(["the node"], ["Node", "NodeClaim"], objects) };
  const places = nodes.map((one) => fieldsIn(one, fields));
  // The annotations and labels of one of the two decide.
  const present = places.filter((_, at) => fields.some((field) => isSet(nodes[at]!.value, field)));
  return { places: (present.length > 0 ? present : places).flat(), notes: [] };
}

function isSet(value: unknown, field: string): boolean {
  return valueAt(value, parseFieldPath(field) ?? []) !== undefined;
}

/** @param kinds those that were looked at: nothing is missing if one of them could not be read */
function notAmong(missing: readonly string[], kinds: readonly string[], { isLive, unread }: EventObjects): string[] {
  if (kinds.some((kind) => unread.includes(kind))) return [];
  return missing.map((what) => `${what} is not ${isLive ? "in the cluster now" : "among these manifests"}`);
}

/** The pods of the message or what makes them, and the PodDisruptionBudgets that hold them. */
export function ofPods(look: "pod" | "pod-budgets", part: EventPart, event: ReadEvent, objects: EventObjects): FoundIn {
  const pod = podOf(part, event);
  const makers = pod === null ? [] : podMakers(pod, objects.all);
  if (look === "pod") {
    const places = makers.map(({ resource, template }) => annotationOf(resource, template));
    return { places, notes: pod !== null && makers.length === 0 ? notAmong([`pod ${pod}`], ["Pod"], objects) : [] };
  }
  const { budgets, budgetsByName } = indexed(objects.all);
  const named = part.podBudgets.map((name) => ({
    name,
    found: (budgetsByName.get(nameIn(name)) ?? []).filter((one) => isIn(one, name)),
  }));
  const found =
    named.length > 0
      ? named.flatMap((one) => one.found)
      : budgets.filter((one) => makers.some((maker) => isHeldBy(maker, one)));
  const missing = named.filter((one) => one.found.length === 0).map(({ name }) => `PodDisruptionBudget ${name}`);
  return {
    places: found.slice(0, PLACES).flatMap((budget) => budgetPlaces(budget, objects.all)),
    notes: notAmong(missing, ["PodDisruptionBudget"], objects),
  };
}

/** `namespace/name`, or the name if the namespace is unknown. */
function podOf({ pod }: EventPart, { object }: ReadEvent): string | null {
  if (pod !== null || object?.kind !== "Pod") return pod;
  return object.namespace === null ? object.name : `${object.namespace}/${object.name}`;
}

/** What controllers append to the name of what they make: a number, or a hash and five characters. */
const OF_MAKER = /^-(?:\d+|(?:[a-z0-9]{1,10}-)?[a-z0-9]{5})$/;

/** The pod, and of the objects that may have made it those with the longest name. */
function podMakers(pod: string, objects: readonly Resource[]): readonly PodMaker[] {
  const { makersByName } = indexed(objects);
  const name = nameIn(pod);
  const ofName = (part: string): readonly PodMaker[] =>
    (makersByName.get(part) ?? []).filter(({ resource }) => isIn(resource, pod));
  const pods = ofName(name).filter(({ template }) => template.length === 0);
  const dashes = [...name.matchAll(/-/g)].map(({ index }) => index).toReversed();
  const makers = dashes
    .filter((dash) => OF_MAKER.test(name.slice(dash)))
    .map((dash) => ofName(name.slice(0, dash)).filter(({ template }) => template.length > 0));
  return [...pods, ...(makers.find((one) => one.length > 0) ?? [])];
}

/** Of `namespace/name`. */
function nameIn(full: string): string {
  return full.slice(full.indexOf("/") + 1);
}

/** A manifest without a namespace may be applied to any. */
function isIn({ value }: Resource, full: string): boolean {
  const namespace = textAt(value, ["metadata", "namespace"]);
  return namespace === undefined || !full.includes("/") || namespace === full.slice(0, full.indexOf("/"));
}

function annotationOf(resource: Resource, template: FieldPath): FoundPlace {
  const path = [...template, "metadata", "annotations", DO_NOT_DISRUPT];
  const value = valueAt(resource.value, path);
  if (value === undefined) return placeOf(resource, ["metadata", "name"], `has no annotation ${DO_NOT_DISRUPT}`);
  return placeOf(resource, path, `has the annotation ${DO_NOT_DISRUPT}: ${JSON.stringify(value)}`);
}

function budgetPlaces(budget: Resource, objects: readonly Resource[]): FoundPlace[] {
  const allowed = ["maxUnavailable", "minAvailable"].flatMap((field): FoundPlace[] => {
    const value = valueAt(budget.value, ["spec", field]);
    if (value === undefined) return [];
    const never = field === "maxUnavailable" ? [0, "0", "0%"].includes(value as number) : value === "100%";
    const says = `has ${field}: ${String(value)}${never ? ", which allows no eviction at any time" : ""}`;
    return [placeOf(budget, ["spec", field], says)];
  });
  const status = valueAt(budget.value, ["status", "disruptionsAllowed"]);
  const ofStatus =
    typeof status === "number"
      ? [placeOf(budget, ["status", "disruptionsAllowed"], `allows ${counted(status, "eviction")} by its status`)]
      : [];
  const bare = allowed.length === 0 ? [placeOf(budget, ["spec"], "has neither maxUnavailable nor minAvailable")] : [];
  const makers = indexed(objects).makers.filter((one) => one.template.length > 0 && isHeldBy(one, budget));
  const replicas = makers.flatMap(({ resource }) => {
    const value = valueAt(resource.value, ["spec", "replicas"]);
    if (value === undefined) return [];
    const least = valueAt(budget.value, ["spec", "minAvailable"]);
    const isTooFew = typeof value === "number" && typeof least === "number" && value <= least;
    const why = isTooFew ? `, so minAvailable: ${String(least)} allows no eviction` : "";
    return [placeOf(resource, ["spec", "replicas"], `has replicas: ${String(value)}${why}`)];
  });
  return [...allowed, ...bare, ...ofStatus, ...replicas];
}

/** The fields that are there; if there is none, that they are absent. */
export function fieldsIn(resource: Resource, fields: readonly string[]): FoundPlace[] {
  const places = fields.flatMap((field): FoundPlace[] => {
    const path = parseFieldPath(field) ?? [];
    const value = valueAt(resource.value, path);
    if (value === undefined) return [];
    // User data may hold secrets.
    const isShown = ["string", "number", "boolean"].includes(typeof value) && !field.endsWith("userData");
    return [placeOf(resource, path, isShown ? `has ${field}: ${String(value)}` : `has ${field}`)];
  });
  return places.length > 0 ? places : [placeOf(resource, ["metadata", "name"], `has no ${and(fields)}`)];
}
