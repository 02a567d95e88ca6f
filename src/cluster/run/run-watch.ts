/** Runs `anp watch`: log lines and passes, in a loop or once. */
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import { memoizeByKey } from "../../model/schema/memoize.ts";
import { ClusterError } from "../api/api-answer.ts";
import { formatLogEntry, type LogEntry, shortened } from "../objects/log-entry.ts";
import type { OptionalCatalogueFor } from "../status/pool-verdicts.ts";
import { shutdownSignal } from "../waiting/pause.ts";
import { fleetState } from "../fleet/fleet-state.ts";
import type { ClusterSpec, Run, RunOptions, RunOutcome } from "./run.ts";
import { bufferedLog } from "./buffered-log.ts";
import { runDiscovered, runDiscoveredOnce } from "./run-discovered.ts";
import { runForever } from "./run-forever.ts";
import { runOnce } from "./run-once.ts";

export { parentFence } from "./pass-alone.ts";

/** The end of a watch waits for the reader of its log for this time. */
const LAST_LINES_MS = 1000;

/** Until SIGTERM or SIGINT. */
export async function runWatch(specs: readonly ClusterSpec[], options: RunOptions): Promise<RunOutcome> {
  const ending = shutdownSignal();
  const format = (entry: LogEntry): string => formatLogEntry(entry, new Date().toISOString(), options.logFormat);
  const { writeLater } = options;
  // A user who waits for one pass also waits for its log, and wants all of it.
  const buffered = writeLater === undefined || options.once ? undefined : bufferedLog({ format, write: writeLater });
  const log = (given: LogEntry): void => {
    const entry = options.once ? given : shortened(given);
    if (options.log !== undefined) options.log(entry, new Date());
    else if (buffered !== undefined) buffered.add(entry);
    else options.write(format(entry));
  };
  // Each pass reads it again, and each reason is logged once.
  const unread = memoizeByKey((reason: string) =>
    log({ level: "warn", msg: "catalogue not read", fields: { reason } }),
  );
  const catalogue = optionalCatalogue(options.catalogue, unread);
  const run: Run = { options, ending, state: fleetState(specs, ending.end), log, catalogue };
  for (const notice of options.notices ?? []) log(notice);
  options.onFleet?.(run.state.fleet);
  try {
    const { discover, sharding, once: isOnce } = options;
    if (discover !== undefined)
      return await (isOnce ? runDiscoveredOnce(discover, run) : runDiscovered(discover, sharding, run));
    return await (isOnce ? runOnce(specs, run) : runForever(specs, run));
  } catch (error) {
    if (error instanceof ClusterError) return { result: "failed", findings: [], problem: error.message };
    throw error;
  } finally {
    ending.release();
    await buffered?.end(LAST_LINES_MS);
  }
}

/** Pools have no verdict if it cannot be read. @param unread called in each pass */
function optionalCatalogue(catalogue: CatalogueFor, unread: (reason: string) => void): OptionalCatalogueFor {
  return (settings) => {
    try {
      return catalogue(settings);
    } catch (error) {
      unread((error as Error).message);
      return undefined;
    }
  };
}
