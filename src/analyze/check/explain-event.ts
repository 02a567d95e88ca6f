/** `anp explain --event`: what an event means, and which lines of the manifests decide. */
import type { Look } from "../../karpenter/events/messages.ts";
import { selects } from "../../karpenter/scheduling/label-selector.ts";
import { activityOf, type Budget, letsNothingThrough } from "../../karpenter/disruption/disruption-budget.ts";
import { type FieldPath, parseFieldPath, valueAt } from "../../krm/places/field-path.ts";
import { fileLineOf } from "../../krm/places/location.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { counted } from "../../krm/values/counted.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import { podSpecPath } from "../../model/objects/pod.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { DEFAULT_BUDGETS } from "../../model/pools/disruption-reasons.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import { and } from "../explain/amounts.ts";
import { describeClusters } from "../explain/describe-clusters.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import type { PoolExplanation } from "../explain/explanation.ts";
import type { DescribedDemand, DescribedPool } from "../explain/pool-answer.ts";
import { type EventPart, nodeClaimOf, partsOf, type ReadEvent } from "../explain/read-events.ts";
import { missedWords } from "../explain/why-no-nodes.ts";
import { usedOf } from "../explain/pool-limits.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";
import { isPodBudget, pairNodes } from "../nodes/node-pairs.ts";
import type { DescribedEvent, DescribedPart, FoundPlace } from "./explain-answer.ts";

/** A pool of the manifests, with what `anp explain` says of it. */
interface KnownPool {
  readonly described: DescribedPool;
  readonly resolved: ResolvedPool;
  readonly noNodes: PoolExplanation["noNodes"];
}

export interface KnownObjects {
  readonly pools: ReadonlyMap<string, readonly KnownPool[]>;
  readonly all: readonly KnownPool[];
  readonly nodeClasses: readonly Resource[];
  /** Every object of the files, for nodes, pods and PodDisruptionBudgets; undefined for a cluster. */
  readonly objects: readonly Resource[] | undefined;
}

/** At most this many places are given for each message; the rest is counted. */
const PLACES = 10;

export function knownObjects(
  clusters: readonly ExplainedCluster[],
  objects: readonly Resource[] | undefined,
): KnownObjects {
  const all = clusters.flatMap((cluster) =>
    describeClusters([cluster], undefined).map((described, at): KnownPool => {
      const { pool, noNodes } = cluster.explanations[at]!;
      return { described, resolved: pool, noNodes };
    }),
  );
  const nodeClasses = clusters.flatMap(({ bundle }) => bundle.nodeClasses);
  return { pools: Map.groupBy(all, ({ resolved }) => resolved.name), all, nodeClasses, objects };
}

/** @param known undefined if no manifests were read */
export function explainEvent(event: ReadEvent, known: KnownObjects | undefined): DescribedEvent {
  const { parts, unknown } = partsOf(event);
  const { text, reason, object, count } = event;
  return { text, reason, object, count, parts: parts.map((part) => describePart(part, event, known)), unknown };
}

function describePart(part: EventPart, event: ReadEvent, known: KnownObjects | undefined): DescribedPart {
  const { message, text, pod, count } = part;
  const pool = part.pool ?? poolOfNodes(event, known) ?? poolOfNodeClaim(nodeClaimOf(event), known);
  const looks = message.look === undefined ? [undefined] : [message.look].flat();
  const found =
    known === undefined ? NOTHING : joined(looks.map((look) => foundBy(look, { ...part, pool }, event, known)));
  const places = found.places.slice(0, PLACES);
  const more = found.places.length - places.length;
  const notes = [...found.notes, ...(more === 0 ? [] : [`and ${counted(more, "more place")}`])];
  const { id, means, change = "" } = message;
  const poolRead = pool === null || known === undefined ? null : known.pools.has(pool);
  return { message: id, text, count, pool, poolRead, pod, means, change, places, notes };
}

