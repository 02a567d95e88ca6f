/** One pass over a hosted cluster, step by step: install CRDs, plan, carry out, judge, tell. */
import { installCrds } from "../crds/install-crds.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { readDeletionOrPause } from "../read/deletion-or-pause.ts";
import type { ReconcileResult } from "../status/pass-result.ts";
import { executePlan } from "./execute-plan.ts";
import { judgePass } from "./judge-pass.ts";
import type { PassOptions } from "./pass-options.ts";
import { planPass } from "./plan-pass.ts";
import { resultOfPass } from "./result-of-pass.ts";
import { reportPass } from "./report-pass.ts";

export async function reconcile(cluster: WatchedCluster, options: PassOptions): Promise<ReconcileResult> {
  const { signal, place } = options;
  const now = options.now();
  const crds = (await isLeftAlone(cluster, now)) ? [] : await installCrds(cluster, signal);
  const planned = await planPass(cluster, crds, { signal, now, place });
  const done = await executePlan(planned, cluster, options);
  const judged = await judgePass(planned, done, options);
  const notes = await reportPass(planned, done, judged, cluster, options);
  return resultOfPass(planned, done, judged, cluster, { crds, notes });
}

/** What is to be known before anything is written at all. */
async function isLeftAlone(
  { installCrds: asked, management, hostedCluster }: WatchedCluster,
  now: Date,
): Promise<boolean> {
  return asked && management !== undefined && (await readDeletionOrPause(management, hostedCluster, now)) !== undefined;
}
