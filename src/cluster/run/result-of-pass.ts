/** The result of a pass: ok, held or failed, and its details. */
import { type Finding, hasErrors } from "../../krm/findings/finding.ts";
import type { NodeLimitsResult } from "../limits/node-limits.ts";
import { isTooMuch, type ReadProblem } from "../objects/read-problem.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import type { RenderedInputs } from "../plan/render-cluster.ts";
import { countsOf, type PassResult, unwritten as unwrittenOf } from "../status/outcomes.ts";
import { detailsOfPass } from "../status/pass-details.ts";
import type { ReconcileResult } from "../status/pass-result.ts";
import type { Ready } from "../status/ready-condition.ts";
import type { ExecutedPlan } from "./execute-plan.ts";
import type { JudgedPass } from "./judge-pass.ts";
import { isHeld, LEFT_ALONE, type PlannedPass } from "./plan-pass.ts";

/** @param notes what could not be written */
export function resultOfPass(
  { inputs, rendered }: PlannedPass,
  { nodeLimits, unwritten }: ExecutedPlan,
  { problems, outcomes: judged, verdicts, outside, ready }: JudgedPass,
  { name: cluster, nodeLimits: mode, dryRun }: WatchedCluster,
  notes: readonly string[],
): ReconcileResult {
  const { bundle, cluster: resolved, decision } = rendered;
  const { live } = inputs.guest;
  const outcomes = [...judged, ...unwrittenOf(notes)];
  const details = { bundle, resolved, live, outcomes, verdicts, problems, nodeLimits, dryRun };
  return {
    cluster,
    result: worstOf([
      ...outcomes.map(({ result }) => result),
      ...problems.map((problem): PassResult => (isAwaited(problem) ? "held" : "failed")),
      resultOf(rendered, problems, ready),
      resultOfLimits(nodeLimits),
      unwritten === undefined && inputs.inventory.state !== "unreadable" ? "ok" : "failed",
    ]),
    mode: isHeld(rendered) ? "Hold" : decision.mode,
    ready,
    outcomes,
    counts: countsOf(outcomes),
    findings: mode === "Off" ? rendered.findings : withoutUnenforced(rendered.findings),
    problems,
    nodeLimits,
    verdicts,
    outside: outside?.length,
    dryRun,
    details: (catalogue, pricesFor) => detailsOfPass(details, catalogue, pricesFor),
  };
}

/** An early retry does not help. */
function isAwaited(problem: ReadProblem): boolean {
  return problem.isAwaited === true || isTooMuch(problem);
}

function resultOf(
  { findings, unreadable, inventoryProblem }: RenderedInputs,
  problems: readonly ReadProblem[],
  { reason }: Ready,
): PassResult {
  const awaitsPolicy =
    reason === "PolicyNotServed" && problems.some((problem) => problem.side === "management" && isAwaited(problem));
  if (HELD_BY_CLUSTER.includes(reason) && !awaitsPolicy) return "failed";
  const isHeldBack = unreadable !== undefined || inventoryProblem !== undefined || hasErrors(findings);
  return isHeldBack || HELD_BY_POLICY.includes(reason) ? "held" : "ok";
}

/** RBAC that does not know of limits yet must not slow down the policy: only trouble is tried again sooner. */
function resultOfLimits({ pools, problems, failures }: NodeLimitsResult): PassResult {
  const errors = [...problems, ...failures].map(({ error }) => error.kind);
  if (errors.includes("unavailable") || errors.includes("unauthorized")) return "failed";
  return errors.length > 0 || pools.some(({ withoutBudget }) => withoutBudget) ? "held" : "ok";
}

/** The worst result; `ok` if there is none. */
export function worstOf(results: readonly PassResult[]): PassResult {
  return (["failed", "held"] as const).find((result) => results.includes(result)) ?? "ok";
}

/** A watch enforces limits. */
function withoutUnenforced(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ code }) => code !== "node-limit-not-enforced");
}

const HELD_BY_CLUSTER: readonly string[] = [
  "PolicyForbidden",
  "PolicyUnavailable",
  "PolicyNotServed",
  "HostedClusterUnknown",
];
const HELD_BY_POLICY: readonly string[] = ["PolicyInvalid", "PolicyRequired", "PoolOutsidePolicy", ...LEFT_ALONE];