function poolOfNodes(event: ReadEvent, known: KnownObjects | undefined): string | null {
  const [first] = nodesOf(event, known?.objects);
  return textAt(first?.value, ["metadata", "labels", "karpenter.sh/nodepool"]) ?? null;
}

/** Karpenter names a NodeClaim by its pool and five more characters. */
function poolOfNodeClaim(name: string | null, known: KnownObjects | undefined): string | null {
  const pool = name?.slice(0, name.lastIndexOf("-")) ?? "";
  return known?.pools.has(pool) === true ? pool : null;
}

interface FoundIn {
  readonly places: readonly FoundPlace[];
  readonly notes: readonly string[];
}

const NOTHING: FoundIn = { places: [], notes: [] };

function foundBy(look: Look | undefined, part: EventPart, event: ReadEvent, known: KnownObjects): FoundIn {
  if (look === "pod" || look === "pod-budgets") return ofPods(look, part, event, known.objects);
  if (typeof look === "object" && look.of === "node") return fieldsOfNodes(look, event, known.objects);
  const pools = part.pool === null ? [] : (known.pools.get(part.pool) ?? []);
  if (part.pool !== null && pools.length === 0) return { places: [], notes: [noSuchPool(part.pool, known)] };
  if (look === undefined) return NOTHING;
  if (typeof look === "object")
    return look.of === "pool" ? fieldsOfPools(look, pools) : fieldsOfClasses(look, pools, event, known);
  const candidates = part.pool === null ? known.all : pools;
  switch (look) {
    case "taint":
      return taintIn(candidates, part);
    case "label":
      return labelIn(candidates, part);
    case "requirement":
      return requirementIn(candidates, part);
    case "types":
      return all(pools, (pool) => typesOf(pool, part));
    case "limits":
      return all(pools, limitsOf);
    case "min-values":
      return all(pools, (pool) => minValuesOf(pool, part));
    case "budgets":
      return all(pools, (pool) => budgetsOf(pool, part));
  }
}

function noSuchPool(name: string, { pools }: KnownObjects): string {
  const nearest = nearestWord(name, [...pools.keys()], 3);
  return `these manifests have no pool ${name}${nearest === undefined ? "" : `: did you mean ${nearest}?`}`;
}

function lacks(pools: readonly KnownPool[], what: string): string {
  const [one] = pools;
  if (one === undefined) return "these manifests have no pool";
  return `${pools.length === 1 ? `pool ${one.resolved.name}` : `each of the ${String(pools.length)} pools of these manifests`} lacks ${what}`;
}

function all(pools: readonly KnownPool[], find: (pool: KnownPool) => FoundIn): FoundIn {
  return joined(pools.map(find));
}

function joined(found: readonly FoundIn[]): FoundIn {
  return { places: found.flatMap(({ places }) => places), notes: found.flatMap(({ notes }) => notes) };
}

/** @param field for a field that is absent, the place of the object */
function placeOf(resource: Resource, field: FieldPath, says: string): FoundPlace {
  return { object: describeResource(resource), says, ...fileLineOf(resource, field) };
}

function ofEntry({ resolved }: KnownPool, { key, from, requirement, file, line }: DescribedDemand): FoundPlace {
  const says = `${ASKS[from]} ${key} ${requirement}`;
  return { object: describeResource(resolved.wrapper), says, file, line };
}

const ASKS = {
  user: "asks for",
  policy: "is asked by the policy for",
  class: "is asked by its node class for",
  label: "labels its nodes",
} as const;

function entriesOn({ described }: KnownPool, key: string): readonly DescribedDemand[] {
  return described.requirements.find((one) => one.key === key)?.entries ?? [];
}

