/** Files and directories as hints: whatever changes in them rings the bell. What is missed, the next pass by the clock finds. */
import { type FSWatcher, watch } from "node:fs";
import type { Bell } from "../waiting/bell.ts";

/** Until the signal. Where files cannot be watched, the clock has to do. */
export function hintOnFiles(paths: readonly string[], bell: Bell, signal: AbortSignal): void {
  for (const path of paths) {
    let watcher: FSWatcher;
    try {
      watcher = watch(path, { recursive: true, signal }, () => bell.ring());
    } catch {
      continue;
    }
    // A directory that is removed ends its watch.
    watcher.on("error", () => watcher.close());
  }
}
