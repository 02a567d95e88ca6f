/** Plans orphans: an object that has lost its wrapper is pruned unless a safeguard keeps it. */
import { describeResource } from "../../krm/places/resource.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import type { LiveObject } from "../api/live-object.ts";
import { ownershipOf } from "../inventory/ownership.ts";
import { deletionWords, isBeingDeleted } from "../../model/objects/being-deleted.ts";
import { isAdopted, nothing, type PlanInput, type Step } from "./step.ts";
import { idOf } from "../../model/objects/kube-object.ts";
import { memoize } from "../../model/schema/memoize.ts";
import { rankOf, wrapperIdOf, wrapperKindOf } from "../../model/objects/applied-kinds.ts";
import { carriesOurSet, isManagedByOperator } from "../objects/membership.ts";

export interface PlanOptions {
  /** Objects that the user adopts: `NodePool/web`, or `web` for objects of all kinds. */
  readonly adopt: ReadonlySet<string>;
  /** An error of reading or rendering, because of which nothing is pruned. */
  readonly pruneBlocked: string | undefined;
  readonly allowEmpty: boolean;
  /** The most NodePools and EC2NodeClasses in one pass. If more are orphans, none is pruned. */
  readonly maxPrune: number;
  /** Whether users may write NodePools (`nodePools: Raw`): one without a wrapper is theirs, and none is pruned. */
  readonly rawNodePools?: boolean;
}

/** In the order of deletion: pools before the classes that they refer to, guards last. */
export function planPrune(input: PlanInput, known: ReadonlySet<string>, options: PlanOptions): Step[] {
  if (!input.wrappersKnown) return [];
  const rank = ({ kind }: LiveObject) => rankOf(kind);
  const candidates = input.live
    .filter((object) => !known.has(idOf(object)) && isOrphan(object, input, options))
    .toSorted((a, b) => rank(b) - rank(a) || (a.metadata.name < b.metadata.name ? -1 : 1));
  const facts: Facts = {
    input,
    options,
    users: memoize(() => poolsByClass(input, options)),
    kinds: memoize(() => kindsOf(input)),
  };
  const steps = candidates.map((object): Step => {
    const { kind, metadata } = object;
    const why = kept(object, facts);
    const step = { ...nothing(kind, metadata.name), live: object };
    const going = deletionWords(object);
    if (going !== undefined) return { ...step, action: "going", reason: going };
    if (mayBeReleased(object, options)) return { ...step, action: "release", reason: RELEASED };
    if (input.inventory?.get(idOf(object))?.repaired === true) return unconfirmed(step, options.adopt);
    if (why !== undefined) return { ...step, action: "keep", reason: why };
    const wrapper = wrapperKindOf(kind);
    const reason = wrapper === undefined ? "is no longer rendered" : `${wrapper} ${metadata.name} is gone`;
    return { ...step, action: "prune", reason };
  });
  return limited(steps, options.maxPrune);
}

/** An error may hide its wrapper. Then it stays anp's, and is not pruned either. */
function mayBeReleased({ kind }: LiveObject, { rawNodePools = false, pruneBlocked }: PlanOptions): boolean {
  return kind === "NodePool" && rawNodePools && pruneBlocked === undefined;
}

const RELEASED = "its OpenshiftNodePool is gone, so the NodePool is its users' now: anp neither changes nor deletes it";

/** Marks can be forged, so a user must confirm it. A confirmed object is pruned in the next pass, with the same safeguards. */
function unconfirmed(step: Omit<Step, "action"> & { readonly live: LiveObject }, adopt: ReadonlySet<string>): Step {
  const takesIn = isAdopted(step.live, adopt);
  const name = describeResource(step);
  const reason = takesIn
    ? `${name} is confirmed to be anp's`
    : `${name} stays: its entry in the inventory was repaired, and only its own marks say that anp made it`;
  const advice = takesIn ? "" : `--adopt ${idOf(step.live)} confirms it`;
  return { ...step, action: "keep", takesIn, unconfirmed: !takesIn, reason, advice };
}

/** Owned by anp and without its wrapper. Marks on the object do not count. */
function isOrphan(object: LiveObject, input: PlanInput, { pruneBlocked }: PlanOptions): boolean {
  const { kind, metadata } = object;
  if (ownershipOf(object, input) !== "known") return false;
  const wrapper = wrapperIdOf(kind, metadata.name);
  // Without settings, the desired guards are unknown.
  return wrapper === undefined ? pruneBlocked === undefined : !input.wrappers.has(wrapper);
}

/** Computed once for all candidates. */
interface Facts {
  readonly input: PlanInput;
  readonly options: PlanOptions;
  readonly users: () => ReadonlyMap<unknown, string>;
  /** Kinds of which a wrapper exists. */
  readonly kinds: () => ReadonlySet<string>;
}

/**
 * One pool for each class in use. Deleting a class deletes the nodes of its pools (Karpenter's finalizer waits for them).
 * A pool that is being deleted still has nodes, and one that anp does not prune keeps its nodes.
 */
