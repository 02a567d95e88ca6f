/** Describes the state of an object after a pass, in the words of the log. */
import type { FieldDifference } from "../plan/compare-live.ts";
import { deletionOf, type StepResult } from "../apply/execute.ts";

/** The words for a change, and for a change of a dry run. */
export const DONE_WORDS: Readonly<Record<string, readonly [done: string, would: string]>> = {
  create: ["created", "would be created"],
  update: ["updated", "would be updated"],
  prune: ["deleted", "would be deleted"],
};

/** The words for objects that are not changed. */
export const STATE_WORDS: Readonly<Record<string, string>> = {
  hold: "held",
  keep: "not pruned",
  "foreign-object": "foreign object",
  unclaimed: "not in the inventory",
};

export const DELETION_WORDS = "being deleted";

export const WRITER_CONFLICT = "double writer";

export interface StepState {
  readonly words: string;
  /** Empty if there is no reason. */
  readonly why: string;
  readonly tone: "calm" | "changed" | "warning" | "error";
}

export function stepState(result: StepResult, dryRun: boolean): StepState {
  const { step, outcome, error } = result;
  const { action, reason, differences, drift } = step;
  if (outcome === "failed") return { words: `${action} failed`, why: error?.message ?? "", tone: "error" };
  if (outcome === "skipped")
    return { words: "not reached", why: "another step failed first, or the watch ended", tone: "warning" };
  if (step.writerConflict !== "") return { words: WRITER_CONFLICT, why: step.writerConflict, tone: "warning" };
  const deletion = deletionOf(result);
  if (deletion !== undefined && STATE_WORDS[action] === undefined)
    return { words: DELETION_WORDS, why: deletion, tone: "changed" };
  const done = DONE_WORDS[action];
  if (done !== undefined && outcome === "done") {
    const fields = drift.length > 0 ? `set right ${ownedFields(drift)}` : ownedFields(differences);
    return { words: done[dryRun ? 1 : 0], why: reason === "" ? fields : reason, tone: "changed" };
  }
  const held = STATE_WORDS[action];
  if (held !== undefined) return { words: held, why: reason, tone: "warning" };
  if (action !== "managed-by-operator") return { words: "in sync", why: "", tone: "calm" };
  const differs = differences.length > 0;
  const why = differs ? `${reason}; it differs in ${ownedFields(differences)}` : reason;
  return { words: "managed by operator", why, tone: differs ? "warning" : "calm" };
}

/** `spec.weight (kubectl-edit), spec.limits`. */
function ownedFields(differences: readonly FieldDifference[]): string {
  return differences.map(({ field, owner }) => (owner === undefined ? field : `${field} (${owner})`)).join(", ");
}
