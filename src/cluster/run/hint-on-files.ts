/** Files and directories as hints: whatever changes in them raises the signal. */
import { type FSWatcher, watch } from "node:fs";
import type { PendingSignal } from "../waiting/pending-signal.ts";

/**
 * Until the signal. Where files cannot be watched, the clock has to do. What is missed, the next pass by the clock
 * finds.
 */
export function hintOnFiles(paths: readonly string[], pending: PendingSignal, signal: AbortSignal): void {
  for (const path of paths) {
    let watcher: FSWatcher;
    try {
      watcher = watch(path, { recursive: true, signal }, () => pending.raise());
    } catch {
      continue;
    }
    // A directory that is removed ends its watch.
    watcher.on("error", () => watcher.close());
  }
}
