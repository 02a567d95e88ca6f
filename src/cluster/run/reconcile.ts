/** One pass over a hosted cluster: read, render, plan, execute, tell. The result is plain data, which logs, metrics, dashboard and exit code are made from. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Finding } from "../../krm/finding.ts";
import { hasErrors } from "../../krm/finding.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import type { EventRecorder } from "../tell/event-recorder.ts";
import { eventsOf } from "../tell/events-of.ts";
import { type CrdState, installCrds } from "../crds/install-crds.ts";
import { execute, type Executed, type StepResult } from "../apply/execute.ts";
import { enforceLimits, type NodeLimitsResult } from "../limits/node-limits.ts";
import type { ApiError } from "../api/api-answer.ts";
import { keepInventory } from "../apply/keep-inventory.ts";
import { placeOf } from "../inventory/place.ts";
import type { Inputs } from "../read/gather-inputs.ts";
import { type Inspection, inspectPass } from "../tell/inspection.ts";
import { limitEvents } from "../tell/limit-events.ts";
import { poolsOutside } from "../plan/outside-policy.ts";
import { poolConflicts } from "../plan/pool-conflicts.ts";
import type { PolicyMode } from "../objects/policy-life.ts";
import { readHostedClusterEnd } from "../read/hosted-cluster-life.ts";
import { describeProblem, type ReadProblem } from "../objects/read-problem.ts";
import type { JudgePools } from "../tell/pool-judge.ts";
import { type Ready, readyOf } from "../tell/ready-condition.ts";
import type { RenderedInputs } from "../plan/render-cluster.ts";
import { planPass, pruneBlockedBy } from "./plan-pass.ts";
import type { Step } from "../plan/step.ts";
import type { Rivals } from "../rivals/rivals.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { writeStatus } from "../tell/write-status.ts";

/**
 * - `ok`: everything is as it should be
 * - `held`: something is not applied or not pruned, on purpose
 * - `failed`: a cluster did not do what it was asked
 */
export type PassResult = "ok" | "held" | "failed";

export interface ReconcileResult {
  readonly cluster: string;
  readonly hostedCluster: string;
  readonly result: PassResult;
  readonly mode: PolicyMode;
  readonly ready: Ready;
  /** What was done to each object, in the order of doing. */
  readonly results: readonly StepResult[];
  readonly refused: string | undefined;
  readonly findings: readonly Finding[];
  readonly problems: readonly ReadProblem[];
  /** What went wrong beside the objects, in words: status and events. */
  readonly notes: readonly string[];
  readonly counts: Counts;
  /** What came of each CustomResourceDefinition; none where the watch does not install them. */
  readonly crds: readonly CrdState[];
  /** How pools with a Hard limit on nodes stand. */
  readonly nodeLimits: NodeLimitsResult;
  /** On each pool that is applied. */
  readonly verdicts: readonly JudgedPool[];
  readonly dryRun: boolean;
  /** What there is to know of single pools and classes, for whoever opens the cluster. */
  readonly inspect: (catalogue: () => Catalogue) => Inspection;
}

interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly inSync: number;
  readonly pruned: number;
  readonly kept: number;
  readonly held: number;
  readonly foreign: number;
  readonly failed: number;
  /** Fields that others had changed and that were set right. */
  readonly drift: number;
}

export interface PassOptions {
  readonly signal: AbortSignal;
  /** The time of the pass. */
  readonly now: () => Date;
  readonly recorder: EventRecorder;
  /** Of all passes over the cluster. */
  readonly rivals: Rivals;
  readonly judge: JudgePools;
  /** Told before a pool or class is deleted, with the number of nodes that go with it. */
  readonly onPrune: (step: Step, nodes: number | undefined) => void;
}

