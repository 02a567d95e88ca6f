/** Reads the guest cluster: the kinds that anp applies, then live wrappers. */
import type { MalformedObject } from "../api/check-object.ts";
import type { ClusterApi, ListOptions } from "../api/cluster-api.ts";
import type { ReadQuota } from "../api/read-quota.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { ReadProblem } from "../objects/read-problem.ts";
import { crdNameOf, CUSTOM_RESOURCE_DEFINITIONS, type ServedKind, WRAPPER_KINDS } from "../api/served-kind.ts";
import { isListed } from "../inventory/inventory.ts";
import { type InventoryReading, knownIn } from "../inventory/read-inventory.ts";
import { stripApplied, stripWrapper } from "../objects/strip-fields.ts";
import { idOf } from "../../model/objects/kube-object.ts";
import { APPLIED_KINDS, wrapperIdOf, wrapperKindOf } from "../../model/objects/applied-kinds.ts";

export interface GuestSide extends LiveApplied {
  readonly wrappers: readonly LiveObject[];
  /**
   * When the CRD of a kind of wrappers was created, or deleted (RFC 3339): all wrappers before that are lost. Undefined if
   * the CRD cannot be read. Only for kinds of which a wrapper is missing.
   */
  readonly wrappersSince: ReadonlyMap<string, string | undefined>;
}

export interface LiveApplied {
  readonly live: readonly LiveObject[];
  /** Kinds that could not be listed: objects of them can be neither applied nor pruned. */
  readonly unread: ReadonlySet<string>;
  readonly problems: readonly ReadProblem[];
  /** Listed items that are not valid objects of their kind. */
  readonly malformed: readonly MalformedObject[];
}

/** @param budget for all reads of the cluster in this pass */
export async function readApplied(api: ClusterApi, budget: ReadQuota): Promise<LiveApplied> {
  const { items, problems, malformed } = await listAll(api, APPLIED_KINDS, { budget, keep: stripApplied });
  return { live: items, problems, malformed, unread: new Set(problems.map(({ kind }) => kind)) };
}

/**
 * Reads wrappers after applied objects, never before or in parallel. Otherwise an object that another replica creates for
 * a new wrapper in between would look like an orphan.
 */
export async function readWrappers(
  api: ClusterApi,
  applied: LiveApplied,
  inventory: InventoryReading,
  budget: ReadQuota,
): Promise<GuestSide> {
  const { items: wrappers, problems, malformed } = await listAll(api, WRAPPER_KINDS, { budget, keep: stripWrapper });
  const unread = new Set([...applied.unread, ...problems.map(({ kind }) => kind)]);
  const known = new Set(wrappers.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const ours = knownIn(inventory);
  const without = applied.live
    .filter((one) => isListed(ours, idOf(one)) && !known.has(wrapperIdOf(one.kind, one.metadata.name) ?? ""))
    .map(({ kind }) => wrapperKindOf(kind));
  const doubted = WRAPPER_KINDS.filter(({ kind }) => without.includes(kind) && !unread.has(kind));
  const since = await Promise.all(
    doubted.map(async (served) => [served.kind, await servedSince(api, served)] as const),
  );
  return {
    ...applied,
    unread,
    wrappers,
    wrappersSince: new Map(since),
    problems: [...applied.problems, ...problems],
    malformed: [...applied.malformed, ...malformed],
  };
}

/** Deleting a CRD deletes all its objects, and a new CRD has none. In both cases missing wrappers do not mean that pools must go. */
async function servedSince(api: ClusterApi, served: ServedKind): Promise<string | undefined> {
  const answer = await api.get(CUSTOM_RESOURCE_DEFINITIONS, crdNameOf(served));
  if (!answer.ok || answer.value === undefined) return undefined;
  const { creationTimestamp, deletionTimestamp } = answer.value.metadata;
  return deletionTimestamp ?? creationTimestamp;
}

async function listAll(api: ClusterApi, kinds: readonly ServedKind[], options: ListOptions) {
  const malformed = new Map<string, MalformedObject>();
  const given = {
    ...options,
    onMalformed: (one: MalformedObject) => void malformed.set(`${one.kind}/${one.name ?? ""}`, one),
  };
  const answers = await Promise.all(
    kinds.map(async ({ kind, ...rest }) => ({ kind, answer: await api.list({ kind, ...rest }, given) })),
  );
  const items = answers.flatMap(({ answer }) => (answer.ok ? answer.value.items : []));
  const problems = answers.flatMap(({ kind, answer }): ReadProblem[] =>
    answer.ok ? [] : [{ side: "guest", kind, error: answer.error }],
  );
  return {
    // If an object is listed twice, the true one is unknown.
    items: items.filter((object) => !malformed.has(idOf(object))),
    problems,
    malformed: [...malformed.values()],
  };
}
