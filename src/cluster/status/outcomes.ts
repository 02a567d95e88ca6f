/** The outcomes of a pass, which log, Ready, events, metrics, dashboard and exit code use. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import { describeResource } from "../../krm/places/resource.ts";
import { deletionWords } from "../../model/objects/being-deleted.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { MalformedObject } from "../api/check-object.ts";
import { isRefused } from "../apply/apply-backoff.ts";
import type { Executed, StepResult } from "../apply/execute.ts";
import type { CrdState } from "../crds/install-crds.ts";
import { type InventoryReading, repairWords } from "../inventory/read-inventory.ts";
import type { NodeLimitsResult } from "../limits/node-limits.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import type { FieldDifference } from "../plan/compare-live.ts";
import { describeMalformed } from "../plan/hold.ts";
import type { PoolConflict } from "../plan/render-cluster.ts";
import type { StepAction } from "../plan/step.ts";
import type { OutsidePool } from "./pool-verdicts.ts";

/**
 * - `ok`: everything is applied
 * - `held`: something is not applied or not pruned on purpose
 * - `failed`: a request to a cluster failed
 */
export type PassResult = "ok" | "held" | "failed";

type Severity = "none" | "info" | "warning" | "error";

interface StateFacts {
  /** In the log and on the dashboard. */
  readonly words: string;
  /** The same in a dry run, for a state that a change of the pass led to. */
  readonly would?: string;
  readonly severity: Severity;
  /** Of a pass with such an object; `ok` if it is left out. */
  readonly result?: PassResult;
  /** The reason of its event. */
  readonly event?: string;
  /** The reason of a policy that is not Ready because of it. If there is an event too, its wrapper has that as reason. */
  readonly notReady?: "ApplyFailed" | "ForeignObject" | "WrapperHeld" | "ManagedByOperator";
  /** Its state in the metric anp_objects (docs/watch.md); an object without one is gone. */
  readonly metric?: "applied" | "pending" | "held" | "kept" | "contested" | "foreign" | "operator" | "going" | "failed";
  /** Where the dashboard counts it; `held` if it is left out, and `changed` after any change. */
  readonly column?: "inSync" | "changed" | "held" | "foreign" | "failed";
  /** Where the summary of the log counts it. */
  readonly counter?: Exclude<keyof Counts, "drift">;
  /** anp does not own the object. */
  readonly isOfOthers?: true;
}

/** For an object that a step is about, the state is the action unless something else counts more. */
const OBJECT_STATES = {
  create: {
    words: "created",
    would: "would be created",
    severity: "info",
    event: "Applied",
    metric: "applied",
    counter: "created",
  },
  update: {
    words: "updated",
    would: "would be updated",
    severity: "info",
    event: "Applied",
    metric: "applied",
    counter: "updated",
  },
  prune: { words: "deleted", would: "would be deleted", severity: "info", counter: "pruned" },
  "in-sync": { words: "in sync", severity: "none", metric: "applied", column: "inSync", counter: "inSync" },
  hold: {
    words: "held",
    severity: "warning",
    result: "held",
    event: "Held",
    notReady: "WrapperHeld",
    metric: "held",
    counter: "held",
  },
  keep: {
    words: "not pruned",
    severity: "warning",
    result: "held",
    event: "PruneBlocked",
    metric: "kept",
    counter: "kept",
  },
  "foreign-object": {
    words: "foreign object",
    severity: "warning",
    result: "held",
    event: "ForeignObject",
    notReady: "ForeignObject",
    metric: "foreign",
    column: "foreign",
    counter: "foreign",
    isOfOthers: true,
  },
  unclaimed: {
    words: "not in the inventory",
    severity: "warning",
    event: "Unclaimed",
    metric: "foreign",
    isOfOthers: true,
  },
  "managed-by-operator": {
    words: "managed by operator",
    severity: "none",
    metric: "operator",
    column: "inSync",
    isOfOthers: true,
  },
  /** Managed by the operator, and not as anp would render it. */
  differs: {
    words: "managed by operator",
    severity: "warning",
    result: "held",
    notReady: "ManagedByOperator",
    metric: "operator",
    isOfOthers: true,
  },
  going: { words: "being deleted", severity: "info", metric: "going", column: "changed" },
  release: { words: "released", would: "would be released", severity: "info", event: "Released", isOfOthers: true },
  /** A class that stays while a pruned pool with finalizers refers to it. */
  used: { words: "in sync", severity: "none" },
  contested: {
    words: "double writer",
    severity: "warning",
    result: "held",
    event: "DoubleWriter",
    metric: "contested",
  },
  skipped: {
    words: "not reached",
    severity: "warning",
    result: "held",
    notReady: "ApplyFailed",
    metric: "pending",
    column: "failed",
  },
  failed: {
    words: "failed",
    severity: "error",
    result: "failed",
    event: "ApplyFailed",
    notReady: "ApplyFailed",
    metric: "failed",
    column: "failed",
    counter: "failed",
  },
} satisfies Record<StepAction, StateFacts> & Record<string, StateFacts>;

