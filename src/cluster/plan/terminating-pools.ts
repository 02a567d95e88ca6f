/** Applies the policy to NodePools without a wrapper while finalizers keep them in the cluster. */
import { admitBounds, boundedFieldsOf } from "../../guard/admit-bounds.ts";
import { admitPool } from "../../guard/admit-pool.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { type Fields, isFields } from "../../krm/values/fields.ts";
import { sameValue } from "../../krm/values/canonical.ts";
import { appliedKind, wrapperIdOf } from "../../model/objects/applied-kinds.ts";
import { idOf, type KubeObject } from "../../model/objects/kube-object.ts";
import { marks } from "../../model/objects/marks.ts";
import { POLICY_END, POLICY_END_ENTRY } from "../../model/requirements/policy-end.ts";
import { MAX_REQUIREMENTS, type NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { MAX_KEPT } from "../../resolve/guarded-list.ts";
import { BLOCKER } from "../../resolve/guarded-list.ts";
import type { LiveObject } from "../api/live-object.ts";
import { isListed, type Known } from "../inventory/inventory.ts";
import { isBeingDeleted } from "../../model/objects/being-deleted.ts";
import type { ReadableCluster, RenderedInputs } from "./render-cluster.ts";

/**
 * Karpenter still manages the nodes of such a pool, and replaces drifted nodes of a static pool by the pool's own
 * template (docs/upstream/karpenter.md#pools-that-are-being-deleted).
 */
export function withTerminatingPools(
  rendered: RenderedInputs,
  live: readonly LiveObject[],
  known: Known,
): RenderedInputs {
  const { cluster, decision, gateOff, unreadable, wrappers, held } = rendered;
  if (cluster === undefined || decision.mode === "Hold" || gateOff || unreadable !== undefined) return rendered;
  const going = live.filter(
    (object) =>
      object.kind === "NodePool" &&
      isBeingDeleted(object) &&
      isListed(known, idOf(object)) &&
      known.get(idOf(object))?.uid === object.metadata.uid &&
      !wrappers.has(wrapperIdOf(object.kind, object.metadata.name)!) &&
      !held.has(idOf(object)),
  );
  const desired = going.flatMap((pool) => tightened(pool, cluster.inputs) ?? []);
  return desired.length === 0 ? rendered : { ...rendered, desired: [...rendered.desired, ...desired] };
}

/** As the guard changes a pool that is older than the policy. Undefined if the pool has the policy and the bounds. */
function tightened(pool: LiveObject, { policy, settings }: ReadableCluster["inputs"]): KubeObject | undefined {
  const requirements = listOf(pool, policy.requirements);
  const asked = boundedFieldsOf(pool);
  const bounded = admitBounds(settings.config, asked, settings.profile, asked);
  const set = "set" in bounded ? bounded.set.map((field) => [field, bounded.stored[field]] as const) : [];
  if (requirements === undefined && set.length === 0) return undefined;
  const { budgets, ...times } = Object.fromEntries(set);
  const { template = {}, disruption } = (pool.spec ?? {}) as { template?: Fields; disruption?: Fields };
  const spec = { ...(template["spec"] as Fields), ...times, ...(requirements && { requirements }) };
  return {
    apiVersion: appliedKind("NodePool").apiVersion,
    kind: "NodePool",
    metadata: { name: pool.metadata.name, ...marks("OpenshiftNodePool", pool.metadata.name) },
    spec: {
      ...pool.spec,
      template: { ...template, spec },
      ...(budgets && { disruption: { ...disruption, budgets } }),
    },
  };
}

/** Undefined if the pool has all requirements of the policy. */
function listOf(pool: LiveObject, policy: readonly NodeSelectorRequirement[]): unknown[] | undefined {
  const list = valueAt(pool, ["spec", "template", "spec", "requirements"]);
  const requirements = (Array.isArray(list) ? list.filter(isFields) : []) as unknown as NodeSelectorRequirement[];
  if (policy.every((entry) => requirements.some((one) => sameValue(one, entry)))) return undefined;
  const put = [...policy, POLICY_END_ENTRY, BLOCKER];
  const own = requirements.filter((one) => !put.some((entry) => sameValue(one, entry)));
  const labels = valueAt(pool, ["spec", "template", "metadata", "labels"]);
  const isStatic = valueAt(pool, ["spec", "replicas"]) !== undefined;
  const asked = { requirements: own, labels: (isFields(labels) ? labels : {}) as Record<string, string>, isStatic };
  // Like an older pool under a new policy: never refused, and blocked if it would bypass the policy.
  const admitted = admitPool(policy, asked, asked);
  const hasRoom = "stored" in admitted && own.length + policy.length <= MAX_KEPT;
  // Without room, drop the pool's own requirements, as rendering does.
  return hasRoom
    ? admitted.stored.filter(({ key }) => key !== POLICY_END)
    : [...policy.slice(0, MAX_REQUIREMENTS - 1), BLOCKER];
}
