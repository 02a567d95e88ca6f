/** Whether the program is alive and ready, by how long each cluster has been doing what it does. */
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

interface LeaseFacts {
  /** It works as the one that leads. */
  readonly leads: boolean;
  readonly mayLead: boolean;
}
const FIRST_PASS_MS = 60_000;
/** A timer that is late by more than this is not coming. */
const LATE_MS = 60_000;
const LONGEST_WAIT_MS = 120_000;

/**
 * What starting anew would help against: a timer of ours that does not come, a lease that is gone. That the event loop
 * turns is said by the answer itself. How long a pass takes is in the hands of whoever has a cluster: of that nothing
 * may end the work for all.
 */
export function complaintsOfHealth(hearts: readonly Heartbeat[], intervalMs: number, lease?: LeaseFacts): Complaints {
  const longestWait = Math.max(intervalMs * 1.1, LONGEST_WAIT_MS) + LATE_MS;
  const late = hearts.flatMap(({ name, phase, phaseMs }) => {
    const waits = phase === "waiting" || phase === "backing-off";
    return waits && phaseMs > longestWait
      ? [`${name}: no pass has been started for ${secondsOf(phaseMs)} seconds`]
      : [];
  });
  return lease?.leads === true && !lease.mayLead ? ["the lease is lost", ...late] : late;
}

/** For people who look: nothing that starting anew would end. */
export function longPasses(hearts: readonly Heartbeat[]): string[] {
  return hearts.flatMap(({ name, phase, phaseMs }) =>
    phase === "running" && phaseMs > PASS_MS
      ? [`${name}: a pass has been running for ${secondsOf(phaseMs)} seconds`]
      : [],
  );
}

function secondsOf(milliseconds: number): number {
  return Math.round(milliseconds / 1000);
}

/** The clusters that could not be asked in their last pass, and why: starting anew would not help, and people want to know. */
export function unreachableClusters(clusters: readonly Pick<ClusterState, "name" | "figures">[]): string[] {
  return clusters.flatMap(({ name, figures }) => figures?.unreachable.map((words) => `${name}: ${words}`) ?? []);
}

export interface ReadyFacts {
  readonly isEnding: boolean;
  /** Undefined where no leader is elected. */
  readonly leader: { readonly isLeader: boolean; readonly isInformed: boolean } | undefined;
}

/** Who takes part: each cluster has had a pass, or another replica is known to lead. A broken cluster keeps no other one waiting. */
export function complaintsOfReadiness(
  hearts: readonly Heartbeat[],
  { isEnding, leader }: ReadyFacts,
  others: Complaints = [],
): Complaints {
  if (isEnding) return ["ending"];
  if (others.length > 0) return others;
  if (leader !== undefined && !leader.isLeader)
    return leader.isInformed ? [] : ["who holds the lease has not been told yet"];
  // Whoever hangs takes no part for now: an unready pod is not scraped, and a rollout would wait for a tenant.
  const waiting = hearts.filter(({ passes, phaseMs }) => passes === 0 && phaseMs < FIRST_PASS_MS);
  return waiting.map(({ name }) => `${name}: the first pass has not come to its end`);
}