const STATES = {
  ...OBJECT_STATES,
  refused: { words: "refused", severity: "error", result: "failed" },
  unusable: { words: "not usable", severity: "warning", result: "held" },
  repaired: { words: "inventory repaired", severity: "warning" },
  unwritten: { words: "not written", severity: "warning" },
  bypass: { words: "", severity: "none", event: "PolicyBypassed" },
  conflict: { words: "", severity: "none", event: "RequirementsConflict" },
  "no-nodes": { words: "gets no nodes", severity: "warning", event: "NoInstanceTypes" },
  outside: { words: "outside the policy", severity: "warning", event: "OutsidePolicy" },
  "near-limit": { words: "near its node limit", severity: "info" },
  "over-limit": { words: "node limit not kept", severity: "warning" },
  surplus: { words: "surplus node deleted", would: "surplus node would be deleted", severity: "warning" },
  "surplus-left": { words: "surplus node not deleted", severity: "error" },
} satisfies Record<string, StateFacts>;

export type State = keyof typeof STATES;

export const factsOf = (state: State): StateFacts => STATES[state];

export interface Outcome {
  /** `NodePool web`; empty if it is about the whole pass. */
  readonly about: string;
  readonly kind: string;
  readonly name: string;
  /** Only of a CustomResourceDefinition. */
  readonly side?: CrdState["side"];
  readonly state: State;
  /** The state without failures and other writers. */
  readonly planned: State;
  readonly words: string;
  readonly severity: Severity;
  readonly result: PassResult;
  /** Empty if there is no reason. For operators: it ends with advice for them. */
  readonly why: string;
  /** The same for users of the guest cluster, without the advice. */
  readonly whyForUsers: string;
  /** Another anp keeps undoing the writes of this one; empty if none does. */
  readonly writerConflict: string;
  /** Since when the object is being deleted, and which finalizers keep it. */
  readonly deletion: string | undefined;
  /** What the pass did, or would do: `created`, `would be created`. */
  readonly change: string | undefined;
  readonly differences: readonly Difference[];
  /** Those of them that other writers changed. */
  readonly drift: readonly Difference[];
  /** More facts for the log. */
  readonly fields?: LogEntry["fields"];
  /** Undefined if no step is about it. */
  readonly step?: StepResult;
}

type Difference = Pick<FieldDifference, "field" | "owner">;

export interface PassFacts {
  readonly executed: Executed;
  readonly conflicts: readonly PoolConflict[];
  readonly verdicts: readonly JudgedPool[];
  readonly usersOutside: readonly OutsidePool[];
  readonly crds: readonly CrdState[];
  readonly nodeLimits: Pick<NodeLimitsResult, "pools" | "failures">;
  readonly malformed: readonly MalformedObject[];
  readonly inventory: InventoryReading;
  readonly dryRun: boolean;
}

