/** What came of a pass, in one word and in numbers. */
import { type Finding, hasErrors } from "../../krm/finding.ts";
import { isRefused } from "../apply/apply-backoff.ts";
import type { Executed, StepResult } from "../apply/execute.ts";
import type { CrdState } from "../crds/install-crds.ts";
import { repairWords } from "../inventory/repair-inventory.ts";
import type { NodeLimitsResult } from "../limits/node-limits.ts";
import { isTooMuch, type ReadProblem } from "../objects/read-problem.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import type { RenderedInputs } from "../plan/render-cluster.ts";
import { describeMalformed } from "../plan/hold-malformed.ts";
import { detailsOfPass } from "../status/pass-details.ts";
import type { Counts, PassResult, ReconcileResult } from "../status/pass-result.ts";
import type { Ready } from "../status/ready-condition.ts";
import type { ExecutedPlan } from "./execute-plan.ts";
import type { JudgedPass } from "./judge-pass.ts";
import { isHeld, LEFT_ALONE, type PlannedPass } from "./plan-pass.ts";

interface Told {
  readonly crds: readonly CrdState[];
  readonly notes: readonly string[];
}

export function resultOfPass(
  { inputs, rendered }: PlannedPass,
  { executed, nodeLimits, unwritten }: ExecutedPlan,
  { problems, verdicts, ready }: JudgedPass,
  cluster: WatchedCluster,
  { crds, notes }: Told,
): ReconcileResult {
  const { bundle, cluster: resolved, decision } = rendered;
  const { dryRun } = cluster;
  const { live, malformed } = inputs.guest;
  const reasons = new Set(executed.results.map(({ step }) => step.reason));
  const inspected = { bundle, resolved, live, executed, verdicts, problems, notes, crds, nodeLimits, dryRun };
  return {
    cluster: cluster.name,
    hostedCluster: cluster.hostedCluster,
    result: worstOf(
      resultOf(rendered, executed, problems, ready),
      malformed.length === 0 ? "ok" : "held",
      resultOfLimits(nodeLimits),
      resultOfCrds(crds),
      unwritten === undefined && inputs.inventory.state !== "unreadable" ? "ok" : "failed",
    ),
    mode: isHeld(rendered) ? "Hold" : decision.mode,
    ready,
    results: executed.results,
    refused: executed.refused,
    findings: toldFindings(rendered.findings, cluster),
    problems,
    unusable: malformed.map(describeMalformed).filter((words) => !reasons.has(words)),
    repaired: repairWords(inputs.inventory),
    notes,
    counts: countsOf(executed),
    crds,
    nodeLimits,
    verdicts,
    dryRun,
    details: (catalogue, pricesFor) => detailsOfPass(inspected, catalogue, pricesFor),
  };
}

function resultOf(
  { findings, unreadable, inventoryProblem }: RenderedInputs,
  { results, refused }: Executed,
  problems: readonly ReadProblem[],
  ready: Ready,
): PassResult {
  const awaited = problems.filter((problem) => problem.isAwaited === true || isTooMuch(problem));
  if (refused !== undefined || problems.length > awaited.length) return "failed";
  if (results.some((result) => result.outcome === "failed" && !isRefused(result))) return "failed";
  const awaitsPolicy = ready.reason === "PolicyNotServed" && awaited.some(({ side }) => side === "management");
  if (HELD_BY_CLUSTER.includes(ready.reason) && !awaitsPolicy) return "failed";
  const stays = results.some(
    ({ step, outcome }) =>
      outcome === "failed" ||
      HELD.includes(step.action) ||
      step.writerConflict !== "" ||
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
