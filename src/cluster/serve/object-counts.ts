/** A pass's result in, how many objects of each kind are in which state out. */
import type { StepResult } from "../apply/execute.ts";
import type { ReconcileResult } from "../run/reconcile.ts";

/**
 * - `applied`: as it should be
 * - `pending`: to be written, and not reached in this pass, or only judged in a dry run
 * - `held`, `kept`, `foreign`, `operator`, `failed`: as docs/watch.md says
 */
type ObjectState = "applied" | "pending" | "held" | "kept" | "foreign" | "operator" | "failed";

export interface ObjectCount {
  readonly kind: string;
  readonly state: ObjectState;
  readonly count: number;
}

export function objectCounts({ results, dryRun }: Pick<ReconcileResult, "results" | "dryRun">): ObjectCount[] {
  const states = results.flatMap((result) => {
    const state = stateOf(result, dryRun);
    return state === undefined ? [] : [{ kind: result.step.kind, state }];
  });
  const groups = Map.groupBy(states, ({ kind, state }) => `${kind} ${state}`);
  return [...groups.values()].map((group) => ({ ...group[0]!, count: group.length }));
}

const LEFT_ALONE: Readonly<Record<string, ObjectState>> = {
  hold: "held",
  keep: "kept",
  "foreign-object": "foreign",
  "managed-by-operator": "operator",
  "in-sync": "applied",
};

/** Undefined for what is gone. */
function stateOf({ step, outcome }: StepResult, dryRun: boolean): ObjectState | undefined {
  if (outcome === "failed") return "failed";
  if (outcome === "skipped") return "pending";
  const leftAlone = LEFT_ALONE[step.action];
  if (leftAlone !== undefined) return leftAlone;
  if (dryRun) return "pending";
  return step.action === "prune" ? undefined : "applied";
}
