/** Runs one pass over each cluster, with bounded concurrency. */
import { definedFields } from "../../krm/values/fields.ts";
import { clusterPass } from "./cluster-pass.ts";
import { reachabilityProbe } from "./acquire-slot.ts";
import { openClusters } from "./open-clusters.ts";
import { worstOf } from "./result-of-pass.ts";
import type { Run } from "./run.ts";
import type { ClusterSpec, RunOutcome } from "./run.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { semaphore } from "../waiting/semaphore.ts";

export async function runOnce(specs: readonly ClusterSpec[], run: Run): Promise<RunOutcome> {
  // A user who asks for a single pass has finished writing the files.
  const { clusters, close } = openClusters(specs, 0, definedFields({ mayAsk: run.options.mayAsk }));
  try {
    return await passOnce(clusters, run);
  } finally {
    close();
  }
}

/** @param clusters open, in the order of the reporters */
export async function passOnce(clusters: readonly WatchedCluster[], run: Run): Promise<RunOutcome> {
  const { options, ending, log, catalogue } = run;
  const { fleet, reporters } = run.state;
  const { signal } = ending;
  const slots = semaphore(options.concurrency);
  const probe = reachabilityProbe(signal);
  await Promise.all(
    clusters.map(async (cluster, index) => {
      const isSuspect = clusters.length > 1 && !(await probe(cluster));
      const release = await slots.acquire(isSuspect, signal);
      if (release === undefined) return;
      const pass = clusterPass(cluster, {
        reporter: reporters[index]!,
        log,
        once: true,
        signal,
        catalogue,
        took: () => undefined,
        again: () => undefined,
      });
      await pass().finally(release);
    }),
  );
  for (const { name, last, broken } of fleet.clusters())
    if (last === undefined && broken === undefined)
      log({ level: "error", msg: "not tried", fields: { cluster: name } });
  const last = fleet.clusters().map((state) => state.last);
  const result = worstOf(last.map((one) => one?.result ?? "failed"));
  return { result, findings: last.flatMap((result) => result?.findings ?? []) };
}
