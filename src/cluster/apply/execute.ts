/** Executes a plan in a guest cluster: order, preconditions, and the check of anp's own user. */
import { NODE_CLAIMS, type ServedKind } from "../api/served-kind.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { type Answer, type ApiError, failed, localError, succeeded } from "../api/api-answer.ts";
import { type ClusterApi, FIELD_MANAGER, type WriteOptions } from "../api/cluster-api.ts";
import { inParallel } from "../waiting/in-parallel.ts";
import { identityOf, type LiveObject, type ManagedFieldsEntry } from "../api/live-object.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { isApplyOfOurs, speaksOfSpec } from "../objects/field-owners.ts";
import { APPLIED_ANNOTATION, isAsApplied, selectorOfSet } from "../objects/membership.ts";
import { readQuota } from "../api/read-quota.ts";
import { stripApplied, stripManagedFields } from "../objects/strip-fields.ts";
import type { Step } from "../plan/step.ts";
import { APPLIED_KINDS, appliedKind, wrapperKindOf } from "../../model/objects/applied-kinds.ts";
import { INVENTORY_GUARD } from "../inventory/location.ts";

export interface StepResult {
  readonly step: Step;
  /** `none`: there was nothing to do. `skipped`: another failure, or the end of the run, came first. */
  readonly outcome: "done" | "none" | "failed" | "skipped";
  readonly error?: ApiError;
  /** The nodes of a pruned pool; undefined if unknown. */
  readonly nodes?: number;
  /** The object now; for a deleted one, only if finalizers keep it. */
  readonly live?: LiveObject;
  /** It was refused before, and its backoff has not ended: not tried in this pass. */
  readonly waits?: boolean;
}

export interface Executed {
  readonly results: readonly StepResult[];
  /** Why nothing was done: the admission policies would deny anp's user. */
  readonly refused: string | undefined;
}

export interface ExecuteOptions {
  readonly dryRun: boolean;
  readonly allowedWriters: readonly string[];
  readonly signal: AbortSignal;
  /** Something failed before: nothing is pruned. */
  readonly lacks?: boolean;
  /** Called before anything is done. Returns why no object of a wrapper may be created. */
  readonly register: () => Promise<ApiError | undefined>;
  /** Called before an object is deleted. */
  readonly announcePrune: (step: Step, nodes: number | undefined) => Promise<void>;
}

/** More requests at once would only wait in the queues of the API server. */
const AT_ONCE = 8;

export async function execute(steps: readonly Step[], api: ClusterApi, options: ExecuteOptions): Promise<Executed> {
  const refused = await writerProblem(steps, api, options.allowedWriters);
  if (refused !== undefined) return { results: steps.map((step) => ({ step, outcome: "skipped" })), refused };
  const unregistered = options.signal.aborted ? undefined : await options.register();
  const results = new Map<Step, StepResult>();
  for (const { kind } of APPLIED_KINDS) {
    const ofKind = steps.filter((step) => step.kind === kind && (step.action === "create" || step.action === "update"));
    await inParallel(ofKind, AT_ONCE, async (step) => {
      if (options.signal.aborted) results.set(step, { step, outcome: "skipped" });
      else if (unregistered !== undefined && isMadeOfWrapper(step))
        results.set(step, { step, outcome: "failed", error: unregistered });
      else results.set(step, resultOf(step, await writeObject(step, api, options)));
    });
  }
  // The inventory has it.
  for (const step of steps.filter(({ action }) => action === "release"))
    results.set(step, options.signal.aborted ? { step, outcome: "skipped" } : registered(step, unregistered));
  let failed = options.lacks === true || [...results.values()].some(({ outcome }) => outcome !== "done");
  for (const step of steps) {
    if (step.action !== "prune") continue;
    if (failed || options.signal.aborted) results.set(step, { step, outcome: "skipped" });
    else if (!isNamedByPruned(step, results)) {
      const result = await prune(step, api, options);
      failed = result.outcome === "failed";
      results.set(step, result);
    }
  }
  return { results: steps.map((step) => results.get(step) ?? { step, outcome: "none" }), refused: undefined };
}

function registered(step: Step, error: ApiError | undefined): StepResult {
  return error === undefined ? { step, outcome: "done" } : { step, outcome: "failed", error };
}

function isMadeOfWrapper({ action, kind }: Step): boolean {
  return action === "create" && wrapperKindOf(kind) !== undefined;
}

/** A class stays while a pruned pool that refers to it has finalizers, because such a pool still has nodes. */
function isNamedByPruned({ kind, name }: Step, results: ReadonlyMap<Step, StepResult>): boolean {
  const named = ["spec", "template", "spec", "nodeClassRef", "name"];
  const isOfPruned = ({ step, live }: StepResult) => step.action === "prune" && valueAt(live, named) === name;
  return kind === "EC2NodeClass" && [...results.values()].some(isOfPruned);
}

async function prune(step: Step, api: ClusterApi, options: ExecuteOptions): Promise<StepResult> {
  const live = step.live!;
  const nodes = step.kind === "NodePool" ? await nodesOfPool(live, api) : undefined;
  await options.announcePrune(step, nodes);
  const removed = await api.remove(appliedKind(step.kind), identityOf(live), { dryRun: options.dryRun });
  const counted = nodes === undefined ? {} : { nodes };
  if (!removed.ok) return { step, outcome: "failed", error: removed.error, ...counted };
  const kept = removed.value === undefined || options.dryRun ? {} : { live: stripApplied(removed.value) };
  return { step, outcome: "done", ...counted, ...kept };
}