export async function reconcile(cluster: WatchedCluster, options: PassOptions): Promise<ReconcileResult> {
  const now = options.now();
  const crds = (await isLeftAlone(cluster, now)) ? [] : await installCrds(cluster, options.signal);
  const { inputs, limits, rendered, steps: planned } = await planPass(cluster, crds, { signal: options.signal, now });
  const { unread } = inputs.guest;
  const steps = options.rivals.before(planned);
  const writesNothing = cluster.dryRun || rendered.decision.reason === "HostedClusterPaused";
  const books = keepInventory(placeOf(cluster), inputs, { dryRun: writesNothing, mayBegin: mayBegin(rendered) });
  let unwritten: ApiError | undefined;
  const executed = await execute(
    steps.filter(({ kind }) => !unread.has(kind)),
    cluster.guest,
    {
      dryRun: cluster.dryRun,
      allowedWriters: rendered.allowedWriters,
      signal: options.signal,
      register: async () => {
        unwritten = await books.before(steps.filter(({ kind }) => !unread.has(kind)));
        return unwritten;
      },
      announcePrune: async (step, nodes) => {
        options.onPrune(step, nodes);
        await options.recorder.announcePrune(step, nodes);
      },
    },
  );
  if (!cluster.dryRun) options.rivals.after(executed.results);
  unwritten = (await books.after(executed.results)) ?? unwritten;
  const nodeLimits = await enforceLimits(limits, {
    cluster,
    results: executed.results,
    blocked: pruneBlockedBy(inputs, rendered) ?? executed.refused,
    signal: options.signal,
    now: options.now(),
  });
  const problems = relevantProblems(inputs, steps);
  const pools = rendered.cluster?.pools ?? [];
  const conflicts = poolConflicts(pools);
  const verdicts = await verdictsOn(pools, rendered, executed, options);
  const ready = readyOf({
    ...rendered,
    executed,
    problems: problems.map(describeProblem),
    conflicts,
    verdicts,
    outside:
      rendered.cluster === undefined
        ? []
        : poolsOutside(livePools(inputs, executed), rendered.cluster.inputs.policy.requirements),
  });
  const notes: string[] = unwritten === undefined ? [] : [unwritten.message];
  const isQuiet = LEFT_ALONE.includes(rendered.decision.reason);
  if (!cluster.dryRun && !options.signal.aborted && !isQuiet) {
    notes.push(
      ...(await writeStatus({
        cluster,
        inputs,
        ready,
        executed,
        verdicts,
        now: options.now().toISOString(),
        signal: options.signal,
      })),
    );
    const ofLimits = limitEvents({ limits: nodeLimits, ...inputs.guest });
    const events = [...eventsOf({ inputs, conflicts, verdicts, executed, ready, cluster }), ...ofLimits];
    notes.push(...(await options.recorder.record(events, options.signal)));
  }
  const { bundle, cluster: resolved } = rendered;
  const { live } = inputs.guest;
  const { dryRun } = cluster;
  const inspected = { bundle, resolved, live, executed, verdicts, problems, notes, crds, nodeLimits, dryRun };
  return {
    cluster: cluster.name,
    hostedCluster: cluster.hostedCluster,
    result: worstOf(
      resultOf(rendered, executed, problems, ready),
      resultOfLimits(nodeLimits),
      resultOfCrds(crds),
      unwritten === undefined && inputs.inventory.state !== "unreadable" ? "ok" : "failed",
    ),
    mode: isHeld(rendered) ? "Hold" : rendered.decision.mode,
    ready,
    results: executed.results,
    refused: executed.refused,
    findings: toldFindings(rendered.findings, cluster),
    problems,
    notes,
    counts: countsOf(executed),
    crds,
    nodeLimits,
    verdicts,
    dryRun,
    inspect: (catalogue) => inspectPass(inspected, catalogue),
  };
}

/** Of what stands in the cluster as it was rendered: of anything else the wrapper tells nothing. */
async function verdictsOn(
  pools: readonly ResolvedPool[],
  { cluster: resolved }: RenderedInputs,
  { results }: Executed,
  { judge, signal }: PassOptions,
): Promise<readonly JudgedPool[]> {
  if (resolved === undefined) return [];
  const applied = new Set(results.filter(isApplied).map(({ step: { kind, name } }) => `${kind}/${name}`));
  return judge(
    pools.filter(({ name }) => applied.has(`NodePool/${name}`)),
    resolved.inputs.settings.profile,
    signal,
  );
}

function isApplied({ step: { action }, outcome }: StepResult): boolean {
  return APPLIED.includes(action) && (outcome === "done" || outcome === "none");
}

const APPLIED: readonly string[] = ["create", "update", "in-sync"];

function isHeld({ unreadable, inventoryProblem, gateOff, decision }: RenderedInputs): boolean {
  return unreadable !== undefined || inventoryProblem !== undefined || gateOff || decision.mode === "Hold";
}

/** Only what everything is known of. */
function mayBegin(rendered: RenderedInputs): boolean {
  return !isHeld(rendered);
}

/** What is to be known before anything is written at all. */
async function isLeftAlone(
  { installCrds: asked, management, hostedCluster }: WatchedCluster,
  now: Date,
): Promise<boolean> {
  return (
    asked && management !== undefined && (await readHostedClusterEnd(management, hostedCluster, now)) !== undefined
  );
}

