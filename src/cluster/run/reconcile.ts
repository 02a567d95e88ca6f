/** One pass over a hosted cluster: installs CRDs, plans, executes, judges and reports. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { installCrds } from "../crds/install-crds.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { readDeletionOrPause } from "../read/read-management.ts";
import { eventsOf } from "../status/events-of.ts";
import type { ReconcileResult } from "../status/pass-result.ts";
import { writeStatus } from "../status/write-status.ts";
import { type ExecutedPlan, executePlan, type PassOptions } from "./execute-plan.ts";
import { type JudgedPass, judgePass } from "./judge-pass.ts";
import { isHeld, LEFT_ALONE, type PlannedPass, planPass } from "./plan-pass.ts";
import { resultOfPass } from "./result-of-pass.ts";

export async function reconcile(cluster: WatchedCluster, options: PassOptions): Promise<ReconcileResult> {
  const { signal, slot } = options;
  const now = options.now();
  const crds = (await isLeftAlone(cluster, now)) ? [] : await installCrds(cluster, signal);
  const planned = await planPass(cluster, crds, { signal, now, slot });
  const done = await executePlan(planned, cluster, options);
  const judged = await judgePass(planned, done, crds, cluster, options);
  const notes = await report(planned, done, judged, cluster, options);
  return resultOfPass(planned, done, judged, cluster, notes);
}

/** Read before anything is written. */
async function isLeftAlone(
  { installCrds: asked, management, hostedCluster }: WatchedCluster,
  now: Date,
): Promise<boolean> {
  return asked && management !== undefined && (await readDeletionOrPause(management, hostedCluster, now)) !== undefined;
}

/** Writes status and events. Returns what could not be written. */
async function report(
  { inputs, rendered }: PlannedPass,
  { nodeLimits, unwritten }: ExecutedPlan,
  judged: JudgedPass,
  cluster: WatchedCluster,
  { now, recorder, signal }: PassOptions,
): Promise<string[]> {
  const notes = unwritten === undefined ? [] : [unwritten.message];
  if (cluster.dryRun || signal.aborted || LEFT_ALONE.includes(rendered.decision.reason)) return notes;
  await nextTurn();
  notes.push(
    ...(await writeStatus({ ...judged, cluster, inputs, isHeld: isHeld(rendered), now: now().toISOString(), signal })),
  );
  const events = eventsOf({ ...judged, inputs, limits: nodeLimits.pools, cluster });
  notes.push(...(await recorder.record(events, signal)));
  return notes;
}