function taintIn(pools: readonly KnownPool[], { taint }: EventPart): FoundIn {
  if (taint === null) return NOTHING;
  const places = pools.flatMap(({ described, resolved }) =>
    described.taints.flatMap((one, at) =>
      one === taint
        ? [placeOf(resolved.wrapper, ["spec", "template", "spec", "taints", at], `has the taint ${taint}`)]
        : [],
    ),
  );
  const note = `${lacks(pools, `the taint ${taint}`)}: the manifests are not what runs, or the taint is of a node`;
  return { places, notes: places.length > 0 ? [] : [note] };
}

function labelIn(pools: readonly KnownPool[], { keys: [key] }: EventPart): FoundIn {
  if (key === undefined) return NOTHING;
  const places = pools.flatMap((pool) => entriesOn(pool, key).map((entry) => ofEntry(pool, entry)));
  if (places.length > 0) return { places, notes: [`pools with the label ${key} are not the cause, others may be`] };
  const here = pools.length === 1 ? pools.map(({ resolved }) => resolved.wrapper) : [];
  return {
    places: here.map((wrapper) => placeOf(wrapper, ["spec", "template"], `has no label and no entry ${key}`)),
    notes: [`${lacks(pools, `the label ${key}`)}, so pods that ask for it get no node`],
  };
}

/** Without a pool in the message, its requirement tells which pools may be meant. */
function requirementIn(pools: readonly KnownPool[], { keys: [key], existing }: EventPart): FoundIn {
  if (key === undefined || existing === null) return NOTHING;
  const meant = pools.filter(({ described }) =>
    described.requirements.some((one) => one.key === key && one.effective === existing),
  );
  const places = meant.flatMap((pool) => entriesOn(pool, key).map((entry) => ofEntry(pool, entry)));
  const what = `the requirement ${key} ${existing}`;
  const note = `${lacks(pools, what)}: the manifests are not what runs, or other pods of the node narrow it`;
  return { places, notes: places.length > 0 ? [] : [note] };
}

/** What the pool leaves without any pod, and what the message asks for beyond the pool. */
function typesOf(pool: KnownPool, { requirements }: EventPart): FoundIn {
  const { described, resolved, noNodes } = pool;
  const { compatible, total } = described.instanceTypes;
  const left =
    total === 0
      ? "its instance types are unknown"
      : `leaves ${String(compatible)} of ${counted(total, "instance type")}`;
  const ofPool = new Map(described.requirements.map(({ key, effective }) => [key, effective]));
  const beyond = [...requirements].filter(([key, requirement]) => !IMPLIED.has(key) && ofPool.get(key) !== requirement);
  const asked = and(beyond.map(([key, requirement]) => `${key} ${requirement}`));
  const deciding = described.conflict.length > 0 ? described.conflict : described.eliminated.slice(0, DECIDING);
  return {
    places: [
      placeOf(resolved.wrapper, ["metadata", "name"], `is ${described.verdict} without any pod: ${left}`),
      ...noNodes.map(({ place, message }) => placeOf(place.resource, place.path, message)),
      ...deciding.map((entry) => ofEntry(pool, entry)),
    ],
    notes: beyond.length === 0 ? [] : [`beyond pool ${resolved.name}, pods, volumes or spread ask for ${asked}`],
  };
}

/** The entries that exclude most types. */
const DECIDING = 3;

/** Karpenter adds them to the requirements of each pool. */
const IMPLIED: ReadonlySet<string> = new Set([
  "karpenter.sh/nodepool",
  "karpenter.sh/provisioner-name",
  "karpenter.k8s.aws/ec2nodeclass",
  "kubernetes.io/hostname",
]);

function limitsOf({ described, resolved }: KnownPool): FoundIn {
  const { wrapper, name } = resolved;
  const used = usedOf(resolved);
  const limits = Object.entries(resolved.spec.limits ?? {});
  const places = limits.map(([resource, limit]) => {
    const inUse = used?.[resource] === undefined ? "" : `, of which ${String(used[resource])} are in use by its status`;
    const excludes = described.limits?.find((one) => one.resource === resource)?.types ?? 0;
    const alone = excludes === 0 ? "" : `; an empty pool has ${counted(excludes, "instance type")} above it`;
    return placeOf(wrapper, ["spec", "limits", resource], `limit ${resource} ${String(limit)}${inUse}${alone}`);
  });
  const notes =
    limits.length === 0
      ? [`pool ${name} has no limits: the manifests are not what runs`]
      : used === undefined
        ? [USE_UNKNOWN]
        : [];
  return { places, notes };
}

