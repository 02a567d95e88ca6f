/** One step for each object that has lost its wrapper: pruned only where no guard says no. */
import { describeResource } from "../../krm/resource.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { LiveObject } from "../api/live-object.ts";
import { claimOf } from "../inventory/claim.ts";
import { nothing, type PlanInput, type Step } from "./step.ts";
import { idOf } from "../../model/kube-object.ts";
import { once } from "../../model/once.ts";
import { rankOf, wrapperIdOf, wrapperKindOf } from "../../model/applied-kinds.ts";

export interface PruneOptions {
  /** Why nothing at all may be pruned: an error of reading or rendering. */
  readonly pruneBlocked: string | undefined;
  readonly allowEmpty: boolean;
  /** At most so many NodePools and EC2NodeClasses in one pass; above it none. */
  readonly maxPrune: number;
}

/** In the order of deleting: pools before the classes that they name, guards last. */
export function planPrune(input: PlanInput, known: ReadonlySet<string>, options: PruneOptions): Step[] {
  if (!input.wrappersKnown) return [];
  const rank = ({ kind }: LiveObject) => rankOf(kind);
  const candidates = input.live
    .filter((object) => !known.has(idOf(object)) && isOrphan(object, input, options))
    .toSorted((a, b) => rank(b) - rank(a) || (a.metadata.name < b.metadata.name ? -1 : 1));
  const facts: Facts = { input, options, users: once(() => poolsByClass(input)), kinds: once(() => kindsOf(input)) };
  const steps = candidates.map((object): Step => {
    const { kind, metadata } = object;
    const why = kept(object, facts);
    const step = { ...nothing(kind, metadata.name), live: object };
    if (why !== undefined) return { ...step, action: "keep", reason: why };
    const wrapper = wrapperKindOf(kind);
    const reason = wrapper === undefined ? "is no longer rendered" : `${wrapper} ${metadata.name} is gone`;
    return { ...step, action: "prune", reason };
  });
  return limited(steps, options.maxPrune);
}

/** Ours, and without what it was made of; one that is being deleted already needs nobody. Of all that it says itself nothing counts but that. */
function isOrphan(object: LiveObject, input: PlanInput, { pruneBlocked }: PruneOptions): boolean {
  const { kind, metadata } = object;
  if (claimOf(object, input) !== "known" || metadata.deletionTimestamp !== undefined) return false;
  const wrapper = wrapperIdOf(kind, metadata.name);
  // Which guards there are to be is known only where the settings are.
  return wrapper === undefined ? pruneBlocked === undefined : !input.wrappers.has(wrapper);
}

/** What is worked out once for all candidates, however many there are. */
interface Facts {
  readonly input: PlanInput;
  readonly options: PruneOptions;
  readonly users: () => ReadonlyMap<unknown, string>;
  /** Kinds of which a wrapper is there. */
  readonly kinds: () => ReadonlySet<string>;
}

/** A class that goes takes the nodes of its pools with it (Karpenter's finalizer waits for them): a pool of each, by its class. */
function poolsByClass({ desired, live, wrappers }: PlanInput): Map<unknown, string> {
  const staying = live.filter(({ metadata: pool }) => wrappers.has(`OpenshiftNodePool/${pool.name}`));
  const pools = [...desired, ...staying].filter(({ kind }) => kind === "NodePool");
  const classOf = (pool: unknown) => valueAt(pool, ["spec", "template", "spec", "nodeClassRef", "name"]);
  return new Map(pools.toReversed().map((pool) => [classOf(pool), pool.metadata.name]));
}

function kindsOf({ wrappers }: PlanInput): Set<string> {
  return new Set([...wrappers].map((id) => id.slice(0, id.indexOf("/"))));
}

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
    return `${name} stays: no wrapper was read; --allow-empty prunes all the same`;
  const doubt = options.allowEmpty ? undefined : doubtOf(object, input, kinds);
  if (doubt !== undefined) return `${name} stays: ${doubt}; --allow-empty prunes all the same`;
  const user = object.kind === "EC2NodeClass" ? users().get(object.metadata.name) : undefined;
  if (user !== undefined) return `${name} stays: NodePool ${user} still refers to it`;
  return undefined;
}

/** With a CRD all its objects go, and one that was made anew is empty: nobody meant any of them then. */
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
  return `no ${wrapper} was read, and whether somebody deleted its CustomResourceDefinition cannot be told`;
}

/** Half of a mass deletion is no better than all of it. */
function limited(steps: readonly Step[], maxPrune: number): Step[] {
  const counted = steps.filter(({ action, kind }) => action === "prune" && wrapperKindOf(kind) !== undefined);
  if (counted.length <= maxPrune) return [...steps];
  const reason = `prune-limit: ${counted.length} NodePools and EC2NodeClasses have lost their wrappers, more than --max-prune ${maxPrune}; none is pruned`;
  return steps.map((step) => (step.action === "prune" ? { ...step, action: "keep", reason } : step));
}