/** Everything that happened in a pass or was found, but what could not be written afterwards. */
export function outcomesOf(pass: PassFacts): Outcome[] {
  const { executed, conflicts, verdicts, usersOutside, nodeLimits, malformed, inventory, dryRun } = pass;
  const reasons = new Set(executed.results.map(({ step }) => step.reason));
  const unusable = malformed.map(describeMalformed).filter((words) => !reasons.has(words));
  const repaired = repairWords(inventory);
  const limits = nodeLimits.pools.flatMap(({ pool, limit, nodes, budget, surplus, kept }): Outcome[] => {
    const more = { kind: "NodePool", name: pool, fields: { limit, nodes, budget, surplus: surplus || undefined } };
    if (kept.length > 0) return [outcome("over-limit", { ...more, why: kept.join("; ") })];
    return budget === undefined ? [] : [outcome("near-limit", more)];
  });
  const deleted = nodeLimits.pools.flatMap((pool) =>
    pool.deleted.map(({ name, why }) => {
      const fields = { pool: pool.pool, nodes: pool.nodes, limit: pool.limit };
      return outcome("surplus", { kind: "NodeClaim", name, why, fields, change: changeOf("surplus", dryRun) });
    }),
  );
  const left = nodeLimits.failures.map(({ name, error: { message } }) =>
    outcome("surplus-left", { kind: "NodeClaim", name, why: message }),
  );
  return [
    ...pass.crds.map((crd) => outcomeOfCrd(crd, dryRun)),
    ...unusable.map((why) => outcome("unusable", { why })),
    ...(repaired === undefined ? [] : [outcome("repaired", { why: repaired })]),
    ...executed.results.map((result) => outcomeOfStep(result, dryRun)),
    ...conflicts.map(outcomeOfConflict),
    ...deleted,
    ...left,
    ...limits,
    ...verdicts.flatMap(({ pool, verdict, why }) =>
      verdict === "unsatisfiable" ? [outcome("no-nodes", { kind: "NodePool", name: pool, why })] : [],
    ),
    ...usersOutside.map(({ pool: name, why }) => outcome("outside", { kind: "NodePool", name, why })),
    ...(executed.refused === undefined ? [] : [outcome("refused", { why: executed.refused })]),
  ];
}

/** Status, events or an inventory that could not be written. */
export function unwritten(notes: readonly string[]): Outcome[] {
  return notes.map((why) => outcome("unwritten", { why }));
}

function outcome(state: State, more: Partial<Outcome>): Outcome {
  const { words, severity, result = "ok" } = factsOf(state);
  const { kind = "", name = "", why = "" } = more;
  return {
    about: describeResource({ kind, name }),
    kind,
    name,
    state,
    planned: state,
    words: more.change ?? words,
    severity,
    result,
    why,
    whyForUsers: why,
    writerConflict: "",
    deletion: undefined,
    change: undefined,
    differences: [],
    drift: [],
    ...more,
  };
}

function outcomeOfStep(result: StepResult, dryRun: boolean): Outcome {
  const { step, error } = result;
  const { kind, name, action, reason, advice, writerConflict, differences, drift } = step;
  const planned = plannedState(result);
  const state = result.outcome === "none" || result.outcome === "done" ? planned : result.outcome;
  const isFailed = state === "failed";
  const more = {
    kind,
    name,
    planned,
    why: isFailed ? (error?.message ?? "") : [reason, advice].filter((part) => part !== "").join("; "),
    whyForUsers: isFailed ? (error?.message ?? "") : reason,
    writerConflict,
    deletion: factsOf(planned).isOfOthers === true ? undefined : deletionOf(result),
    change: result.outcome === "done" ? changeOf(planned, dryRun) : undefined,
    differences,
    drift,
    step: result,
  };
  const isContested = !isFailed && state !== "skipped" && writerConflict !== "";
  if (isContested) return outcome("contested", { ...more, words: factsOf("contested").words });
  if (!isFailed) return outcome(state, more);
  return outcome("failed", { ...more, words: `${action} failed`, result: isRefused(result) ? "held" : "failed" });
}

function changeOf(planned: State, dryRun: boolean): string | undefined {
  const { words, would } = factsOf(planned);
  return dryRun ? would : words;
}

function plannedState({ step: { action, differences }, outcome: ended }: StepResult): State {
  if (action === "managed-by-operator" && differences.length > 0) return "differs";
  return action === "prune" && ended === "none" ? "used" : action;
}

/** Undefined for an object that is not being deleted after the pass. */
function deletionOf({ step, outcome: ended, live }: StepResult): string | undefined {
  const isPruned = step.action === "prune" && ended === "done";
  const now: LiveObject | undefined = live ?? (isPruned ? undefined : step.live);
  return now && deletionWords(now);
}

const OF_CRD = { created: "create", updated: "update", "in-sync": "in-sync", foreign: "foreign-object" } as const;

