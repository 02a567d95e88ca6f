/** Runs one pass of a watched cluster within its time limit, logs it, and reports its state. */
import { hostname } from "node:os";
import { applyBackoff } from "../apply/apply-backoff.ts";
import { ClusterError } from "../api/api-answer.ts";
import { timeLimit } from "../waiting/pause.ts";
import { setIdOf } from "../objects/membership.ts";
import { conflictingWriters } from "../apply/conflicting-writers.ts";
import { eventRecorder } from "../status/event-recorder.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { logLines } from "../status/log-lines.ts";
import { type OptionalCatalogueFor, poolVerdicts, usersPoolVerdicts } from "../status/pool-verdicts.ts";
import type { StatusReporter } from "../fleet/fleet-state.ts";
import type { PassSlot } from "./loop.ts";
import { reconcile } from "./reconcile.ts";
import type { PassResult } from "../status/outcomes.ts";
import type { ReconcileResult } from "../status/pass-result.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";

interface PassContext {
  readonly reporter: StatusReporter;
  readonly log: (entry: LogEntry) => void;
  /** A user waits for this single pass, and gets its whole log. */
  readonly once?: boolean;
  readonly signal: AbortSignal;
  readonly catalogue: OptionalCatalogueFor;
  /** For statistics. */
  readonly took: (seconds: number) => void;
  /** Requests another pass after so many milliseconds, even if nothing changes until then. */
  readonly again: (milliseconds: number | undefined) => void;
}

/** Other clusters wait for the slot. The next pass continues with objects that this one did not reach. */
const PASS_LIMIT_MS = 120_000;

export function clusterPass(cluster: WatchedCluster, context: PassContext): (slot?: PassSlot) => Promise<PassResult> {
  const { reporter, log, signal } = context;
  const { guest, management, dryRun, name } = cluster;
  const now = () => new Date();
  const recorder = eventRecorder({ guest, management, instance: hostname(), now, dryRun });
  const judge = poolVerdicts(context.catalogue);
  const judgeUsers = usersPoolVerdicts(context.catalogue);
  const state = onChange(log);
  const memory = conflictingWriters(setIdOf(cluster.hostedCluster, name), () => performance.now());
  const refused = applyBackoff(() => performance.now());
  const onPrune: Parameters<typeof reconcile>[1]["onPrune"] = ({ kind, name: object, reason }, nodes) =>
    log({ level: "warn", msg: "deleting", fields: { cluster: name, object: `${kind} ${object}`, reason, nodes } });

  const logPass = (result: ReconcileResult, milliseconds: number): void => {
    const lines = logLines(result, milliseconds, context.once);
    for (const entry of lines.done) log(entry);
    state(lines.state);
    log(lines.summary);
  };

  return async (slot) => {
    const begin = performance.now();
    const took = () => performance.now() - begin;
    reporter.started();
    const limit = timeLimit(PASS_LIMIT_MS, signal);
    let result: ReconcileResult | undefined;
    let broken: string | undefined;
    try {
      const options = {
        signal: limit.signal,
        slot,
        now,
        recorder,
        conflicts: memory,
        applyBackoff: refused,
        judge,
        judgeUsers,
        onPrune,
      };
      result = await reconcile(cluster, options);
      logPass(result, took());
    } catch (error) {
      // An error of one cluster, or a bug of anp, must not stop the other clusters.
      const reason = error instanceof ClusterError ? error.message : String((error as Error).stack ?? error);
      log({ level: "error", msg: "pass failed", fields: { cluster: name, reason } });
      result = undefined;
      broken = reason.split("\n")[0];
    } finally {
      limit.release();
    }
    const milliseconds = took();
    reporter.ended({ result, broken, end: now() });
    context.took(milliseconds / 1000);
    const due = [memory.dueMs(), refused.dueMs()].filter((milliseconds) => milliseconds !== undefined);
    context.again(due.length === 0 ? undefined : Math.min(...due));
    return result?.result ?? "failed";
  };
}

/** Logs the current state only when it changes. */
function onChange(log: (entry: LogEntry) => void): (entries: readonly LogEntry[]) => void {
  let logged = new Set<string>();
  return (entries) => {
    const states = new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
    for (const [key, entry] of states) if (!logged.has(key)) log(entry);
    logged = new Set(states.keys());
  };
}
