/** Whether the program is alive and ready, by how long each cluster has been doing what it does. */
import { describeProblem, isTooMuch } from "../objects/read-problem.ts";
import type { ClusterState, Phase } from "../fleet/fleet.ts";

export interface Heartbeat {
  readonly name: string;
  readonly phase: Phase;
  /** How long it has been in this phase, by a clock that nobody sets. */
  readonly phaseMs: number;
  /** Passes that came to an end, whatever came of them. */
  readonly passes: number;
}

/** Each line names one reason; none: all is well. */
export type Complaints = readonly string[];

/** A pass has two minutes, and then what is under way has its own time limits. */
const PASS_MS = 5 * 60_000;
/** A timer that is late by more than this is not coming. */
const LATE_MS = 60_000;
const LONGEST_WAIT_MS = 120_000;

/** What starting anew would help against: a loop that stands still. Clusters that fail are no reason. */
export function complaintsOfHealth(hearts: readonly Heartbeat[], intervalMs: number): Complaints {
  const longestWait = Math.max(intervalMs * 1.1, LONGEST_WAIT_MS) + LATE_MS;
  return hearts.flatMap(({ name, phase, phaseMs }) => {
    const seconds = Math.round(phaseMs / 1000);
    if (phase === "running" && phaseMs > PASS_MS) return [`${name}: a pass has been running for ${seconds} seconds`];
    const waits = phase === "waiting" || phase === "backing-off";
    return waits && phaseMs > longestWait ? [`${name}: no pass has been started for ${seconds} seconds`] : [];
  });
}

/** The clusters that could not be asked in their last pass, and why: starting anew would not help, and people want to know. */
export function unreachableClusters(clusters: readonly Pick<ClusterState, "name" | "last">[]): string[] {
  return clusters.flatMap(({ name, last }) => {
    const problems =
      last?.problems.filter((problem) => problem.error.status === undefined && !isTooMuch(problem)) ?? [];
    const bySide = new Map(problems.toReversed().map((problem) => [problem.side, problem]));
    return [...bySide.values()].map((problem) => `${name}: ${describeProblem(problem)}`).toSorted();
  });
}

export interface ReadyFacts {
  readonly isEnding: boolean;
  /** Undefined where no leader is elected. */
  readonly leader: { readonly isLeader: boolean; readonly isInformed: boolean } | undefined;
}

/** Who takes part: each cluster has had a pass, or another replica is known to lead. A broken cluster keeps no other one waiting. */
export function complaintsOfReadiness(hearts: readonly Heartbeat[], { isEnding, leader }: ReadyFacts): Complaints {
  if (isEnding) return ["ending"];
  if (leader !== undefined && !leader.isLeader)
    return leader.isInformed ? [] : ["who holds the lease has not been told yet"];
  const waiting = hearts.filter(({ passes }) => passes === 0);
  return waiting.map(({ name }) => `${name}: the first pass has not come to its end`);
}
