/** A pass's result in, how many objects of each kind are in which state out. */
import { deletionOf, type StepResult } from "../apply/execute.ts";
import type { ReconcileResult } from "../status/pass-result.ts";

/**
 * - `applied`: as it should be
 * - `pending`: to be written, and not reached in this pass, or only judged in a dry run
 * - `held`, `kept`, `contested`, `foreign`, `operator`, `going`, `failed`: as docs/watch.md says
 */
type ObjectState = "applied" | "pending" | "held" | "kept" | "contested" | "foreign" | "operator" | "going" | "failed";

export interface ObjectCount {
  readonly kind: string;
  readonly state: ObjectState;
  readonly count: number;
}

export function objectCounts({
  results,
  crds,
  dryRun,
}: Pick<ReconcileResult, "results" | "crds" | "dryRun">): ObjectCount[] {
  const ofSteps = results.flatMap((result) => {
    const state = stateOf(result, dryRun);
    return state === undefined ? [] : [{ kind: result.step.kind, state }];
  });
  const ofCrds = crds.map(({ outcome }) => ({
    kind: "CustomResourceDefinition",
    state: outcome === "foreign" || outcome === "failed" ? outcome : stateOfWritten(outcome !== "in-sync" && dryRun),
  }));
  const states = [...ofSteps, ...ofCrds];
  const groups = Map.groupBy(states, ({ kind, state }) => `${kind} ${state}`);
  return [...groups.values()].map((group) => ({ ...group[0]!, count: group.length }));
}

const LEFT_ALONE: Readonly<Record<string, ObjectState>> = {
  hold: "held",
  keep: "kept",
  "foreign-object": "foreign",
  unclaimed: "foreign",
  "managed-by-operator": "operator",
  "in-sync": "applied",
};

function stateOfWritten(isJudged: boolean): ObjectState {
  return isJudged ? "pending" : "applied";
}

/** Undefined for what is gone. */
function stateOf(result: StepResult, dryRun: boolean): ObjectState | undefined {
  const { step, outcome } = result;
  if (outcome === "failed") return "failed";
  if (outcome === "skipped") return "pending";
  if (step.writerConflict !== "") return "contested";
  const leftAlone = LEFT_ALONE[step.action];
  if (deletionOf(result) !== undefined && (leftAlone ?? "applied") === "applied") return "going";
  if (leftAlone !== undefined) return leftAlone;
  return step.action === "prune" && !dryRun ? undefined : stateOfWritten(dryRun);
}