const USE_UNKNOWN = "how much of the limits the nodes use was not looked at: manifests do not have it, `--live` does";

function minValuesOf(pool: KnownPool, { keys }: EventPart): FoundIn {
  const { described, resolved } = pool;
  const places = described.requirements
    .filter(({ key }) => keys.length === 0 || keys.includes(key))
    .flatMap(({ entries }) => entries.filter(({ requirement }) => requirement.includes(" minValues ")))
    .map((entry) => ofEntry(pool, entry));
  const missed = described.minValuesMissed.map(missedWords);
  const notes = missed.map((words) => `pool ${resolved.name} without any pod: ${words}`);
  return {
    places,
    notes: places.length > 0 ? notes : [`${lacks([pool], "minValues")}: the manifests are not what runs`],
  };
}

/** Karpenter reports a budget only if it is 0 itself, not if nodes use it up (docs/upstream/karpenter.md#budgets). */
function budgetsOf(pool: KnownPool, { disruption }: EventPart): FoundIn {
  const { described, resolved } = pool;
  const { budgets = DEFAULT_BUDGETS } = resolved.given.disruption ?? {};
  const places = budgets.flatMap((budget: Budget, at): FoundPlace[] => {
    const counts = disruption === null || (budget.reasons?.some((reason) => reason === disruption) ?? true);
    const isUnreadable = activityOf(budget).when === "error";
    if (!isUnreadable && !(counts && letsNothingThrough(budget))) return [];
    const says = isUnreadable ? "has a budget that Karpenter cannot read, which counts as 0" : budgetWords(budget);
    return [placeOf(resolved.wrapper, ["spec", "disruption", "budgets", at], says)];
  });
  const found = [...places, ...boundsOf(described, ["spec.disruption.budgets"])];
  const note = `${lacks([pool], "a budget of 0 for this")}: the manifests are not what runs`;
  return { places: found, notes: found.length > 0 ? [] : [note] };
}

function budgetWords({ reasons, schedule, duration }: Budget): string {
  const when = schedule === undefined ? "at any time" : `from ${schedule} (UTC) for ${String(duration)}`;
  return `lets no node go ${when}${reasons === undefined ? "" : ` for ${and(reasons)}`}`;
}

/** What a RenderConfig sets in place of the pool. */
function boundsOf({ bounds = [] }: DescribedPool, fields: readonly string[]): FoundPlace[] {
  return bounds
    .filter(({ field }) => fields.some((one) => field.startsWith(one)))
    .map(({ field, value, by }) => ({ object: "RenderConfig", says: `sets ${field} ${value}`, ...by }));
}

type Fields = Extract<Look, object>;

function fieldsOfPools({ fields }: Fields, pools: readonly KnownPool[]): FoundIn {
  return all(pools, ({ described, resolved }) => ({
    places: [...fieldsIn(resolved.wrapper, fields), ...boundsOf(described, fields)],
    notes: [],
  }));
}

/** The class that the event names, or that of the pools. */
function fieldsOfClasses(
  { fields }: Fields,
  pools: readonly KnownPool[],
  { object }: ReadEvent,
  { nodeClasses }: KnownObjects,
): FoundIn {
  const isNamed = object !== null && object.kind.endsWith("EC2NodeClass");
  const names = new Set(isNamed ? [object.name] : pools.map(({ resolved }) => resolved.nodeClassRef.name));
  const found = nodeClasses.filter(({ name }) => names.has(name));
  const missing = [...names].filter((name) => !found.some((one) => one.name === name));
  const places = found.flatMap((one) => fieldsIn(one, fields));
  const notes = missing.map((name) => `node class ${name} is not among these manifests`);
  return { places, notes };
}

