/** Fields of a WatchConfig that are valid and have no effect any more, as lines for the log. */
import type { LogEntry } from "../../cluster/objects/log-entry.ts";
import type { WatchConfig } from "../../model/watch-config.ts";

const WORKERS =
  "anp has no worker threads any more, and the watch goes on without them. Remove the field. If a pass of a cluster ends " +
  "its process, the next passes of that cluster run in a process of their own (docs/watch-fleet.md#crashes).";

export function noticesOf({ workers }: WatchConfig["spec"]): readonly LogEntry[] {
  if (workers === undefined) return [];
  return [{ level: "warn", msg: "field without effect", fields: { field: "spec.workers", reason: WORKERS } }];
}
