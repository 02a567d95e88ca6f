/** Carries out a plan in a guest cluster: the order, the preconditions and who we are. */
import { NODE_CLAIMS } from "../api/served-kind.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { Answer, ApiError } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { inParallel } from "../waiting/in-parallel.ts";
import { identityOf, type LiveObject } from "../api/live-object.ts";
import { readBudget } from "../api/read-budget.ts";
import { neededOfApplied, withoutOwners } from "../objects/needed-parts.ts";
import { makeNew } from "./make-new.ts";
import { writeWhole } from "./write-whole.ts";
import { refusalOf } from "./excluded-writer.ts";
import type { Step } from "../plan/step.ts";
import { APPLIED_KINDS, appliedKind, wrapperKindOf } from "../../model/applied-kinds.ts";

export interface StepResult {
  readonly step: Step;
  /** `none`: there was nothing to do. `skipped`: another failure, or the end, came first. */
  readonly outcome: "done" | "none" | "failed" | "skipped";
  readonly error?: ApiError;
  /** Of a pool that is pruned; undefined where nobody can tell. */
  readonly nodes?: number;
  /** As it is now. */
  readonly live?: LiveObject;
  /** It was refused before, and not tried in this pass. */
  readonly waits?: boolean;
}

export interface Executed {
  readonly results: readonly StepResult[];
  /** Why nothing at all was done: the admission policies would lock us out. */
  readonly refused: string | undefined;
}

export interface ExecuteOptions {
  readonly dryRun: boolean;
  readonly allowedWriters: readonly string[];
  readonly signal: AbortSignal;
  /** Something is not as it should be already: nothing is pruned. */
  readonly lacks?: boolean;
  /** Told before anything is done. Out comes why nothing may be made of what has no reserved name. */
  readonly register: () => Promise<ApiError | undefined>;
  /** Told before an object is deleted. */
  readonly announcePrune: (step: Step, nodes: number | undefined) => Promise<void>;
}

/** An API server answers many at once; more would only wait in its queues. */
const AT_ONCE = 8;

export async function execute(steps: readonly Step[], api: ClusterApi, options: ExecuteOptions): Promise<Executed> {
  const refused = await refusalOf(steps, api, options.allowedWriters);
  if (refused !== undefined) return { results: steps.map((step) => ({ step, outcome: "skipped" })), refused };
  const unregistered = options.signal.aborted ? undefined : await options.register();
  const results = new Map<Step, StepResult>();
  for (const { kind } of APPLIED_KINDS) {
    const ofKind = steps.filter((step) => step.kind === kind && (step.action === "create" || step.action === "update"));
    await inParallel(ofKind, AT_ONCE, async (step) => {
      if (options.signal.aborted) results.set(step, { step, outcome: "skipped" });
      else if (unregistered !== undefined && isMadeOfWrapper(step))
        results.set(step, { step, outcome: "failed", error: unregistered });
      else results.set(step, await write(step, api, options));
    });
  }
  let failed = options.lacks === true || [...results.values()].some(({ outcome }) => outcome !== "done");
  for (const step of steps) {
    if (step.action !== "prune") continue;
    const result: StepResult =
      failed || options.signal.aborted ? { step, outcome: "skipped" } : await prune(step, api, options);
    failed ||= result.outcome === "failed";
    results.set(step, result);
  }
  return { results: steps.map((step) => results.get(step) ?? { step, outcome: "none" }), refused: undefined };
}

function isMadeOfWrapper({ action, kind }: Step): boolean {
  return action === "create" && wrapperKindOf(kind) !== undefined;
}

async function write(step: Step, api: ClusterApi, { dryRun }: ExecuteOptions): Promise<StepResult> {
  const kind = appliedKind(step.kind);
  const desired = step.desired!;
  if (step.live === undefined) return resultOf(step, await makeNew(kind, desired, api, { dryRun }));
  if (step.whole) {
    const replaced = await writeWhole(kind, step.live, desired, api, { dryRun });
    if (!replaced.ok) return resultOf(step, replaced);
  }
  const { uid } = step.live.metadata;
  return resultOf(step, await api.apply(kind, desired, { dryRun, force: true, uid }));
}

async function prune(step: Step, api: ClusterApi, options: ExecuteOptions): Promise<StepResult> {
  const live = step.live!;
  const nodes = step.kind === "NodePool" ? await nodesOfPool(live, api) : undefined;
  await options.announcePrune(step, nodes);
  const removed = await api.remove(appliedKind(step.kind), identityOf(live), { dryRun: options.dryRun });
  const counted = nodes === undefined ? {} : { nodes };
  if (!removed.ok) return { step, outcome: "failed", error: removed.error, ...counted };
  return { step, outcome: "done", ...counted };
}

function resultOf(step: Step, answer: Answer<LiveObject>): StepResult {
  return answer.ok
    ? { step, outcome: "done", live: neededOfApplied(answer.value) }
    : { step, outcome: "failed", error: answer.error };
}

/** By its status, else its NodeClaims counted; undefined where nobody can tell. */
async function nodesOfPool(pool: LiveObject, api: ClusterApi): Promise<number | undefined> {
  // Newer CRDs give `nodes` the default 0, which a Karpenter that does not count there leaves.
  const told = [valueAt(pool.status, ["nodes"]), valueAt(pool.status, ["resources", "nodes"])]
    .filter((count) => count !== undefined)
    .map(Number);
  if (told.length > 0 && told.every(Number.isInteger)) return Math.max(...told);
  const claims = await api.list(NODE_CLAIMS, {
    labelSelector: `karpenter.sh/nodepool=${pool.metadata.name}`,
    budget: readBudget(),
    keep: withoutOwners,
  });
  return claims.ok ? claims.value.items.length : undefined;
}