/** What events name of the objects, by name. */
const indexed = memoizeByObject((objects: readonly Resource[]) => {
  const pairs = pairNodes(objects);
  const makers = objects.flatMap((resource): PodMaker[] => {
    const path = podSpecPath(resource);
    return path === undefined ? [] : [{ resource, template: path.slice(0, -1) }];
  });
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
function nodesOf(event: ReadEvent, objects: readonly Resource[] = []): readonly Resource[] {
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

function fieldsOfNodes({ fields }: Fields, event: ReadEvent, objects: readonly Resource[] | undefined): FoundIn {
  const nodes = nodesOf(event, objects);
  if (nodes.length === 0) return { places: [], notes: notAmong(["the node is"], objects) };
  const places = nodes.map((one) => fieldsIn(one, fields));
  // The annotations and labels of one of the two decide.
  const present = places.filter((_, at) => fields.some((field) => isSet(nodes[at]!.value, field)));
  return { places: (present.length > 0 ? present : places).flat(), notes: [] };
}

function isSet(value: unknown, field: string): boolean {
  return valueAt(value, parseFieldPath(field) ?? []) !== undefined;
}

function notAmong(missing: readonly string[], objects: readonly Resource[] | undefined): string[] {
  // A cluster is not asked for them.
  return objects === undefined ? [] : missing.map((what) => `${what} not among these manifests`);
}

/** The pods of the message or what makes them, and the PodDisruptionBudgets that hold them. */
function ofPods(
  look: "pod" | "pod-budgets",
  part: EventPart,
  { object }: ReadEvent,
  objects: readonly Resource[] | undefined,
): FoundIn {
  if (objects === undefined) return NOTHING;
  const ofEvent = object?.kind === "Pod" ? [object.namespace, object.name].filter((one) => one !== null) : [];
  const pod = part.pod ?? (ofEvent.length === 0 ? null : ofEvent.join("/"));
  const makers = pod === null ? [] : podMakers(pod, objects);
  if (look === "pod") {
    const places = makers.map(({ resource, template }) => annotationOf(resource, template));
    return { places, notes: pod !== null && makers.length === 0 ? notAmong([`pod ${pod} is`], objects) : [] };
  }
  const { budgets, budgetsByName } = indexed(objects);
  const named = part.podBudgets.map((name) => ({
    name,
    found: (budgetsByName.get(nameIn(name)) ?? []).filter((one) => isIn(one, name)),
  }));
  const found =
    named.length > 0
      ? named.flatMap((one) => one.found)
      : budgets.filter((one) => makers.some((maker) => holds(one, maker)));
  const missing = named.filter((one) => one.found.length === 0).map(({ name }) => `PodDisruptionBudget ${name} is`);
  return {
    places: found.slice(0, PLACES).flatMap((budget) => budgetPlaces(budget, objects)),
    notes: notAmong(missing, objects),
  };
}

/** A pod, or an object that makes pods. */
interface PodMaker {
  readonly resource: Resource;
  /** The path of the pod's metadata and spec. */
  readonly template: FieldPath;
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

function holds({ value }: Resource, { resource, template }: PodMaker): boolean {
  const namespaces = [value, resource.value].map((one) => textAt(one, ["metadata", "namespace"]));
  const isSame = namespaces.includes(undefined) || namespaces[0] === namespaces[1];
  const labels = textsAt(resource.value, [...template, "metadata", "labels"]);
  return isSame && selects(valueAt(value, ["spec", "selector"]), labels);
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
  const makers = indexed(objects).makers.filter((one) => one.template.length > 0 && holds(budget, one));
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
function fieldsIn(resource: Resource, fields: readonly string[]): FoundPlace[] {
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
