/** The figures of a pass for metrics and probes, without objects of users. */
import type { Finding } from "../../krm/findings/finding.ts";
import type { LimitState } from "../limits/node-limits.ts";
import { describeProblems, isTooMuch, type ReadProblem } from "../objects/read-problem.ts";
import {
  type Columns,
  columnsOf,
  factsOf,
  groupOf,
  type Outcome,
  type PassResult,
  shownState,
} from "../status/outcomes.ts";
import type { ReconcileResult } from "../status/pass-result.ts";

interface ObjectCount {
  readonly kind: string;
  readonly state: NonNullable<ReturnType<typeof factsOf>["metric"]>;
  readonly count: number;
}

/** Plain data of bounded size, which is kept for each cluster. */
export interface PassFigures {
  readonly result: PassResult;
  readonly mode: ReconcileResult["mode"];
  readonly ready: Pick<ReconcileResult["ready"], "status" | "reason">;
  readonly objects: readonly ObjectCount[];
  readonly columns: Columns;
  /** How many pools have each verdict. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** How many NodePools the policy does not reach; undefined if none is in force. */
  readonly outside: number | undefined;
  readonly findings: Readonly<Record<Severity, number>>;
  /** Pools with a Hard limit on nodes. */
  readonly limits: readonly LimitFigures[];
  /** The clusters (management, guest) that could not be reached, and why. */
  readonly unreachable: readonly string[];
  /** Corrected fields, and deleted objects. */
  readonly drift: number;
  readonly pruned: number;
}

type Severity = Finding["severity"];

export type LimitFigures = Pick<LimitState, "pool" | "limit" | "nodes">;

/** Users may create any number of pools. Only those nearest to their limits have metrics of their own. */
const POOLS_TOLD = 50;

/** Of an error message of an API server. */
const LONGEST_WORDS = 1000;

export function figuresOf(result: ReconcileResult): PassFigures {
  const { mode, ready, verdicts, outside, findings, nodeLimits, problems, dryRun, counts, outcomes } = result;
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const groups = Map.groupBy(verdicts, ({ verdict }) => verdict);
  return {
    result: result.result,
    mode,
    ready: { status: ready.status, reason: ready.reason },
    objects: objectCounts(outcomes, dryRun),
    columns: columnsOf(outcomes),
    verdicts: Object.fromEntries([...groups].map(([verdict, group]) => [verdict, group.length])),
    outside,
    findings: { error: count("error"), warning: count("warning"), info: count("info") },
    limits: nearestLimits(nodeLimits.pools),
    unreachable: unreachableSides(problems),
    drift: dryRun ? 0 : counts.drift,
    pruned: dryRun ? 0 : counts.pruned,
  };
}

/** `pending`: not written yet, because this pass did not reach it or is a dry run. */
function objectCounts(outcomes: readonly Outcome[], dryRun: boolean): ObjectCount[] {
  const { objects = [], definitions = [] } = Object.groupBy(outcomes, groupOf);
  const states = [...objects, ...definitions].flatMap((one) => {
    const { metric, would } = factsOf(shownState(one));
    const state = dryRun && would !== undefined ? "pending" : metric;
    return state === undefined ? [] : [{ kind: one.kind, state }];
  });
  const groups = Map.groupBy(states, ({ kind, state }) => `${kind} ${state}`);
  return [...groups.values()].map((group) => ({ ...group[0]!, count: group.length }));
}

export function nearestLimits(pools: readonly LimitFigures[]): LimitFigures[] {
  const used = ({ nodes = 0, limit }: LimitFigures) => nodes / Math.max(limit, 1);
  const nearest = pools.length <= POOLS_TOLD ? pools : pools.toSorted((a, b) => used(b) - used(a)).slice(0, POOLS_TOLD);
  return nearest.map(({ pool, limit, nodes }) => ({ pool, limit, nodes }));
}

function unreachableSides(problems: readonly ReadProblem[]): string[] {
  const unasked = problems.filter((problem) => problem.error.status === undefined && !isTooMuch(problem));
  const bySide = Map.groupBy(unasked, ({ side }) => side);
  return [...bySide.values()].map((alike) => (describeProblems(alike)[0] ?? "").slice(0, LONGEST_WORDS)).toSorted();
}
