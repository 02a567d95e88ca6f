/** One pass of a watched cluster: reconciled within its time, logged, and told at its desk. */
import { hostname } from "node:os";
import { applyBackoff } from "../apply/apply-backoff.ts";
import type { OptionalCatalogueFor } from "../status/pool-verdicts.ts";
import { ClusterError } from "../api/api-answer.ts";
import { timeLimit } from "../waiting/pause.ts";
import { setIdOf } from "../objects/membership.ts";
import { conflictingWriters } from "../apply/conflicting-writers.ts";
import { eventRecorder } from "../status/event-recorder.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { logLines } from "../status/log-lines.ts";
import { poolVerdicts } from "../status/pool-verdicts.ts";
import type { StatusReporter } from "../fleet/fleet-state.ts";
import type { Place } from "./loop.ts";
import { reconcile } from "./reconcile.ts";
import type { PassResult } from "../status/outcomes.ts";
import type { ReconcileResult } from "../status/pass-result.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";

interface PassContext {
  readonly desk: StatusReporter;
  readonly log: (entry: LogEntry) => void;
  /** A user waits for this one pass, and gets all of its log. */
  readonly once?: boolean;
  readonly signal: AbortSignal;
  readonly catalogue: OptionalCatalogueFor;
  /** For statistics. */
  readonly took: (seconds: number) => void;
  /** After how many milliseconds another pass has something to do, though nothing may change until then. */
  readonly again: (milliseconds: number | undefined) => void;
}

/** Others wait for the place; what was not reached is the next pass's business. */
const PASS_LIMIT_MS = 120_000;

export function clusterPass(cluster: WatchedCluster, context: PassContext): (place?: Place) => Promise<PassResult> {
  const { desk, log, signal } = context;
  const { guest, management, dryRun, name } = cluster;
  const now = () => new Date();
  const recorder = eventRecorder({ guest, management, instance: hostname(), now, dryRun });
  const judge = poolVerdicts(context.catalogue);
  const state = onChange(log);
  const memory = conflictingWriters(setIdOf(cluster.hostedCluster, name), () => performance.now());
  const refused = applyBackoff(() => performance.now());
  const onPrune: Parameters<typeof reconcile>[1]["onPrune"] = ({ kind, name: object, reason }, nodes) =>
    log({ level: "warn", msg: "deleting", fields: { cluster: name, object: `${kind} ${object}`, reason, nodes } });

  const tell = (result: ReconcileResult, milliseconds: number): void => {
    const lines = logLines(result, milliseconds, context.once);
    for (const entry of lines.done) log(entry);
    state(lines.state);
    log(lines.summary);
  };

  return async (place) => {
    const begin = performance.now();
    const took = () => performance.now() - begin;
    desk.started();
    const limit = timeLimit(PASS_LIMIT_MS, signal);
    let result: ReconcileResult | undefined;
    let broken: string | undefined;
    try {
      const options = {
        signal: limit.signal,
        place,
        now,
        recorder,
        conflicts: memory,
        applyBackoff: refused,
        judge,
        onPrune,
      };
      result = await reconcile(cluster, options);
      tell(result, took());
    } catch (error) {
      // One cluster's fault, or ours, is no reason to leave the others alone.
      const reason = error instanceof ClusterError ? error.message : String((error as Error).stack ?? error);
      log({ level: "error", msg: "pass failed", fields: { cluster: name, reason } });
      result = undefined;
      broken = reason.split("\n")[0];
    } finally {
      limit.release();
    }
    const milliseconds = took();
    desk.ended({ result, broken, end: now() });
    context.took(milliseconds / 1000);
    const due = [memory.dueMs(), refused.dueMs()].filter((milliseconds) => milliseconds !== undefined);
    context.again(due.length === 0 ? undefined : Math.min(...due));
    return result?.result ?? "failed";
  };
}

/** How things stand is told when it changes. */
function onChange(log: (entry: LogEntry) => void): (entries: readonly LogEntry[]) => void {
  let told = new Set<string>();
  return (entries) => {
    const states = new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
    for (const [key, entry] of states) if (!told.has(key)) log(entry);
    told = new Set(states.keys());
  };
}