function outcomeOfCrd(crd: CrdState, dryRun: boolean): Outcome {
  const { side, name, outcome: ended, doing, words: why, error, differences } = crd;
  const more = { kind: "CustomResourceDefinition", name, side, why };
  if (ended === "failed") {
    // Without the right, an early retry does not help, and the definition may exist.
    const result = error === "forbidden" || error === "invalid" ? "held" : "failed";
    return outcome("failed", { ...more, words: `${doing} failed`, result });
  }
  if (ended === "foreign")
    return outcome("foreign-object", { ...more, severity: why === "" ? "info" : "warning", result: "ok" });
  const drift = differences.filter(({ owner }) => owner !== undefined);
  const state = OF_CRD[ended];
  const change = ended === "in-sync" ? undefined : changeOf(state, dryRun);
  return outcome(state, { ...more, differences, drift, change });
}

function outcomeOfConflict({ pool, key, what }: PoolConflict): Outcome {
  const why =
    what === "bypass"
      ? `the requirements on ${key} would bypass the AutoNodePolicy: the pool is blocked and gets no new nodes`
      : `the requirements on ${key} conflict with the AutoNodePolicy: the pool gets no new nodes`;
  return outcome(what, { kind: "NodePool", name: pool, why, fields: { key } });
}

/** The group in which log and dashboard list it. */
export function groupOf({ step, kind, state }: Outcome) {
  if (step !== undefined) return "objects";
  if (kind === "CustomResourceDefinition") return "definitions";
  return state === "over-limit" || state === "near-limit" ? "limits" : state;
}

/** The state that metrics and the dashboard show: an object that is otherwise as it should be is being deleted. */
export function shownState({ state, severity, deletion }: Outcome): State {
  return deletion !== undefined && (severity === "none" || severity === "info") ? "going" : state;
}

/** Why a wrapper is not ready, whatever Karpenter says: `reason` and `message` of its condition. */
export interface NotReady {
  readonly reason: string;
  readonly message: string;
}

/** Undefined if the wrapper of the object is applied. A failure that a later pass may not meet does not count. */
export function notApplied({ state, result, whyForUsers: message }: Outcome): NotReady | undefined {
  const { event: reason, notReady } = factsOf(state);
  return notReady !== undefined && result === "held" && reason !== undefined ? { reason, message } : undefined;
}

/** Undefined if Karpenter can make nodes of the pool. */
export function withoutNodes({ verdict, why: message }: JudgedPool): NotReady | undefined {
  return verdict === "unsatisfiable" ? { reason: STATES["no-nodes"].event, message } : undefined;
}

const OWN_REASONS: ReadonlySet<string> = new Set([
  STATES["no-nodes"].event,
  ...Object.values(OBJECT_STATES).flatMap((facts) => ("notReady" in facts && "event" in facts ? facts.event : [])),
]);

/** Whether the condition of a wrapper is anp's, and not mirrored. */
export function isOwnReason(reason: string): boolean {
  return OWN_REASONS.has(reason);
}

export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly inSync: number;
  readonly pruned: number;
  readonly kept: number;
  readonly held: number;
  readonly foreign: number;
  readonly failed: number;
  /** Fields that other writers had changed and that were corrected. */
  readonly drift: number;
}

/** Counts the objects that steps are about. */
export function countsOf(outcomes: readonly Outcome[]): Counts {
  const counts = { created: 0, updated: 0, inSync: 0, pruned: 0, kept: 0, held: 0, foreign: 0, failed: 0, drift: 0 };
  for (const { step, state, planned, change, drift } of outcomes) {
    if (step === undefined) continue;
    const { counter, would } = factsOf(state === "failed" ? state : planned);
    if (counter !== undefined && (would === undefined || change !== undefined)) counts[counter]++;
    if (planned === "update" && change !== undefined) counts.drift += drift.length;
  }
  return counts;
}

export type Columns = Readonly<Record<NonNullable<StateFacts["column"]>, number>>;

/** Counts each of them once, in the columns of the dashboard. */
export function columnsOf(outcomes: readonly Outcome[]): Columns {
  const counts = { inSync: 0, changed: 0, held: 0, foreign: 0, failed: 0 };
  for (const { step, state, change } of outcomes) {
    const { column = "held" } = factsOf(state);
    if (step !== undefined) counts[change === undefined ? column : "changed"]++;
  }
  return counts;
}
