/** Reads the guest cluster: the kinds that anp applies, then the wrappers where they are live. */
import type { ClusterApi, ListOptions } from "../api/cluster-api.ts";
import type { ReadBudget } from "../api/read-budget.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { ReadProblem } from "../objects/read-problem.ts";
import {
  crdNameOf,
  CUSTOM_RESOURCE_DEFINITIONS,
  OPENSHIFT_EC2_NODE_CLASSES,
  OPENSHIFT_NODE_POOLS,
  type ServedKind,
} from "../api/served-kind.ts";
import type { InventoryReading } from "../inventory/read-inventory.ts";
import { neededOfApplied, neededOfWrapper } from "../objects/needed-parts.ts";
import { idOf } from "../../model/kube-object.ts";
import { APPLIED_KINDS, wrapperIdOf, wrapperKindOf } from "../../model/applied-kinds.ts";

export interface GuestSide extends LiveApplied {
  readonly wrappers: readonly LiveObject[];
  /**
   * Since when the cluster has kept wrappers of a kind without losing them all (RFC 3339); undefined where nobody may
   * tell. Only of kinds of which a wrapper is missing.
   */
  readonly wrappersSince: ReadonlyMap<string, string | undefined>;
}

export interface LiveApplied {
  readonly live: readonly LiveObject[];
  /** Kinds of which nobody knows what is there: objects of them can be neither applied nor pruned. */
  readonly unread: ReadonlySet<string>;
  readonly problems: readonly ReadProblem[];
}

const WRAPPERS = [OPENSHIFT_NODE_POOLS, OPENSHIFT_EC2_NODE_CLASSES];

/** @param budget of all that is read of the cluster in this pass */
export async function readApplied(api: ClusterApi, budget: ReadBudget): Promise<LiveApplied> {
  const { items, problems } = await listAll(api, APPLIED_KINDS, { budget, keep: neededOfApplied });
  return { live: items, problems, unread: new Set(problems.map(({ kind }) => kind)) };
}

/**
 * After what was applied, never before or beside it: what another replica makes of a wrapper that came in between would
 * look as if it had lost its wrapper.
 */
export async function readWrappers(
  api: ClusterApi,
  applied: LiveApplied,
  inventory: InventoryReading,
  budget: ReadBudget,
): Promise<GuestSide> {
  const { items: wrappers, problems } = await listAll(api, WRAPPERS, { budget, keep: neededOfWrapper });
  const unread = new Set([...applied.unread, ...problems.map(({ kind }) => kind)]);
  const known = new Set(wrappers.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const ours = inventory.state === "known" ? inventory.known : new Map<string, unknown>();
  const without = applied.live
    .filter((object) => ours.has(idOf(object)) && !known.has(wrapperIdOf(object.kind, object.metadata.name) ?? ""))
    .map(({ kind }) => wrapperKindOf(kind));
  const doubted = WRAPPERS.filter(({ kind }) => without.includes(kind) && !unread.has(kind));
  const since = await Promise.all(
    doubted.map(async (served) => [served.kind, await servedSince(api, served)] as const),
  );
  return {
    ...applied,
    unread,
    wrappers,
    wrappersSince: new Map(since),
    problems: [...applied.problems, ...problems],
  };
}

/** Who deletes a CRD deletes all objects of the kind, one by one; one that was made anew is empty. Neither says what is meant. */
async function servedSince(api: ClusterApi, served: ServedKind): Promise<string | undefined> {
  const answer = await api.get(CUSTOM_RESOURCE_DEFINITIONS, crdNameOf(served));
  if (!answer.ok || answer.value === undefined) return undefined;
  const { creationTimestamp, deletionTimestamp } = answer.value.metadata;
  return deletionTimestamp ?? creationTimestamp;
}

async function listAll(api: ClusterApi, kinds: readonly ServedKind[], options: ListOptions) {
  const answers = await Promise.all(
    kinds.map(async ({ kind, ...rest }) => ({ kind, answer: await api.list({ kind, ...rest }, options) })),
  );
  const items = answers.flatMap(({ answer }) => (answer.ok ? answer.value.items : []));
  const problems = answers.flatMap(({ kind, answer }): ReadProblem[] =>
    answer.ok ? [] : [{ side: "guest", kind, error: answer.error }],
  );
  return { items, problems };
}
