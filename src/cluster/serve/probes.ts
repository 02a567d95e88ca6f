/** Liveness and readiness, by how long each cluster has been in its phase. */
import type { ClusterState, Phase } from "../fleet/fleet.ts";

export interface Heartbeat {
  readonly name: string;
  readonly phase: Phase;
  /** Time in this phase, by a monotonic clock. */
  readonly phaseMs: number;
  /** Completed passes, whatever their result. */
  readonly passes: number;
}

/** One reason a line; empty if the probe succeeds. */
export type ProbeFailures = readonly string[];

/** A pass has two minutes, and the requests in flight then have their own time limits. */
const PASS_MS = 5 * 60_000;

interface LeaseFacts {
  /** It works as the leader. */
  readonly leads: boolean;
  readonly mayLead: boolean;
}
const FIRST_PASS_MS = 60_000;
/** A timer that is later than this never fires. */
const LATE_MS = 60_000;
const LONGEST_WAIT_MS = 120_000;

/**
 * Fails only if a restart would help: for a timer that never fires, or a lost Lease. The answer itself shows that the
 * event loop runs. A user of a cluster can make its passes slow, and that must not restart the replica for all clusters.
 */
export function livenessFailures(hearts: readonly Heartbeat[], intervalMs: number, lease?: LeaseFacts): ProbeFailures {
  const longestWait = Math.max(intervalMs * 1.1, LONGEST_WAIT_MS) + LATE_MS;
  const late = hearts.flatMap(({ name, phase, phaseMs }) => {
    const waits = phase === "waiting" || phase === "backing-off";
    return waits && phaseMs > longestWait
      ? [`${name}: no pass has been started for ${secondsOf(phaseMs)} seconds`]
      : [];
  });
  return lease?.leads === true && !lease.mayLead ? ["the lease is lost", ...late] : late;
}

/** For users; a restart would not help. */
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

/** The clusters that the last pass could not reach, and why. For users; a restart would not help. */
export function unreachableClusters(clusters: readonly Pick<ClusterState, "name" | "figures">[]): string[] {
  return clusters.flatMap(({ name, figures }) => figures?.unreachable.map((words) => `${name}: ${words}`) ?? []);
}

export interface ReadyFacts {
  readonly isEnding: boolean;
  /** Undefined without leader election. */
  readonly leader: { readonly isLeader: boolean; readonly isInformed: boolean } | undefined;
}

/** Ready when each cluster has had a pass, or another replica is known to be the leader. A broken cluster does not delay it for long. */
export function readinessFailures(
  hearts: readonly Heartbeat[],
  { isEnding, leader }: ReadyFacts,
  others: ProbeFailures = [],
): ProbeFailures {
  if (isEnding) return ["ending"];
  if (others.length > 0) return others;
  if (leader !== undefined && !leader.isLeader)
    return leader.isInformed ? [] : ["the holder of the lease is not known yet"];
  // A cluster that hangs must not keep the pod unready: it would not be scraped, and a rollout would wait for one tenant.
  const waiting = hearts.filter(({ passes, phaseMs }) => passes === 0 && phaseMs < FIRST_PASS_MS);
  return waiting.map(({ name }) => `${name}: the first pass has not ended`);
}
