/** `anp explain --event`: what an event means, and which lines of the manifests decide. */
import type { Look } from "../../karpenter/events/messages.ts";
import { activityOf, type Budget, letsNothingThrough } from "../../karpenter/disruption/disruption-budget.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { counted } from "../../krm/values/counted.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
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
import {
  type EventObjects,
  fieldsIn,
  fieldsOfNodes,
  type FoundIn,
  looksOf,
  nodesOf,
  NOTHING,
  ofPods,
  placeOf,
  PLACES,
} from "./event-objects.ts";
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
  readonly objects: EventObjects;
}

export function knownObjects(clusters: readonly ExplainedCluster[], objects: EventObjects): KnownObjects {
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
  const looks = message.look === undefined ? [undefined] : looksOf(part);
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
  const [first] = nodesOf(event, known?.objects.all);
  return textAt(first?.value, ["metadata", "labels", "karpenter.sh/nodepool"]) ?? null;
}

/** Karpenter names a NodeClaim by its pool and five more characters. */
function poolOfNodeClaim(name: string | null, known: KnownObjects | undefined): string | null {
  const pool = name?.slice(0, name.lastIndexOf("-")) ?? "";
  return known?.pools.has(pool) === true ? pool : null;
}

function foundBy(look: Look | undefined, part: EventPart, event: ReadEvent, known: KnownObjects): FoundIn {
  if (look === "pod" || look === "pod-budgets") return ofPods(look, part, event, known.objects);
  if (typeof look === "object" && look.of === "node") return fieldsOfNodes(look.fields, event, known.objects);
  const pools = part.pool === null ? [] : (known.pools.get(part.pool) ?? []);
  if (part.pool !== null && pools.length === 0) return { places: [], notes: [noSuchPool(part.pool, known)] };
  if (look === undefined) return NOTHING;
  if (typeof look === "object")
    return look.of === "pool" ? fieldsOfPools(look, pools) : fieldsOfClasses(look, pools, event, known);
  const candidates = part.pool === null ? known.all : pools;
  switch (look) {
    case "taint":
      return taintIn(candidates, part, known);
    case "label":
      return labelIn(candidates, part);
    case "requirement":
      return requirementIn(candidates, part, known);
    case "types":
      return all(pools, (pool) => typesOf(pool, part));
    case "limits":
      return all(pools, (pool) => limitsOf(pool, known));
    case "min-values":
      return all(pools, (pool) => minValuesOf(pool, part, known));
    case "budgets":
      return all(pools, (pool) => budgetsOf(pool, part, known));
  }
}

function noSuchPool(name: string, { pools, objects }: KnownObjects): string {
  const nearest = nearestWord(name, [...pools.keys()], 3);
  return `${objects.isLive ? "the cluster has" : "these manifests have"} no pool ${name}${nearest === undefined ? "" : `: did you mean ${nearest}?`}`;
}

function lacks(pools: readonly KnownPool[], what: string): string {
  const [one] = pools;
  if (one === undefined) return "no pool was read";
  return `${pools.length === 1 ? `pool ${one.resolved.name}` : `each of the ${String(pools.length)} pools`} lacks ${what}`;
}

/** Why a message may speak of what is not there. */
function notWhatRan({ objects }: KnownObjects): string {
  return objects.isLive ? "it has changed since" : "the manifests are not what runs";
}

function all(pools: readonly KnownPool[], find: (pool: KnownPool) => FoundIn): FoundIn {
  return joined(pools.map(find));
}

function joined(found: readonly FoundIn[]): FoundIn {
  return { places: found.flatMap(({ places }) => places), notes: found.flatMap(({ notes }) => notes) };
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

function taintIn(pools: readonly KnownPool[], { taint }: EventPart, known: KnownObjects): FoundIn {
  if (taint === null) return NOTHING;
  const places = pools.flatMap(({ described, resolved }) =>
    described.taints.flatMap((one, at) =>
      one === taint
        ? [placeOf(resolved.wrapper, ["spec", "template", "spec", "taints", at], `has the taint ${taint}`)]
        : [],
    ),
  );
  const note = `${lacks(pools, `the taint ${taint}`)}: ${notWhatRan(known)}, or the taint is of a node`;
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
function requirementIn(
  pools: readonly KnownPool[],
  { keys: [key], existing }: EventPart,
  known: KnownObjects,
): FoundIn {
  if (key === undefined || existing === null) return NOTHING;
  const meant = pools.filter(({ described }) =>
    described.requirements.some((one) => one.key === key && one.effective === existing),
  );
  const places = meant.flatMap((pool) => entriesOn(pool, key).map((entry) => ofEntry(pool, entry)));
  const what = `the requirement ${key} ${existing}`;
  const note = `${lacks(pools, what)}: ${notWhatRan(known)}, or other pods of the node narrow it`;
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

function limitsOf({ described, resolved }: KnownPool, known: KnownObjects): FoundIn {
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
      ? [`pool ${name} has no limits: ${notWhatRan(known)}`]
      : used === undefined
        ? [known.objects.isLive ? USE_NOT_WRITTEN : USE_UNKNOWN]
        : [];
  return { places, notes };
}

const USE_NOT_WRITTEN =
  "how much of the limits the nodes use is unknown: Karpenter has not written it in the status of the pool";
const USE_UNKNOWN = "how much of the limits the nodes use was not looked at: manifests do not have it, `--live` does";

function minValuesOf(pool: KnownPool, { keys }: EventPart, known: KnownObjects): FoundIn {
  const { described, resolved } = pool;
  const places = described.requirements
    .filter(({ key }) => keys.length === 0 || keys.includes(key))
    .flatMap(({ entries }) => entries.filter(({ requirement }) => requirement.includes(" minValues ")))
    .map((entry) => ofEntry(pool, entry));
  const missed = described.minValuesMissed.map(missedWords);
  const notes = missed.map((words) => `pool ${resolved.name} without any pod: ${words}`);
  return {
    places,
    notes: places.length > 0 ? notes : [`${lacks([pool], "minValues")}: ${notWhatRan(known)}`],
  };
}

/** Karpenter reports a budget only if it is 0 itself, not if nodes use it up (docs/upstream/karpenter.md#budgets). */
function budgetsOf(pool: KnownPool, { disruption }: EventPart, known: KnownObjects): FoundIn {
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
  const note = `${lacks([pool], "a budget of 0 for this")}: ${notWhatRan(known)}`;
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

function fieldsOfPools({ fields }: Exclude<Look, string>, pools: readonly KnownPool[]): FoundIn {
  return all(pools, ({ described, resolved }) => ({
    places: [...fieldsIn(resolved.wrapper, fields), ...boundsOf(described, fields)],
    notes: [],
  }));
}

/** The class that the event names, or that of the pools. */
function fieldsOfClasses(
  { fields }: Exclude<Look, string>,
  pools: readonly KnownPool[],
  { object }: ReadEvent,
  { nodeClasses, objects }: KnownObjects,
): FoundIn {
  const isNamed = object !== null && object.kind.endsWith("EC2NodeClass");
  const names = new Set(isNamed ? [object.name] : pools.map(({ resolved }) => resolved.nodeClassRef.name));
  const found = nodeClasses.filter(({ name }) => names.has(name));
  const missing = [...names].filter((name) => !found.some((one) => one.name === name));
  const places = found.flatMap((one) => fieldsIn(one, fields));
  const notes = missing.map(
    (name) => `node class ${name} is not ${objects.isLive ? "in the cluster now" : "among these manifests"}`,
  );
  return { places, notes };
}
