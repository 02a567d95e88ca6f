/** Judges a pass: problems, outcomes, verdicts on pools, and the policy's Ready. */
import type { LiveObject } from "../api/live-object.ts";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { canonical } from "../../krm/values/canonical.ts";
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import type { Executed, StepResult } from "../apply/execute.ts";
import type { CrdState } from "../crds/install-crds.ts";
import {
  describeProblem,
  describeProblems,
  isTooMuch,
  type ReadProblem,
  whyUnreachable,
} from "../objects/read-problem.ts";
import { poolConflicts, type RenderedInputs } from "../plan/render-cluster.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import type { Step } from "../plan/step.ts";
import type { Inputs } from "../read/gather-inputs.ts";
import { type Outcome, outcomesOf } from "../status/outcomes.ts";
import { type Ready, type ReadyFacts, readyOf } from "../status/ready-condition.ts";
import type { ExecutedPlan, PassOptions } from "./execute-plan.ts";
import type { PlannedPass } from "./plan-pass.ts";

export interface JudgedPass {
  readonly problems: readonly ReadProblem[];
  readonly outcomes: readonly Outcome[];
  /** For each applied pool. */
  readonly verdicts: readonly JudgedPool[];
  /** The NodePools that the policy in force does not reach; undefined if none is in force. */
  readonly outside: readonly string[] | undefined;
  readonly ready: Ready;
}

export async function judgePass(
  { inputs, rendered }: PlannedPass,
  { steps, executed, nodeLimits }: ExecutedPlan,
  crds: readonly CrdState[],
  { dryRun, nodeLimits: mode }: Pick<WatchedCluster, "dryRun" | "nodeLimits">,
  options: PassOptions,
): Promise<JudgedPass> {
  const { malformed } = inputs.guest;
  const problems = relevantProblems(inputs, steps);
  const conflicts = poolConflicts(rendered.cluster?.pools ?? []);
  const verdicts = await verdictsOn(rendered, executed, options);
  const { inventory } = inputs;
  const { cluster } = rendered;
  const { ours, users } = livePools(inputs, executed, cluster?.mode === "shipped");
  const usersOutside = cluster === undefined ? [] : await options.judgeUsers(users, cluster, options.signal);
  const given = { executed, conflicts, verdicts, usersOutside, crds, nodeLimits, malformed, inventory, dryRun };
  const outcomes = outcomesOf(given);
  const policy = cluster?.inputs.policy;
  const pools = malformed.filter(({ kind }) => kind === "NodePool");
  const unusable = pools.map(({ name }) => name ?? "without a name that can be used");
  const outside = policy && [
    ...[...poolsOutside(ours, policy.requirements), ...usersOutside.map(({ pool }) => pool)].toSorted(),
    ...unusable,
  ];
  const ready = readyOf({
    ...rendered,
    outcomes,
    problems: describeProblems(problems),
    unreachable: whyUnreachable(problems),
    tooMuch: tooMuchOf(problems),
    verdicts,
    outside: outside ?? [],
    unlimited: mode === "Off" ? [] : users.filter(hasNodeLimit).map(({ metadata }) => metadata.name),
  });
  return { problems, outcomes, verdicts, outside, ready };
}

function tooMuchOf(problems: readonly ReadProblem[]): ReadyFacts["tooMuch"] {
  const problem = problems.find(isTooMuch);
  if (problem === undefined) return undefined;
  const reason = problem.error.kind === "tooSlow" ? "TooSlow" : "TooLarge";
  return { reason, message: `${describeProblem(problem)}; applied objects stay as they are` };
}

/** Only for pools that are in the cluster as rendered. The wrapper says nothing about others. */
async function verdictsOn(
  { cluster: resolved }: RenderedInputs,
  { results }: Executed,
  { judge, signal }: PassOptions,
): Promise<readonly JudgedPool[]> {
  if (resolved === undefined) return [];
  const applied = new Set(results.filter(isApplied).map(({ step: { kind, name } }) => `${kind}/${name}`));
  return judge(
    resolved.pools.filter(({ name }) => applied.has(`NodePool/${name}`)),
    resolved.inputs.settings,
    signal,
  );
}

function isApplied({ step: { action }, outcome }: StepResult): boolean {
  return APPLIED.includes(action) && (outcome === "done" || outcome === "none");
}

const APPLIED: readonly string[] = ["create", "update", "in-sync"];

/** Leaves out kinds that are neither served nor needed, and problems that the policy's decision reports. */
function relevantProblems({ problems }: Inputs, steps: readonly Step[]): ReadProblem[] {
  const wanted = new Set(steps.map(({ kind }) => kind));
  return problems.filter(({ side, kind, error }) => {
    if (side === "management")
      return kind === "AutoNodePolicy" || error.kind === "unavailable" || error.kind === "unauthorized";
    return error.kind !== "notFound" || wanted.has(kind) || kind.startsWith("Openshift");
  });
}

interface LivePools {
  readonly ours: readonly LiveObject[];
  /** Those that users write, if they may. */
  readonly users: readonly LiveObject[];
}

/** The pools after the pass. A pool that is being deleted exists until its finalizers are gone. */
function livePools({ guest }: Inputs, { results }: Executed, mayBeUsers: boolean): LivePools {
  const now = new Map(guest.live.filter(({ kind }) => kind === "NodePool").map((pool) => [pool.metadata.name, pool]));
  const actions = new Map<string, Step["action"]>();
  for (const { step, live, outcome } of results) {
    if (step.kind !== "NodePool") continue;
    actions.set(step.name, step.action);
    if (live !== undefined) now.set(step.name, live);
    else if (step.action === "prune" && outcome === "done") now.delete(step.name);
  }
  const pools = [...now.values()];
  if (!mayBeUsers) return { ours: pools, users: [] };
  const { ours = [], users = [] } = Object.groupBy(pools, ({ metadata }) => {
    const action = actions.get(metadata.name);
    return action === undefined || OF_USERS.includes(action) ? "users" : "ours";
  });
  return { ours, users };
}

/** The actions on NodePools that anp does not write. */
const OF_USERS: readonly Step["action"][] = ["foreign-object", "unclaimed", "release", "keep"];

function hasNodeLimit(pool: LiveObject): boolean {
  return valueAt(pool.spec, ["limits", "nodes"]) !== undefined;
}

/** The pools that lack a requirement of the policy in force. */
function poolsOutside(pools: readonly LiveObject[], entries: readonly NodeSelectorRequirement[]): string[] {
  const wanted = entries.map(canonical);
  return pools
    .filter((pool) => {
      const live = valueAt(pool, ["spec", "template", "spec", "requirements"]);
      const there = new Set((Array.isArray(live) ? live : []).map(canonical));
      return !wanted.every((entry) => there.has(entry));
    })
    .map(({ metadata }) => metadata.name)
    .toSorted();
}
