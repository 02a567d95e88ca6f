/** What is to be told of a pass on the objects themselves. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import { describeResource } from "../../krm/resource.ts";
import { idOf } from "../../model/kube-object.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { FieldDifference } from "../plan/compare-live.ts";
import type { Executed, StepResult } from "../apply/execute.ts";
import type { Inputs } from "../read/gather-inputs.ts";
import { type ObjectEvent, regarding } from "./object-event.ts";
import type { PoolConflict } from "../plan/pool-conflicts.ts";
import type { Ready } from "./ready-condition.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";

interface Pass {
  readonly inputs: Pick<Inputs, "guest" | "policy">;
  readonly conflicts: readonly PoolConflict[];
  readonly verdicts: readonly JudgedPool[];
  readonly executed: Executed;
  readonly ready: Ready;
  readonly cluster: WatchedCluster;
}

/** By `OpenshiftNodePool/web`: users make as many as they like, so that none is searched for. */
type Wrappers = ReadonlyMap<string, LiveObject>;

/** Telling it once is the recorder's business. */
export function eventsOf(pass: Pass): ObjectEvent[] {
  const wrappers: Wrappers = new Map(pass.inputs.guest.wrappers.map((wrapper) => [idOf(wrapper), wrapper]));
  const ofObjects = pass.executed.results.flatMap((result) => eventOfStep(result, wrappers));
  return [
    ...eventOfPolicy(pass),
    ...ofObjects,
    ...eventsOfConflicts(pass, wrappers),
    ...eventsOfVerdicts(pass, wrappers),
  ];
}

/** A policy that cannot be read has no object to speak of: then it is told on its namespace. */
function eventOfPolicy({ inputs, ready, cluster }: Pass): ObjectEvent[] {
  if (cluster.management === undefined) return [];
  const { policy } = inputs;
  const type = ready.status === "True" ? "Normal" : "Warning";
  const words = { side: "management", type, reason: ready.reason, note: ready.message } as const;
  if (policy !== undefined) return [{ ...words, regarding: regarding(policy) }];
  if (ready.status === "True") return [];
  const { hostedCluster } = cluster;
  return [
    { ...words, regarding: { apiVersion: "v1", kind: "Namespace", name: hostedCluster, namespace: hostedCluster } },
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
  if (step.rivalry !== "") return [event("Warning", "DoubleWriter", step.rivalry)];
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

function eventsOfConflicts({ conflicts }: Pass, wrappers: Wrappers): ObjectEvent[] {
  return conflicts.flatMap(({ pool, key, what }): ObjectEvent[] => {
    const wrapper = poolWrapper(pool, wrappers);
    if (wrapper === undefined) return [];
    const note =
      what === "bypass"
        ? `what is asked for on ${key} would get round the AutoNodePolicy: the pool is blocked and gets no new nodes`
        : `what is asked for on ${key} has nothing in common with the AutoNodePolicy: the pool gets no new nodes`;
    const reason = what === "bypass" ? "PolicyBypassed" : "RequirementsConflict";
    return [{ side: "guest", regarding: regarding(wrapper), type: "Warning", reason, note }];
  });
}

/** A pool whose key is told already gets no second event for the same reason. */
function eventsOfVerdicts({ verdicts, conflicts }: Pass, wrappers: Wrappers): ObjectEvent[] {
  const told = new Set(conflicts.map(({ pool }) => pool));
  return verdicts.flatMap(({ pool, verdict, why }): ObjectEvent[] => {
    const wrapper = poolWrapper(pool, wrappers);
    if (verdict !== "unsatisfiable" || told.has(pool) || wrapper === undefined) return [];
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