/** A kind that is not served and that nobody asks for is no problem; nor is what the policy's own words tell. */
function relevantProblems({ problems }: Inputs, steps: readonly Step[]): ReadProblem[] {
  const wanted = new Set(steps.map(({ kind }) => kind));
  return problems.filter(({ side, kind, error }) => {
    if (side === "management")
      return kind === "AutoNodePolicy" || error.kind === "unavailable" || error.kind === "unauthorized";
    return error.kind !== "notFound" || wanted.has(kind) || kind.startsWith("Openshift");
  });
}

/** As they are after the pass. */
function livePools({ guest }: Inputs, { results }: Executed) {
  const now = new Map(guest.live.filter(({ kind }) => kind === "NodePool").map((pool) => [pool.metadata.name, pool]));
  for (const { step, live, outcome } of results) {
    if (step.kind !== "NodePool") continue;
    if (live !== undefined) now.set(step.name, live);
    else if (step.action === "prune" && outcome === "done") now.delete(step.name);
  }
  return [...now.values()].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

function resultOf(
  { findings, unreadable, inventoryProblem }: RenderedInputs,
  { results, refused }: Executed,
  problems: readonly ReadProblem[],
  ready: Ready,
): PassResult {
  const awaited = problems.filter(({ isAwaited }) => isAwaited);
  if (refused !== undefined || problems.length > awaited.length) return "failed";
  if (results.some(({ outcome }) => outcome === "failed")) return "failed";
  const awaitsPolicy = ready.reason === "PolicyNotServed" && awaited.some(({ side }) => side === "management");
  if (HELD_BY_CLUSTER.includes(ready.reason) && !awaitsPolicy) return "failed";
  const stays = results.some(
    ({ step, outcome }) =>
      HELD.includes(step.action) ||
      step.rivalry !== "" ||
      outcome === "skipped" ||
      (step.action === "managed-by-operator" && step.differences.length > 0),
  );
  return stays ||
    awaited.length > 0 ||
    unreadable !== undefined ||
    inventoryProblem !== undefined ||
    hasErrors(findings) ||
    HELD_BY_POLICY.includes(ready.reason)
    ? "held"
    : "ok";
}

/** RBAC that does not know of limits yet must not slow down the policy: only trouble is tried again sooner. */
function resultOfLimits({ pools, problems, failures }: NodeLimitsResult): PassResult {
  const errors = [...problems, ...failures].map(({ error }) => error.kind);
  if (errors.includes("unavailable") || errors.includes("unauthorized")) return "failed";
  return errors.length > 0 || pools.some(({ withoutBudget }) => withoutBudget) ? "held" : "ok";
}

/** They may be there all the same: the kinds that are missing tell of themselves. */
function resultOfCrds(crds: readonly CrdState[]): PassResult {
  const errors = crds.flatMap(({ error }) => error ?? []);
  if (errors.length === 0) return "ok";
  return errors.every((error) => error === "forbidden" || error === "invalid") ? "held" : "failed";
}

function worstOf(...results: readonly PassResult[]): PassResult {
  return (["failed", "held"] as const).find((result) => results.includes(result)) ?? "ok";
}

/** What only holds without a watch. */
function toldFindings(findings: readonly Finding[], { nodeLimits }: WatchedCluster): readonly Finding[] {
  return nodeLimits === "Off" ? findings : findings.filter(({ code }) => code !== "node-limit-not-enforced");
}

const HELD: readonly string[] = ["hold", "keep", "foreign-object"];
const HELD_BY_CLUSTER: readonly string[] = [
  "PolicyForbidden",
  "PolicyUnavailable",
  "PolicyNotServed",
  "HostedClusterUnknown",
];
/** Nobody is told on its objects either: they go as well, or are to stay as they are. */
const LEFT_ALONE: readonly string[] = ["HostedClusterGoing", "HostedClusterPaused"];
const HELD_BY_POLICY: readonly string[] = ["PolicyInvalid", "PolicyRequired", "PoolOutsidePolicy", ...LEFT_ALONE];

function countsOf({ results }: Executed): Counts {
  const count = (is: (result: StepResult) => boolean) => results.filter(is).length;
  const doing = (action: string, outcome?: string) =>
    count((result) => result.step.action === action && (outcome === undefined || result.outcome === outcome));
  const corrected = results.filter(({ step, outcome }) => step.action === "update" && outcome === "done");
  return {
    created: doing("create", "done"),
    updated: doing("update", "done"),
    inSync: doing("in-sync"),
    pruned: doing("prune", "done"),
    kept: doing("keep"),
    held: doing("hold"),
    foreign: doing("foreign-object"),
    failed: count(({ outcome }) => outcome === "failed"),
    drift: corrected.reduce((sum, { step }) => sum + step.drift.length, 0),
  };
}
