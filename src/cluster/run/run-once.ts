/** Clusters in, one pass over each of them out, so many at once. */
import { definedFields } from "../../krm/fields.ts";
import { clusterPass } from "./cluster-pass.ts";
import { reachabilityProbe } from "./reachability-probe.ts";
import { openClusters } from "./open-clusters.ts";
import { worstOf } from "./result-of-pass.ts";
import type { Run } from "./run.ts";
import type { ClusterSpec, RunOutcome } from "./run.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { semaphore } from "../waiting/semaphore.ts";

export async function runOnce(specs: readonly ClusterSpec[], run: Run): Promise<RunOutcome> {
  // Who asks for one pass has come to an end with the files.
  const { clusters, close } = openClusters(specs, 0, definedFields({ mayAsk: run.options.mayAsk }));
  try {
    return await passOnce(clusters, run);
  } finally {
    close();
  }
}

/** Over clusters that are open, in the order of the desks. */
export async function passOnce(clusters: readonly WatchedCluster[], run: Run): Promise<RunOutcome> {
  const { options, ending, log, catalogue } = run;
  const { fleet, desks } = run.state;
  const { signal } = ending;
  const places = semaphore(options.concurrency);
  const knock = reachabilityProbe(signal);
  await Promise.all(
    clusters.map(async (cluster, index) => {
      const isSuspect = clusters.length > 1 && !(await knock(cluster));
      const release = await places.acquire(isSuspect, signal);
      if (release === undefined) return;
      const pass = clusterPass(cluster, {
        desk: desks[index]!,
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