function resultOf(step: Step, answer: Answer<LiveObject>): StepResult {
  return answer.ok
    ? { step, outcome: "done", live: stripApplied(answer.value) }
    : { step, outcome: "failed", error: answer.error };
}

/** By its status, or by counting NodeClaims; undefined if both are unknown. */
async function nodesOfPool(pool: LiveObject, api: ClusterApi): Promise<number | undefined> {
  // Newer CRDs default `nodes` to 0, which an older Karpenter never updates.
  const counts = [valueAt(pool.status, ["nodes"]), valueAt(pool.status, ["resources", "nodes"])]
    .filter((count) => count !== undefined)
    .map(Number);
  if (counts.length > 0 && counts.every(Number.isInteger)) return Math.max(...counts);
  const claims = await api.list(NODE_CLAIMS, {
    labelSelector: `karpenter.sh/nodepool=${pool.metadata.name}`,
    budget: readQuota(),
    keep: stripManagedFields,
  });
  return claims.ok ? claims.value.items.length : undefined;
}

/** Excluded by every admission policy (docs/upstream/hypershift.md#admission-policy). */
const OPERATOR = "system:hosted-cluster-config";

/** Not the guard of NodeClaims: anp writes none. */
const GUARDS = ["karpenter.nodepool.hypershift.io", "karpenter.ec2nodeclass.hypershift.io", INVENTORY_GUARD];

/** Why nothing may be applied; undefined if the policies allow anp's user. */
async function writerProblem(
  steps: readonly Step[],
  api: ClusterApi,
  allowedWriters: readonly string[],
): Promise<string | undefined> {
  if (!steps.some(({ kind, name }) => kind === "ValidatingAdmissionPolicy" && GUARDS.includes(name))) return undefined;
  if (!steps.some(({ action }) => action === "create" || action === "update" || action === "prune")) return undefined;
  const answer = await api.whoAmI();
  const hint =
    "add the user to RenderConfig.spec.admission.allowedWriters, or use the credentials of system:hosted-cluster-config";
  if (!answer.ok)
    return `nothing is applied: anp cannot find out its own user in the guest cluster (${answer.error.message}), and the admission policies might deny it; ${hint}`;
  if (answer.value === OPERATOR || allowedWriters.includes(answer.value)) return undefined;
  return `nothing is applied: the admission policies would not allow ${answer.value} to write NodePools and EC2NodeClasses; ${hint}`;
}

/** @param step with a desired object */
async function writeObject(
  { kind: name, desired, live, whole }: Step,
  api: ClusterApi,
  { dryRun }: WriteOptions,
): Promise<Answer<LiveObject>> {
  const kind = appliedKind(name);
  if (live === undefined) return createObject(kind, desired!, api, dryRun);
  const replaced = whole ? await replaceObject(kind, live, desired!, api, dryRun) : undefined;
  if (replaced?.ok === false) return replaced;
  return api.apply(kind, desired!, { dryRun, force: true, uid: live.metadata.uid });
}

/** An object that another writer created in the meantime stays, also that of another watch, which has the same field manager. */
async function createObject(
  kind: ServedKind,
  desired: KubeObject,
  api: ClusterApi,
  dryRun: boolean,
): Promise<Answer<LiveObject>> {
  const made = await api.apply(kind, desired, { dryRun, force: false, isNew: true });
  if (made.ok || made.error.kind !== "conflict") return made;
  // The request may have been sent twice, or another replica may have created the same object.
  const labelSelector = selectorOfSet(desired);
  const ours = await api.list(kind, { labelSelector, budget: readQuota(), keep: stripApplied });
  if (!ours.ok) return ours;
  const same = ours.value.items.find((live) => isAsApplied(live, desired));
  return same === undefined
    ? failed(localError("conflict", "another writer has created it in the meantime"))
    : succeeded(same);
}

/**
 * Writes exactly the desired spec, whatever the managedFields say, and then repairs managedFields. Applying does the
 * rest. Without any entry the API server would give all fields, with defaults, to its manager `before-first-apply` for
 * ever (k8s.io/apimachinery `pkg/util/managedfields/internal/skipnonapplied.go`).
 */
async function replaceObject(
  kind: ServedKind,
  live: LiveObject,
  desired: KubeObject,
  api: ClusterApi,
  dryRun: boolean,
): Promise<Answer<LiveObject>> {
  const replaced = await api.replaceSpec(kind, identityOf(live), desired.spec, { dryRun });
  // A dry run has written nothing: the next request would read the old object.
  if (!replaced.ok || dryRun) return replaced;
  const others = (replaced.value.metadata.managedFields ?? []).filter(
    (entry) => !isApplyOfOurs(entry) && !speaksOfSpec(entry),
  );
  return api.replaceManagedFields(kind, identityOf(replaced.value), [...others, ours(desired)], { dryRun });
}

/** A minimal entry, which applying completes. */
function ours({ apiVersion }: KubeObject): ManagedFieldsEntry {
  const annotations = { [`f:${APPLIED_ANNOTATION}`]: {} };
  const fieldsV1 = { "f:metadata": { "f:annotations": annotations } };
  return { manager: FIELD_MANAGER, operation: "Apply", apiVersion, fieldsType: "FieldsV1", fieldsV1 };
}
