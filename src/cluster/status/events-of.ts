/** The Kubernetes events of a pass. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import { describeResource } from "../../krm/resource.ts";
import { idOf } from "../../model/kube-object.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { FieldDifference } from "../plan/compare-live.ts";
import { deletionOf, type Executed, type StepResult } from "../apply/execute.ts";
import type { Inputs } from "../read/gather-inputs.ts";
import { type ObjectEvent, regarding } from "./object-event.ts";
import type { PoolConflict } from "../plan/pool-conflicts.ts";
import type { Ready } from "./ready-condition.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";

interface Pass {
  readonly inputs: Pick<Inputs, "guest" | "policy">;
  /** The warning on a damaged inventory. */
  readonly repaired?: string | undefined;
  readonly conflicts: readonly PoolConflict[];
  readonly verdicts: readonly JudgedPool[];
  readonly executed: Executed;
  readonly ready: Ready;
  readonly cluster: WatchedCluster;
}

/** By `OpenshiftNodePool/web`. A map, because there may be very many. */
type Wrappers = ReadonlyMap<string, LiveObject>;

/** All events of the pass. The recorder omits those that it wrote before. */
export function eventsOf(pass: Pass): ObjectEvent[] {
  const wrappers: Wrappers = new Map(pass.inputs.guest.wrappers.map((wrapper) => [idOf(wrapper), wrapper]));
  const ofObjects = pass.executed.results.flatMap((result) => [
    ...eventOfStep(result, wrappers),
    ...eventOfDeletion(result),
  ]);
  return [
    ...eventOfPolicy(pass),
    ...ofObjects,
    ...eventsOfConflicts(pass, wrappers),
    ...eventsOfVerdicts(pass, wrappers),
  ];
}

/** If the policy cannot be read, the event is on its namespace. */
function eventOfPolicy({ inputs: { policy }, ready, repaired, cluster }: Pass): ObjectEvent[] {
  if (cluster.management === undefined) return [];
  const { hostedCluster } = cluster;
  const about =
    policy === undefined
      ? { apiVersion: "v1", kind: "Namespace", name: hostedCluster, namespace: hostedCluster }
      : regarding(policy);
  const event = (type: ObjectEvent["type"], reason: string, note: string): ObjectEvent => ({
    side: "management",
    regarding: about,
    type,
    reason,
    note,
  });
  const isTrue = ready.status === "True";
  return [
    ...(isTrue && policy === undefined ? [] : [event(isTrue ? "Normal" : "Warning", ready.reason, ready.message)]),
    ...(repaired === undefined ? [] : [event("Warning", "InventoryRepaired", repaired)]),
  ];
}

function eventOfStep(result: StepResult, wrappers: Wrappers): ObjectEvent[] {
  const { step, outcome, error, live } = result;
  const about = wrappers.get(`Openshift${step.kind}/${step.name}`) ?? live ?? step.live;
  if (about === undefined) return [];
  const event = (type: ObjectEvent["type"], reason: string, note: string): ObjectEvent => ({
    side: "guest",
    regarding: regarding(about),
    type,
    reason,
    note,
  });
  const name = describeResource(step);
  if (outcome === "failed") return [event("Warning", "ApplyFailed", `${name}: ${error?.message ?? ""}`)];
  if (step.writerConflict !== "") return [event("Warning", "DoubleWriter", step.writerConflict)];
  switch (step.action) {
    case "create":
      return outcome === "done" ? [event("Normal", "Applied", `${name} created`)] : [];
    case "update": {
      if (outcome !== "done") return [];
      const { drift } = step;
      if (drift.length > 0) return [event("Warning", "DriftCorrected", `${name}: ${describeDrift(drift)} set right`)];
      return [event("Normal", "Applied", `${name} updated: ${fieldsOf(step.differences)}`)];
    }
    case "hold":
      return [event("Warning", "Held", step.reason)];
    case "foreign-object":
      return [event("Warning", "ForeignObject", step.reason)];
    case "unclaimed":
      return [event("Warning", "Unclaimed", step.reason)];
    case "keep":
      return [event("Warning", "PruneBlocked", step.reason)];
    default:
      return [];
  }
}

/** On the object itself, because its wrapper may be gone. */
function eventOfDeletion(result: StepResult): ObjectEvent[] {
  const note = deletionOf(result);
  const about = result.live ?? result.step.live;
  if (note === undefined || about === undefined) return [];
  return [{ side: "guest", regarding: regarding(about), type: "Normal", reason: "BeingDeleted", note }];
}

function eventsOfConflicts({ conflicts }: Pass, wrappers: Wrappers): ObjectEvent[] {
  return conflicts.flatMap(({ pool, key, what }): ObjectEvent[] => {
    const wrapper = poolWrapper(pool, wrappers);
    if (wrapper === undefined) return [];
    const note =
      what === "bypass"
        ? `the requirements on ${key} would bypass the AutoNodePolicy: the pool is blocked and gets no new nodes`
        : `the requirements on ${key} conflict with the AutoNodePolicy: the pool gets no new nodes`;
    const reason = what === "bypass" ? "PolicyBypassed" : "RequirementsConflict";
    return [{ side: "guest", regarding: regarding(wrapper), type: "Warning", reason, note }];
  });
}

/** A pool with a conflict already has an event for that. */
function eventsOfVerdicts({ verdicts, conflicts }: Pass, wrappers: Wrappers): ObjectEvent[] {
  const reported = new Set(conflicts.map(({ pool }) => pool));
  return verdicts.flatMap(({ pool, verdict, why }): ObjectEvent[] => {
    const wrapper = poolWrapper(pool, wrappers);
    if (verdict !== "unsatisfiable" || reported.has(pool) || wrapper === undefined) return [];
    const note = `the pool gets no nodes: ${why}`;
    return [{ side: "guest", regarding: regarding(wrapper), type: "Warning", reason: "NoInstanceTypes", note }];
  });
}

function poolWrapper(pool: string, wrappers: Wrappers): LiveObject | undefined {
  return wrappers.get(`OpenshiftNodePool/${pool}`);
}

/** `spec.weight (kubectl-edit)`. */
function describeDrift(drift: readonly FieldDifference[]): string {
  return shortList(drift.map(({ field, owner }) => `${field} (${owner ?? "changed by another manager"})`));
}

function fieldsOf(differences: readonly FieldDifference[]): string {
  return shortList(differences.map(({ field }) => field));
}

const SHOWN = 5;

function shortList(items: readonly string[]): string {
  const rest = items.length - SHOWN;
  return `${items.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} ${rest === 1 ? "other" : "others"}` : ""}`;
}