function poolsByClass(input: PlanInput, { rawNodePools = false }: PlanOptions): Map<unknown, string> {
  const { desired, live, wrappers } = input;
  const stays = (pool: LiveObject): boolean =>
    rawNodePools || wrappers.has(`OpenshiftNodePool/${pool.metadata.name}`) || isBeingDeleted(pool);
  const staying = live.filter((pool) => stays(pool) || ownershipOf(pool, input) === "foreign");
  const pools = [...desired, ...staying].filter(({ kind }) => kind === "NodePool");
  const classOf = (pool: unknown) => valueAt(pool, ["spec", "template", "spec", "nodeClassRef", "name"]);
  return new Map(pools.toReversed().map((pool) => [classOf(pool), pool.metadata.name]));
}

function kindsOf({ wrappers }: PlanInput): Set<string> {
  return new Set([...wrappers].map((id) => id.slice(0, id.indexOf("/"))));
}

/** Each guard is for a case that happens (docs/decisions/0012-guards-of-pruning.md). */
function kept(object: LiveObject, { input, options, users, kinds }: Facts): string | undefined {
  const { wrappers } = input;
  const name = describeResource({ kind: object.kind, name: object.metadata.name });
  const annotation = (key: string) => valueAt(object, ["metadata", "annotations", key]);
  if (annotation("cli-utils.sigs.k8s.io/on-remove") === "keep")
    return `${name} stays: its annotation cli-utils.sigs.k8s.io/on-remove says keep`;
  if (annotation("client.lifecycle.config.k8s.io/deletion") === "detach")
    return `${name} stays: its annotation client.lifecycle.config.k8s.io/deletion says detach`;
  if (options.pruneBlocked !== undefined) return `${name} stays: ${options.pruneBlocked}`;
  if (wrappers.size === 0 && !options.allowEmpty)
    return `${name} stays: no wrapper was read; --allow-empty prunes it anyway`;
  const doubt = options.allowEmpty ? undefined : doubtOf(object, input, kinds);
  if (doubt !== undefined) return `${name} stays: ${doubt}; --allow-empty prunes it anyway`;
  const user = object.kind === "EC2NodeClass" ? users().get(object.metadata.name) : undefined;
  if (user !== undefined) return `${name} stays: NodePool ${user} still refers to it`;
  return undefined;
}

/** Deleting a CRD deletes all its objects, and a new CRD has none: the user did not delete the wrappers one by one. */
function doubtOf(
  { kind, metadata }: LiveObject,
  { wrappersSince }: PlanInput,
  kinds: Facts["kinds"],
): string | undefined {
  const wrapper = wrapperKindOf(kind);
  if (wrapper === undefined || wrappersSince?.has(wrapper) !== true) return undefined;
  const since = wrappersSince.get(wrapper);
  if (since !== undefined) {
    const isOlder = Date.parse(metadata.creationTimestamp ?? "") < Date.parse(since);
    return isOlder
      ? `the CustomResourceDefinition of ${wrapper} was deleted since, and all wrappers with it`
      : undefined;
  }
  if (kinds().has(wrapper)) return undefined;
  return `no ${wrapper} was read, and anp cannot check whether its CustomResourceDefinition was deleted`;
}

/** Above the limit, keep all: half of a mass deletion is no better than all of it. */
function limited(steps: readonly Step[], maxPrune: number): Step[] {
  const counted = steps.filter(({ action, kind }) => action === "prune" && wrapperKindOf(kind) !== undefined);
  if (counted.length <= maxPrune) return [...steps];
  const reason = `prune-limit: ${counted.length} NodePools and EC2NodeClasses have lost their wrappers, more than --max-prune ${maxPrune}; none is pruned`;
  return steps.map((step) => (step.action === "prune" ? { ...step, action: "keep", reason } : step));
}

/**
 * One step for each such object without a wrapper. If the user adopts it, it is an orphan like others: the next pass
 * prunes it, with the same safeguards.
 */
export function planUnclaimed(input: PlanInput, planned: ReadonlySet<string>, options: PlanOptions): Step[] {
  const { adopt, rawNodePools = false } = options;
  if (!input.wrappersKnown) return [];
  // A released pool keeps its marks.
  const isUsers = (live: LiveObject): boolean => rawNodePools && input.inventory?.get(idOf(live))?.released === true;
  return input.live
    .filter((live) => !planned.has(idOf(live)) && isUnclaimed(live, input) && !isUsers(live))
    .map((live): Step => {
      const { kind, metadata } = live;
      const { name } = metadata;
      const takesIn = isAdopted(live, adopt);
      const reason = takesIn
        ? `${describeResource({ kind, name })} is added to the inventory`
        : `${describeResource({ kind, name })} has anp's marks and no wrapper, and is not in the inventory: it is neither changed nor deleted`;
      const advice = takesIn ? "" : `--adopt ${kind}/${name} adds it`;
      return { ...nothing(kind, name), action: "unclaimed", live, takesIn, reason, advice };
    });
}

function isUnclaimed(live: LiveObject, input: PlanInput): boolean {
  if (!carriesOurSet(live, input.setId)) return false;
  if (isManagedByOperator(live)) return false;
  return ownershipOf(live, input) === "foreign";
}
