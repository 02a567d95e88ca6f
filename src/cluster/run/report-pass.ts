/** Tells a pass in the clusters themselves by status and events, or says what could not be told. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { repairWords } from "../inventory/repair-inventory.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { eventsOf } from "../status/events-of.ts";
import { limitEvents } from "../status/limit-events.ts";
import { writeStatus } from "../status/write-status.ts";
import type { ExecutedPlan } from "./execute-plan.ts";
import type { JudgedPass } from "./judge-pass.ts";
import type { PassOptions } from "./pass-options.ts";
import { LEFT_ALONE, type PlannedPass } from "./plan-pass.ts";

export async function reportPass(
  { inputs, rendered }: PlannedPass,
  { executed, nodeLimits, unwritten }: ExecutedPlan,
  judged: JudgedPass,
  cluster: WatchedCluster,
  { now, recorder, signal }: PassOptions,
): Promise<string[]> {
  const notes = unwritten === undefined ? [] : [unwritten.message];
  if (cluster.dryRun || signal.aborted || LEFT_ALONE.includes(rendered.decision.reason)) return notes;
  await nextTurn();
  notes.push(...(await writeStatus({ ...judged, cluster, inputs, executed, now: now().toISOString(), signal })));
  const events = [
    ...eventsOf({ ...judged, inputs, executed, cluster, repaired: repairWords(inputs.inventory) }),
    ...limitEvents({ limits: nodeLimits, ...inputs.guest }),
  ];
  notes.push(...(await recorder.record(events, signal)));
  return notes;
}
