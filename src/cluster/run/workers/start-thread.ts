/** Starts a thread of this program: from its sources, dist/ or its executable. */
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { WorkerTask } from "./messages.ts";

/** For what lives short: each pass makes much of it. */
const YOUNG_MIB = 16;

/** @param name for people who look at threads */
export function startThread(name: string, workerData: WorkerTask): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: workerData.memoryMiB, maxYoungGenerationSizeMb: YOUNG_MIB };
  return new Worker(startText(), { eval: true, name, workerData, resourceLimits });
}

/** The chunk that this file is a part of is loaded again in the thread. */
function startText(): string {
  const sea = process.getBuiltinModule("node:sea");
  // What starts the executable starts its threads too (scripts/binary/start.ts).
  if (sea.isSea()) return sea.getAsset("start.js", "utf8");
  const sources = import.meta.filename as string | undefined;
  if (sources === undefined) return `require(${JSON.stringify(__filename)}).runWorker()`;
  const runWorker = new URL("run-worker.ts", pathToFileURL(sources)).href;
  return `import(${JSON.stringify(runWorker)}).then((m) => m.runWorker())`;
}
